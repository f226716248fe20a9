import NukeCodecs
import Testing

@testable import NukeServing

@Suite("Client hints") struct ClientHintsTests {
  private let all: ClientHints = [.dpr, .width, .viewportWidth, .saveData]

  private func applied(
    _ head: RequestHead, _ options: ImageOptions = ImageOptions(), hints: ClientHints? = nil, hasDPR: Bool = false
  ) -> (options: ImageOptions, varied: VariedFields) {
    var request = RenditionRequest(source: Sample.source, options: options)
    let varied = (hints ?? all).apply(to: &request, head, hasDPR: hasDPR, quality: 50)
    return (request.options, varied)
  }

  @Test("Hints are used only if the server allows them")
  func notAllowed() {
    let head = RequestHead.get((.dpr, "2"), (.width, "640"), (.viewportWidth, "640"), (.saveData, "on"))
    let applied = applied(head, hints: [])
    #expect(applied.options == ImageOptions())
    #expect(applied.varied == [])
    #expect(Sample.rules().fields(.image).allSatisfy { $0.name != .acceptCH })
  }

  @Test(
    "The pixel ratio is rounded up to a few steps",
    arguments: [
      ("2", 2.0), ("0.5", 1), ("1.0", 1), ("1.25", 1.5), ("2.625", 3), ("3.5", 4), ("8", 8), ("8.01", nil), ("0", nil),
      ("-1", nil), ("inf", nil), ("nan", nil), ("1e2", nil), ("", nil), ("2, 2", nil), ("0x2", nil),
      ("1.00000000001", nil),
    ] as [(String, Double?)])
  func pixelRatio(_ text: String, _ expected: Double?) {
    for name in [RequestHead.Name.dpr, .secCHDPR] {
      let applied = applied(.get((name, text)))
      #expect(applied.options.dpr == expected ?? 1)
      #expect(applied.varied.contains(.dpr))
    }
  }

  @Test("The newer field names take precedence")
  func newerNames() {
    let applied = applied(
      .get((.dpr, "3"), (.secCHDPR, "2"), (.width, "300"), (.secCHWidth, "1280"), (.viewportWidth, "1")))
    #expect(applied.options.dpr == 2)
    #expect(applied.options.width == 640)
  }

  @Test(
    "Widths are rounded up to a few steps",
    arguments: [
      ("1", 160), ("160", 160), ("161", 320), ("1000", 1280), ("99999999", 3840), ("0", 0), ("-5", 0), ("1.5", 0),
      ("999999999999", 0), ("", 0),
    ])
  func widths(_ text: String, _ expected: Int) {
    for name in [RequestHead.Name.width, .secCHWidth, .viewportWidth, .secCHViewportWidth] {
      #expect(applied(.get((name, text))).options.width == expected)
    }
  }

  @Test("A width in pixels is converted to CSS pixels")
  func widthOfPixels() {
    let applied = applied(.get((.dpr, "3"), (.width, "1600")))
    #expect(applied.options.dpr == 3)
    #expect(applied.options.width == 534)
  }

  @Test("Any hints lead to only a few variants of a URL")
  func bounded() {
    var seen: Set<ImageOptions> = []
    for dpr in stride(from: 0.01, through: 9, by: 0.01) {
      for width in stride(from: 1, through: 9000, by: 97) {
        seen.insert(applied(.get((.dpr, "\(dpr)".prefix(8).description), (.width, "\(width)"))).options)
      }
    }
    #expect(seen.count <= ClientHints.dprSteps.count * ClientHints.widthSteps.count)
  }

  @Test("Options in the URL take precedence")
  func said() {
    var options = ImageOptions()
    options.height = 100
    options.quality = 90
    options.dpr = 1
    let applied = applied(
      .get((.dpr, "2"), (.width, "640"), (.viewportWidth, "640"), (.saveData, "on")), options, hasDPR: true)
    #expect(applied.options == options)
    #expect(applied.varied == .saveData)
  }

  @Test("A client that saves data gets smaller files with the same number of pixels")
  func saving() {
    let applied = applied(.get((.saveData, "On"), (.dpr, "3")))
    #expect(applied.options.quality == 50)
    #expect(applied.options.dpr == 1)
    #expect(self.applied(.get((.saveData, "off"))).options.quality == nil)
  }

  @Test("Responses state which hints were requested, used, and vary the response")
  func fields() {
    let rules = Sample.rules {
      $0.clientHints = [.dpr, .width]
      $0.offeredFormats = [.webp]
    }
    let head = RequestHead.get((.dpr, "1.5"))
    let negotiated = rules.negotiate(
      RenditionRequest(source: Sample.source), hasDPR: false, isSigned: true, head)
    let response = rules.response(head, negotiated, with: Sample.rendition(), now: Sample.now)
    #expect(rules.fields(response.constant).last?.value == "Sec-CH-DPR, Sec-CH-Width")
    #expect(response[.vary] == "Accept, Sec-CH-DPR, DPR, Sec-CH-Width, Width")
  }

  @Test("Responses do not state a density, because the image may have had too few pixels for it")
  func density() {
    let rules = Sample.rules { $0.clientHints = all }
    let head = RequestHead.get((.dpr, "8"))
    let negotiated = rules.negotiate(
      RenditionRequest(source: Sample.source), hasDPR: false, isSigned: true, head)
    let response = rules.response(head, negotiated, with: Sample.rendition(), now: Sample.now)
    #expect(!(rules.fields(response.constant) + response.fields).contains { $0.name.spelling.contains("DPR") })
  }

  @Test("Errors vary by all hints, so that caches do not serve them to clients with other hints")
  func refusals() {
    let rules = Sample.rules { $0.clientHints = all }
    let response = rules.response(.get((.dpr, "8")), failing: .tooLarge(""))
    #expect(response[.cacheControl] == "public, max-age=10")
    #expect(
      response[.vary]
        == "Accept, Sec-CH-DPR, DPR, Sec-CH-Width, Width, Sec-CH-Viewport-Width, Viewport-Width, Save-Data")
    let applied = applied(.get(), hints: all)
    #expect(all.varied == applied.varied)
    #expect(ClientHints.dpr.varied == .dpr && ClientHints().varied == [])
  }
}
