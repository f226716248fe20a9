import NukeCodecs
import Testing

@testable import NukeServing

@Suite("RFC 9110 §12.5.1: content negotiation") struct NegotiationTests {
  private func format(_ accept: String?, _ offered: [ImageFormat] = [.avif, .webp]) -> ImageFormat? {
    ContentNegotiation.format(accepting: accept, offered: offered)
  }

  @Test("Browsers get the best format that they name")
  func browsers() {
    let chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
    #expect(format(chrome) == .avif)
    #expect(format(chrome, [.webp, .avif]) == .webp)
    #expect(format(chrome, []) == nil)
    #expect(format("image/webp,image/*,*/*;q=0.8") == .webp)
    #expect(format("image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5") == nil)
  }

  @Test(
    "A wildcard does not count as support of a format", arguments: [nil, "", "*/*", "image/*", "image/*, */*;q=0.1"])
  func everything(_ accept: String?) {
    #expect(format(accept) == nil)
  }

  @Test(
    "The weight takes precedence over the server's order",
    arguments: [
      ("image/avif;q=0.5, image/webp", ImageFormat.webp), ("image/avif;q=0.9,image/webp;q=0.901", .webp),
      ("image/avif;q=0.9, image/webp;q=0.9", .avif), ("image/avif; Q=1.000 , image/webp ; q=0.9", .avif),
      ("IMAGE/AVIF", .avif), ("image/avif;q=0, image/webp", .webp),
    ])
  func weights(_ accept: String, _ expected: ImageFormat) {
    #expect(format(accept) == expected)
  }

  @Test(
    "A client that prefers JPEG and PNG gets them",
    arguments: ["image/jpeg, image/webp;q=0.5", "image/png,image/avif;q=0.9", "image/webp;q=0.2,*/*", "image/webp;q=0"])
  func plain(_ accept: String) {
    #expect(format(accept) == nil)
  }

  @Test("The most specific element applies")
  func specificity() {
    let types = AcceptedTypes("*/*;q=0.1, image/*;q=0.5, image/webp;q=0.7, image/webp;level=1;q=0.9")
    #expect(types.weight(of: "text/html") == 100)
    #expect(types.weight(of: "image/png") == 500)
    #expect(types.weight(of: "image/webp") == 700)
    #expect(types.weightByName(of: "image/png") == nil)
    #expect(format("image/avif;q=0, image/*") == nil)
  }

  @Test(
    "Malformed elements are ignored",
    arguments: [
      "image/avif;q=2", "image/avif;q=0.1234", "image/avif;q=", "image/avif;q=-1", "image/avif;q=a", "image avif",
      "image/avif/", "/avif", "image/", ";q=1", ",,,", "image/avif;v=1", "\"image/avif\"", "image/avif;q=1;q=1",
    ])
  func malformed(_ accept: String) {
    #expect(format(accept) == nil)
    #expect(format(accept + ", image/webp") == .webp)
  }

  @Test("If the format is not animated, animated sources have another one")
  func moving() {
    func moving(_ accept: String, _ offered: [ImageFormat]) -> ImageFormat? {
      ContentNegotiation.choice(accepting: accept, offered: offered).moving
    }
    #expect(moving("image/avif,image/webp,*/*", [.avif, .webp]) == .webp)
    #expect(moving("image/avif,*/*", [.avif, .webp]) == .gif)
    #expect(moving("image/avif,image/webp", [.avif]) == .gif)
    #expect(moving("image/webp", [.avif, .webp]) == nil, "it is the format in any case")
    #expect(moving("*/*", [.avif, .webp]) == nil, "as is the source's own")
  }

