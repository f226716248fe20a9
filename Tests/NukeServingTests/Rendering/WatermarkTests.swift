import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Watermarks", .timeLimit(.minutes(2)))
struct WatermarkTests {
  private let black = Bitmap.even(.black, 20, 10)

  private func laid(
    _ wanted: ImageOptions.Watermark, image: Bitmap = .even(.white, 4, 2), opacity: Double = 1, dpr: Double = 1
  ) throws -> Bitmap {
    let watermark = Watermark(image: image, id: "logo", opacity: opacity)
    return try RenditionProcessorTests.rendition(of: black, watermark: watermark) {
      $0.watermark = wanted
      $0.dpr = dpr
      $0.enlarges = true
    }
  }

  /// Where there is light, as the corners of the smallest rectangle around it.
  private func lit(_ image: Bitmap) -> [Int] {
    var box: [Int] = []
    for y in 0..<image.pixelHeight {
      for x in 0..<image.pixelWidth where image.pixel(x, y)[0] > 0 {
        let old = box.isEmpty ? [x, y, x, y] : box
        box = [min(old[0], x), min(old[1], y), max(old[2], x), max(old[3], y)]
      }
    }
    return box
  }

  @Test(
    "A watermark has the requested position and offset",
    arguments: [
      (.center, 0, 0, [8, 4, 11, 5]), (.northWest, 0, 0, [0, 0, 3, 1]), (.southEast, 0, 0, [16, 8, 19, 9]),
      (.southEast, 3, 2, [13, 6, 16, 7]), (.north, 0, 1, [8, 1, 11, 2]), (.west, 0.1, 0.2, [2, 6, 5, 7]),
      (.northWest, -2, -1, [0, 0, 1, 0]), (.southEast, -3, -1, [19, 9, 19, 9]),
    ] as [(ImageOptions.Gravity.Place, Double, Double, [Int])])
  func places(place: ImageOptions.Gravity.Place, x: Double, y: Double, box: [Int]) throws {
    let result = try laid(.init(opacity: 1, position: .at(place), offset: .init(x, y)))
    #expect(lit(result) == box)
    #expect(result.isOpaque)
  }

  /// Lays a watermark of 4 x 2 pixels with more options.
  private func laid(
    at place: ImageOptions.Gravity.Place = .northWest, scale: Double = 0, dpr: Double = 1,
    _ ask: (inout ImageOptions) -> Void
  ) throws -> Bitmap {
    let watermark = Watermark(image: .even(.white, 4, 2), id: "logo")
    return try RenditionProcessorTests.rendition(of: black, watermark: watermark) {
      $0.watermark = .init(opacity: 1, position: .at(place), scale: scale)
      ($0.dpr, $0.enlarges) = (dpr, true)
      ask(&$0)
    }
  }

  @Test("A watermark is scaled into its size, up to that of the image, unless it has a fraction of the image")
  func sizes() throws {
    #expect(try lit(laid { $0.watermarkWidth = 8 }) == [0, 0, 7, 3])
    #expect(try lit(laid { $0.watermarkHeight = 3 }) == [0, 0, 5, 2])
    #expect(try lit(laid { ($0.watermarkWidth, $0.watermarkHeight) = (8, 1) }) == [0, 0, 1, 0])
    #expect(try lit(laid { $0.watermarkWidth = 1_000_000 }) == [0, 0, 19, 9])
    // The image is twice as large, too.
    #expect(try lit(laid(dpr: 2) { $0.watermarkWidth = 8 }) == [0, 0, 15, 7])
    #expect(try lit(laid(scale: 0.5) { $0.watermarkWidth = 4 }) == [0, 0, 9, 4])
  }

  @Test("A watermark is turned clockwise, and its position is that of its new size")
  func rotations() throws {
    #expect(try lit(laid { $0.watermarkRotation = 90 }) == [0, 0, 1, 3])
    #expect(try lit(laid(at: .southEast) { $0.watermarkRotation = -90 }) == [18, 6, 19, 9])
    // The upper left quarter is gray, and goes to the upper right.
    let image = Bitmap.painted(4, 2) { x, y in Color(white: x < 2 && y < 1 ? 0.5 : 1) }
    let result = try RenditionProcessorTests.rendition(of: black, watermark: Watermark(image: image, id: "logo")) {
      $0.watermark = .init(opacity: 1, position: .at(.northWest))
      $0.watermarkRotation = 90
    }
    #expect(result.pixel(1, 0)[0] == 128 && result.pixel(1, 1)[0] == 128 && result.pixel(0, 0)[0] == 255)
    // cos 45° · 4 + sin 45° · 2 = 4.2, so it has five pixels a side, with corners that are not covered.
    let diagonal = try laid { $0.watermarkRotation = 45 }
    #expect(diagonal.pixel(0, 4)[0] == 0 && diagonal.pixel(4, 0)[0] == 0 && diagonal.pixel(2, 2)[0] > 200)
    #expect(diagonal.pixel(6, 6)[0] == 0)
  }

  @Test("The shadow of a watermark is around it, and does not move it")
  func shadows() throws {
    let white = Bitmap.even(.white, 19, 19)
    let mark = Watermark(image: .even(.red, 3, 3), id: "logo")
    let result = try RenditionProcessorTests.rendition(of: white, watermark: mark) {
      $0.watermark = .init(opacity: 1)
      $0.watermarkShadow = 2
    }
    #expect(result.size == [19, 19])
    for x in 8...10 { #expect(result.pixel(x, 9) == [255, 0, 0, 255]) }
    // Darker near the watermark, and white from three standard deviations on.
    let row = (10...18).map { Int(result.pixel($0, 9)[1]) }
    #expect(row[1] < 255 && row[1] < row[2] && row[2] < row[4] && row[8] == 255)
    for y in 0..<19 {
      for x in 0..<19 where !(8...10).contains(x) || !(8...10).contains(y) {
        let pixel = result.pixel(x, y)
        #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255)
      }
    }
    // At an edge, the shadow is cut off.
    let corner = try RenditionProcessorTests.rendition(of: white, watermark: mark) {
      $0.watermark = .init(opacity: 1, position: .at(.northWest))
      $0.watermarkShadow = 2
    }
    #expect(corner.pixel(0, 0) == [255, 0, 0, 255] && corner.pixel(2, 2) == [255, 0, 0, 255])
    #expect(corner.pixel(3, 1)[0] < 255)
  }

  @Test("The shadow of a repeated watermark reaches as far as the next one, so that small ones are drawn in time")
  func repeatedShadows() throws {
    let white = Bitmap.even(.white, 21, 21)
    func drawn(_ side: Int, shadow: Double, on base: Bitmap) throws -> Bitmap {
      try RenditionProcessorTests.rendition(
        of: base, watermark: Watermark(image: .even(.red, side, side), id: "logo")
      ) {
        $0.watermark = .init(opacity: 1, position: .repeated, offset: .init(4, 4))
        $0.watermarkShadow = shadow
      }
    }
    // The step is 7 pixels.
    let limited = try drawn(3, shadow: 100, on: white)
    #expect(limited.pixelBytes == (try drawn(3, shadow: 7.0 / 3, on: white)).pixelBytes)
    #expect(limited.pixelBytes != (try drawn(3, shadow: 1, on: white)).pixelBytes)
    #expect(limited.pixel(10, 10) == [255, 0, 0, 255])
    // 120,000 watermarks. With shadows of 601 pixels a side, they would take hours.
    let dense = try RenditionProcessorTests.rendition(
      of: .even(.white, 400, 300), watermark: Watermark(image: .even(.red, 1, 1), id: "dot")
    ) {
      $0.watermark = .init(opacity: 1, position: .repeated)
      $0.watermarkShadow = 100
    }
    #expect(dense.pixel(200, 150)[3] == 255)
  }

  @Test("The shadows of repeated watermarks fall on the image, and on no other watermark")
  func shadowsBelow() throws {
    func drawn(_ position: ImageOptions.Watermark.Position, opacity: Double) throws -> Bitmap {
      try RenditionProcessorTests.rendition(
        of: .even(.white, 21, 21), watermark: Watermark(image: .even(.red, 3, 3), id: "logo")
      ) {
        $0.watermark = .init(opacity: opacity, position: position, offset: .init(4, 4))
        $0.watermarkShadow = 2
      }
    }
    // Three by three watermarks at 2, 9 and 16.
    let opaque = try drawn(.repeated, opacity: 1)
    for (x, y) in [(2, 2), (4, 4), (9, 9), (10, 10), (11, 11), (18, 2), (18, 18)] {
      #expect(opaque.pixel(x, y) == [255, 0, 0, 255], "\(x), \(y)")
    }
    #expect(opaque.pixel(6, 6)[0] < 255 && opaque.pixel(6, 6)[0] == opaque.pixel(6, 6)[1])
    // Half of red, and half of the white of the image: no shadow is seen through it.
    let half = try drawn(.repeated, opacity: 0.5)
    for (x, y) in [(2, 2), (10, 10), (18, 18)] {
      let pixel = half.pixel(x, y)
      #expect(pixel[0] == 255 && (127...128).contains(pixel[1]) && pixel[1] == pixel[2], "\(x), \(y)")
    }
    // The columns of the second row are -2, 5, 12 and 19.
    let chessboard = try drawn(.chessboard, opacity: 1)
    for (x, y) in [(10, 3), (6, 10), (13, 9), (17, 17)] {
      #expect(chessboard.pixel(x, y) == [255, 0, 0, 255], "\(x), \(y)")
    }
  }

  @Test("Opacities are multiplied")
  func opacity() throws {
    let result = try laid(.init(opacity: 0.4, position: .at(.northWest)), opacity: 0.5)
    #expect(result.pixel(0, 0) == [51, 51, 51, 255])
    #expect(result.pixel(5, 5) == [0, 0, 0, 255])
  }

  @Test("An invisible watermark leaves the image unchanged", arguments: [0, -1, Double.nan])
  func invisible(opacity: Double) throws {
    #expect(try laid(.init(opacity: opacity)) === black)
    // A watermark that the server does not have is none.
    #expect(
      try RenditionProcessorTests.rendition(of: black) { $0.watermark = .init(opacity: 1) } === black)
  }