  @Test(
    "A client that accepts an enforced format receives it in place of that of the URL",
    arguments: [
      (ImageFormat.jpeg, "image/webp,*/*", ImageFormat.webp, nil), (.gif, "image/avif,image/webp", .avif, .webp),
      (.png, "image/avif", .avif, .png), (.jpeg, "*/*", .jpeg, nil), (.webp, "image/webp", .webp, nil),
    ] as [(ImageFormat, String, ImageFormat, ImageFormat?)])
  func enforced(named: ImageFormat, accept: String, format: ImageFormat, moving: ImageFormat?) {
    var settings = AnswerSettings()
    settings.offeredFormats = []
    settings.enforcedFormats = [ImageFormat.avif, .webp].filter(\.isWritable)
    guard settings.enforcedFormats.contains(.avif) || format != .avif else { return }
    var head = RequestHead()
    head.append(.accept, accept)
    for isRaw in [false, true] {
      let options = ImageOptions { ($0.format, $0.isRaw) = (named, isRaw) }
      let request = RenditionRequest(source: Rendering.source, options: options)
      let negotiated = ResponseRules(settings).negotiate(request, hasDPR: false, isSigned: true, head)
      #expect(negotiated.request.format == (isRaw ? named : format))
      #expect(negotiated.request.movingFormat == (isRaw ? nil : moving))
      #expect(negotiated.varied == (isRaw ? [] : .accept))
    }
  }

  @Test("Results are cached for a limited number of Accept fields")
  func remembered() {
    let formats = NegotiatedFormats()
    for _ in 0..<2 {
      #expect(formats.choice(accepting: "image/webp", offered: [.webp]).format == .webp)
      #expect(formats.choice(accepting: "image/png", offered: [.webp]).format == nil)
    }
    #expect(formats.count == 2)
    for number in 0..<1000 {
      #expect(formats.choice(accepting: "image/webp,text/\(number)", offered: [.webp]).format == .webp)
    }
    #expect(formats.count <= 256)
    let before = formats.count
    let long = "image/webp" + String(repeating: ",", count: 600)
    #expect(formats.choice(accepting: long, offered: [.webp]).format == .webp)
    #expect(formats.count == before)
  }

  @Test("Only the beginning of endless lists is read")
  func endless() {
    let list = String(repeating: "text/x,", count: 100)
    #expect(format(list + "image/avif") == nil)
    #expect(format("image/avif," + list) == .avif)
  }
}

@Suite("Negotiation for a URL") struct SettlingTests {
  private func negotiate(
    _ options: ImageOptions, _ head: RequestHead, _ change: (inout AnswerSettings) -> Void = { _ in }
  ) -> ResponseRules.NegotiatedRequest {
    Sample.rules(change).negotiate(
      RenditionRequest(source: Sample.source, options: options), hasDPR: false, isSigned: true, head)
  }

  @Test("A format in the URL is used, and the response does not vary")
  func named() {
    var options = ImageOptions()
    options.format = .png
    let negotiated = negotiate(options, .get((.accept, "image/webp")))
    #expect(negotiated.request.format == .png)
    #expect(negotiated.varied == [])
  }

  @Test("Otherwise the response varies, whatever is accepted", arguments: ["image/webp", "image/jpeg", nil])
  func negotiated(_ accept: String?) {
    let head = accept.map { RequestHead.get((.accept, $0)) } ?? .get()
    let negotiated = negotiate(ImageOptions(), head)
    #expect(negotiated.request.format == (accept == "image/webp" ? .webp : nil))
    #expect(negotiated.varied == .accept)
    #expect(negotiated.varied.text == "Accept")
  }

  @Test("Without offered formats the response does not vary")
  func nothingOffered() {
    let negotiated = negotiate(ImageOptions(), .get((.accept, "image/webp"))) { $0.offeredFormats = [] }
    #expect(negotiated.request.format == nil)
    #expect(negotiated.varied.text == nil)
  }

  @Test("A format that this build cannot write is not offered")
  func unwritable() {
    let negotiated = negotiate(ImageOptions(), .get((.accept, "image/heic,image/webp"))) {
      $0.offeredFormats = [.heic, .webp]
    }
    #expect(negotiated.request.format == .webp)
  }

  @Test("Raw files and placeholders have no format to choose")
  func neither() {
    var raw = ImageOptions()
    raw.isRaw = true
    var placeholder = ImageOptions()
    placeholder.placeholder = .blurHash
    for options in [raw, placeholder] {
      let negotiated = negotiate(options, .get((.accept, "image/webp"), (.dpr, "2"))) { $0.clientHints = .dpr }
      #expect(negotiated.request.format == nil)
      #expect(negotiated.request.options == options)
      #expect(negotiated.varied == [])
    }
  }
}