  @Test(
    "Of a watermark with a large offset, one column stays visible", arguments: [1e300, -1e300, .infinity, 500])
  func farAway(offset: Double) throws {
    let result = try laid(.init(opacity: 1, position: .at(.northWest), offset: .init(offset, 0)))
    #expect(lit(result) == (offset > 0 ? [19, 0, 19, 1] : [0, 0, 0, 1]))
  }

  @Test("A watermark whose offset is not a number is not drawn")
  func noOffset() throws {
    let result = try laid(.init(opacity: 1, position: .at(.northWest), offset: .init(.nan, 0)))
    #expect(result.pixelBytes == black.pixelBytes)
  }

  @Test("The scale is a fraction of the result, into which the watermark fits")
  func scale() throws {
    let half = try laid(.init(opacity: 1, position: .at(.northWest), scale: 0.5))
    #expect(lit(half) == [0, 0, 9, 4])
    let whole = try laid(.init(opacity: 1, position: .at(.northWest), scale: 9))
    #expect(lit(whole) == [0, 0, 19, 9])
    let high = Bitmap.even(.white, 2, 4)
    let upright = try laid(.init(opacity: 1, position: .at(.northWest), scale: 1), image: high)
    #expect(lit(upright) == [0, 0, 4, 9])
  }

  @Test("Offsets in pixels are multiplied by the density")
  func density() throws {
    let result = try laid(.init(opacity: 1, position: .at(.northWest), offset: .init(3, 2)), dpr: 2)
    #expect(result.size == [40, 20])
    #expect(lit(result) == [6, 4, 9, 5])
  }

  @Test("A repeated watermark covers the whole image, with one in the center, and the offsets as gaps")
  func repetition() throws {
    let result = try laid(.init(opacity: 1, position: .repeated, offset: .init(2, 1)))
    let expected = Bitmap.painted(20, 10) { x, y in (x + 4) % 6 < 4 && (y + 2) % 3 < 2 ? .white : .black }
    #expect(result.pixelBytes == expected.pixelBytes)
  }

  @Test("In a chessboard pattern, every second row is shifted by half a step")
  func chessboard() throws {
    let result = try laid(.init(opacity: 1, position: .chessboard, offset: .init(4, 1)))
    let expected = Bitmap.painted(20, 10) { x, y in
      let column = (y + 2) / 3 % 2 == 1 ? x + 4 : x
      return column % 8 < 4 && (y + 2) % 3 < 2 ? .white : .black
    }
    #expect(result.pixelBytes == expected.pixelBytes)
  }

  @Test("A watermark that is larger than the image is clipped")
  func large() throws {
    let result = try laid(.init(opacity: 1, position: .at(.center)), image: .even(.white, 100, 100))
    #expect(result.pixelBytes == Bitmap.even(.white, 20, 10).pixelBytes)
  }

  @Test("The watermark's own transparency is kept")
  func transparency() throws {
    let image = Bitmap.painted(4, 2) { x, _ in x < 2 ? .clear : Color.white.withAlphaComponent(0.6) }
    let result = try laid(.init(opacity: 0.5, position: .at(.northWest)), image: image)
    #expect(result.pixel(0, 0) == [0, 0, 0, 255])
    #expect(abs(Int(result.pixel(2, 0)[0]) - 77) <= 1)
  }

  // MARK: By URL

  private func rendered(
    _ renderer: Renderer, _ mark: Data?, opacity: Double = 1, placeholder: ImageOptions.Placeholder? = nil
  ) async throws -> RenderedFile {
    var request = RenditionRequest(source: Rendering.source, format: .png)
    (request.options.watermark, request.options.placeholder) = (.init(opacity: opacity), placeholder)
    request.options.watermarkSource = "https://images.example/logo.png"
    let source = try #require(black.pngData())
    return try await renderer.render(try renderer.plan(for: request, source: source, watermark: mark), in: .rendering)
  }

  @Test("The file of a watermark by URL is drawn as the renderer's own would be", arguments: [1, 0.5])
  func byURL(opacity: Double) async throws {
    let mark = Bitmap.even(.white, 4, 2)
    var settings = RenderSettings()
    settings.watermarkOpacity = opacity
    let other = Watermark(image: .even(.red, 9, 9), id: "other")
    let file = try await rendered(Renderer(settings: settings, watermark: other), mark.pngData(), opacity: 0.8)
    let expected = try laid(.init(opacity: 0.8), image: mark, opacity: opacity)
    #expect(try Rendering.image(file).pixelBytes == expected.pixelBytes)
    let large = try #require(Bitmap.even(.white, 100, 100).pngData())
    #expect(
      try await rendered(Renderer(), large, placeholder: .dominantColor).data == Data("#ffffff".utf8))
  }

  @Test("The memory for a watermark by URL is predicted, and only if it is drawn")
  func memoryOfURL() throws {
    var request = RenditionRequest(source: Rendering.source, format: .png)
    let source = try #require(black.pngData())
    let mark = try #require(Bitmap.even(.white, 100, 50).pngData())
    func bytes() throws(ServingError) -> Int {
      try Renderer().plan(for: request, source: source, watermark: mark).predictedByteCount
    }
    let plain = try bytes()
    request.options.watermark = .init(opacity: 1)
    #expect(try bytes() >= plain + 100 * 50 * 4)
    request.options.isRaw = true
    #expect(try bytes() == 0)
  }

  @Test("A watermark that is no image, or too large, is an error that names it; so is a missing one")
  func badFiles() async throws {
    let mark = try #require(Bitmap.even(.white, 40, 40).pngData())
    var limits = RenderLimits()
    limits.source = CodecLimits(maximumPixelCount: 1000)
    let cases: [(Data?, Renderer, String)] = [
      (Data("text".utf8), Renderer(), "notAnImage"), (mark.prefix(mark.count / 2), Renderer(), "notAnImage"),
      (mark, Renderer(limits: limits), "tooLarge"),
    ]
    for (file, renderer, name) in cases {
      let error = await #expect(throws: ServingError.self) { try await rendered(renderer, file) }
      #expect(error?.name == name && error?.description.contains("Watermark: ") == true)
    }
    #expect(await #expect(throws: ServingError.self) { try await rendered(Renderer(), nil) }?.name == "failed")
  }
}
