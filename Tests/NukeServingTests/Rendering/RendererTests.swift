import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Rendering of files")
struct RendererTests {
  // MARK: Formats

  @Test("An image keeps a format that every client supports", arguments: [ImageFormat.jpeg, .png, .gif])
  func ownFormat(format: ImageFormat) async throws {
    let data = try Rendering.encoded(SampleImage.bitmap(width: 32, height: 16), as: format)
    let file = try await Rendering.render(data) { $0.width = 8 }
    #expect(file.contentType == format.mediaType)
    #expect(try Rendering.image(file).size == [8, 4])
  }

  @Test("A file states the sizes of the upright source and the result, unless it is text or the source")
  func sizes() async throws {
    let data = SampleImage.png(width: 32, height: 16)
    for renderer in [Renderer(), Self.banded] {
      let plain = try await Rendering.render(data, with: renderer) { $0.width = 8 }
      #expect(plain.sizes == RenditionSizes(sourceWidth: 32, sourceHeight: 16, width: 8, height: 4))
      let turned = try await Rendering.render(data, with: renderer) { ($0.width, $0.rotation) = (8, 90) }
      #expect(turned.sizes == RenditionSizes(sourceWidth: 32, sourceHeight: 16, width: 8, height: 16))
    }
    #expect(try await Rendering.render(data) { $0.isRaw = true }.sizes == nil)
    #expect(try await Rendering.render(data) { $0.placeholder = .dominantColor }.sizes == nil)
  }

  private static let banded: Renderer = {
    var renderer = Renderer()
    renderer.leastPixelCountOfBands = 1
    return renderer
  }()

  @Test("An image is written in the requested format", arguments: [ImageFormat.jpeg, .png, .webp, .gif, .bmp])
  func otherFormat(format: ImageFormat) async throws {
    let image = SampleImage.bitmap(width: 32, height: 16)
    let file = try await Rendering.render(SampleImage.png(width: 32, height: 16), as: format)
    #expect(file.contentType == format.mediaType)
    let result = try Rendering.image(file)
    #expect(result.size == [32, 16])
    if format == .bmp || format == .png { #expect(result.pixelBytes == image.pixelBytes) }
    // The option is for those who negotiate nothing.
    #expect(try await Rendering.render(SampleImage.png(width: 32, height: 16)) { $0.format = format } == file)
  }

  @Test("An image of another format becomes JPEG, or PNG with transparency", arguments: [true, false])
  func chosenFormat(isOpaque: Bool) async throws {
    let image = SampleImage.bitmap(width: 16, height: 16, isOpaque: isOpaque)
    for data in [
      try Rendering.encoded(image, as: .ico), try Rendering.encoded(image, as: .webp),
      try Rendering.encoded(image, as: .bmp),
    ] {
      let file = try await Rendering.render(data)
      #expect(file.contentType == (isOpaque ? "image/jpeg" : "image/png"))
    }
  }

  @Test(
    "The preferred formats replace JPEG, PNG and GIF",
    arguments: [
      ([.webp], .jpeg, true, .webp), ([.webp], .webp, false, .webp), ([.jpeg, .webp], .bmp, true, .jpeg),
      ([.jpeg, .webp], .png, false, .webp), ([.jpeg, .webp], .gif, true, .jpeg), ([.jpeg], .png, false, .jpeg),
      ([.png, .jpeg], .bmp, true, .png), ([.bmp, .png], .bmp, true, .bmp),
    ] as [([ImageFormat], ImageFormat, Bool, ImageFormat)])
  func preferredFormats(preferred: [ImageFormat], source: ImageFormat, isOpaque: Bool, format: ImageFormat) async throws
  {
    var settings = RenderSettings()
    settings.preferredFormats = preferred
    let image = SampleImage.bitmap(width: 16, height: 8, isOpaque: isOpaque)
    let data = try Rendering.encoded(image, as: source)
    let renderer = Renderer(settings: settings)
    #expect(try await Rendering.render(data, with: renderer).contentType == format.mediaType)
    #expect(renderer.identifier != Renderer().identifier)
  }

  @Test("A source in a skipped format is sent unless the URL names another one, whatever the client accepts")
  func skippedFormats() async throws {
    let data = try Rendering.encoded(SampleImage.bitmap(width: 8, height: 8), as: .gif)
    for (named, isSent) in [(nil, true), (.gif, true), (.png, false)] as [(ImageFormat?, Bool)] {
      let file = try await Rendering.render(data, as: .webp) { ($0.skippedFormats, $0.format) = ([.gif], named) }
      #expect((file.data == data) == isSent, "\(String(describing: named))")
      #expect(file.contentType == (isSent ? "image/gif" : "image/webp"))
    }
  }

  @Test("PNG has the number of colors of the settings unless the URL has another one")
  func colorsOfPNG() async throws {
    var settings = RenderSettings()
    settings.colorCountOfPNG = 16
    let (renderer, data) = (Renderer(settings: settings), SampleImage.png(width: 64, height: 64))
    func colors(_ count: Int?, as format: ImageFormat = .png) async throws -> Int {
      try Rendering.image(
        try await Rendering.render(data, with: renderer, as: format) { $0.maximumColorCount = count }
      ).distinctColorCount
    }
    #expect(try await colors(nil) <= 16)
    #expect(try await colors(4) <= 4)
    let (all, own) = (try await colors(0), try #require(Bitmap(data: data)).distinctColorCount)
    #expect(all == own && all > 16)
    #expect(try await colors(nil, as: .gif) > 16)
    #expect(renderer.identifier != Renderer().identifier)
  }

  @Test("A format that this build cannot write is rejected")
  func notBuilt() async {
    await #expect(throws: ServingError.cannotWrite("HEIC")) {
      try await Rendering.render(SampleImage.png(width: 4, height: 4), as: .heic)
    }
  }

  @Test("A JPEG is blended over the background, or over white")
  func flattening() async throws {
    let clear = try #require(Bitmap.even(.clear, 16, 16).pngData())
    let white = try Rendering.image(try await Rendering.render(clear, as: .jpeg))
    #expect(white.pixel(8, 8) == [255, 255, 255, 255])
    let blue = try Rendering.image(try await Rendering.render(clear, as: .jpeg) { $0.background = .blue })
    let pixel = blue.pixel(8, 8)
    #expect(pixel[0] < 4 && pixel[1] < 4 && pixel[2] > 250)
  }

  @Test("Equal requests have equal bytes", arguments: [ImageFormat.jpeg, .png, .webp, .gif])
  func reproducible(format: ImageFormat) async throws {
    let data = SampleImage.jpeg(width: 200, height: 150)
    let ask: (inout ImageOptions) -> Void = {
      $0.resizing = .fill
      ($0.width, $0.height) = (64, 64)
      $0.gravity = .init(.smart)
      $0.sharpen = 1
    }
    let first = try await Rendering.render(data, as: format, ask)
    #expect(try await Rendering.render(data, as: format, ask) == first)
  }

  // MARK: Decoding

  @Test("A JPEG is decoded at the smallest sufficient size")
  func reducedDecoding() async throws {
    let data = SampleImage.jpeg(width: 800, height: 600)
    func plan(_ ask: (inout ImageOptions) -> Void) throws -> RenderPlan {
      var limits = RenderLimits()
      limits.maximumTrimmingBytes = 100_000_000
      let request = RenditionRequest(source: Rendering.source, options: ImageOptions(ask))
      return try Renderer(limits: limits).plan(for: request, source: data)
    }
    // The decoded pixels, those that are sampled, and two images of the result's size.
    #expect(try plan { $0.width = 100 }.predictedByteCount == (100 * 75 * 4) * 4)
    #expect(try plan { $0.width = 101 }.predictedByteCount == (200 * 150 + 3 * 101 * 76) * 4)
    #expect(try plan { _ in }.predictedByteCount == 4 * 800 * 600 * 4)
    // An absolute crop is scaled with it.
    #expect(
      try plan {
        $0.crop = .init(width: 400, height: 400)
        $0.width = 100
      }.predictedByteCount == (200 * 150 + 100 * 100 + 3 * 100 * 100) * 4)

    /// Bytes beside all pixels of the source, in which a border is to be found, and what may be cropped of them.
    func trimmed(_ ask: (inout ImageOptions) -> Void) throws -> Int {
      try plan {
        $0.trim = .init(threshold: 1)
        ask(&$0)
      }.predictedByteCount - 2 * 800 * 600 * 4
    }
    #expect(try trimmed { $0.width = 100 } == 3 * 100 * 600 * 4)
    // A strip of one pixel may be left, and become as long as is allowed, but for what is named.
    #expect(try trimmed { ($0.width, $0.enlarges) = (100, true) } == 3 * 100 * 32_768 * 4)
    #expect(try trimmed { ($0.width, $0.enlarges) = (1000, true) } == 100_000_000 - 2 * 800 * 600 * 4)
    #expect(try trimmed { ($0.dpr, $0.enlarges) = (1.5, true) } == 3 * 1200 * 900 * 4)
    #expect(
      try trimmed { ($0.width, $0.height, $0.enlarges, $0.dpr) = (100, 100, true, 2) } == 3 * 200 * 200 * 4)

    let pipeline = ImagePipeline.rendering
    let renderer = Renderer()
    let processor = try renderer.processor(
      for: ImageOptions { $0.width = 100 }, ImageReaders.reader(for: data), isMoving: false)
    let task = pipeline.imageTask(with: ImageRequest(id: "image", data: { data }, processors: [processor]))
    #expect(try await task.response.image.size == [100, 75])
    #expect(task.facts.scaleDenominator == 8)
  }

  @Test("An image is rotated upright unless auto-rotation is disabled", arguments: 1...8)
  func orientations(number: Int) async throws {
    let image = Bitmap.painted(64, 32) { x, y in x < 32 ? (y < 16 ? .red : .green) : (y < 16 ? .blue : .white) }
    let orientation = try #require(Orientation(rawValue: number))
    let data = try Self.jpeg(image, orientation: number)
    let upright = try await Rendering.render(data, as: .png) { $0.width = 0 }
    let expected = try ImageReaders.reader(for: data).decode(DecodeOptions())
    #expect(try Rendering.image(upright).pixelBytes == expected.pixelBytes)
    let stored = try await Rendering.render(data, as: .png) { $0.autoRotates = false }
    #expect(
      try Rendering.image(stored).pixelBytes
        == ImageReaders.reader(for: data).decode(DecodeOptions(orientation: .up)).pixelBytes)
    let small = try await Rendering.render(data, as: .png) {
      $0.autoRotates = false
      $0.width = 8
    }
    #expect(try Rendering.image(small).size == [8, 4])
    let smallUpright = try await Rendering.render(data, as: .png) { $0.width = 8 }
    #expect(try Rendering.image(smallUpright).pixelHeight == (orientation.swapsAxes ? 16 : 4))
  }

  /// A JPEG whose metadata says how it lies.
  static func jpeg(_ image: Bitmap, orientation: Int) throws -> Data {
    var writer = JPEGWriter(quality: 1, subsampling: .yuv444)
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
    writer.metadata = ImageMetadata(exif: Data(Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]))
    return try writer.encode(image)
  }

  // MARK: The source as it is

  @Test("The source is sent unchanged on request")
  func rawSource() async throws {
    let data = SampleImage.jpeg(width: 16, height: 16) + Data("behind".utf8)
    let raw = try await Rendering.render(data, as: .png) {
      $0.isRaw = true
      $0.width = 4
    }
    #expect(raw == RenderedFile(data: data, contentType: "image/jpeg"))
    let skipped = try await Rendering.render(data) { $0.skippedFormats = [.jpeg] }
    #expect(skipped.data == data)
    // Another format has to be made.
    let other = try await Rendering.render(data) { ($0.skippedFormats, $0.format) = ([.jpeg], .png) }
    #expect(other.contentType == "image/png")
    // It does not have to be made if it was only negotiated.
    #expect(try await Rendering.render(data, as: .webp) { $0.skippedFormats = [.jpeg] }.data == data)
    #expect(try await Rendering.render(data) { $0.skippedFormats = [.png] }.data != data)
  }

  @Test("Data that is not an image is not sent, not even raw", arguments: [true, false])
  func noImage(isRaw: Bool) async {
    for text in ["<html><script>alert(1)</script></html>", "", "{}", "%PDF-1.7", "MZ"] {
      await #expect(throws: ServingError.self) {
        try await Rendering.render(Data(text.utf8)) { $0.isRaw = isRaw }
      }
    }
  }

  @Test("An SVG is not sent unchanged unless the server allows it, whether it is compressed or not")
  func rawSVG() throws {
    let plain = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
    // `gzip.compress` of Python gives this for another drawing.
    let compressed = try #require(
      Data(
        base64Encoded: "H4sIAAAAAAACA3XMyQ2AMAwF0VYic48/cENJmgGySGERWJjygQI4z9O480rmXup6esoi"
          + "+8CsqlZ7ux2JOwD8CjJaJsmeOpDJc0lZPLWg4I55lJ9oYqnVUwPECBAH963CA2pWSyxyAAAA"))
    for svg in [plain, compressed] { try expectDrawn(svg) }
  }

  private func expectDrawn(_ svg: Data) throws {
    let request = RenditionRequest(source: Rendering.source, options: ImageOptions { $0.isRaw = true })
    var settings = RenderSettings()
    settings.sendsSVG = true
    #expect(try Renderer(settings: settings).plan(for: request, source: svg).isSourceSent)
    do throws(ServingError) {
      #expect(try Renderer().plan(for: request, source: svg).isSourceSent == false)
    } catch {
      // A build that does not draw it has nothing to send.
      #expect(!ImageFormat.svg.isReadable)
    }
  }

  // MARK: Text

  @Test("A placeholder is sent as text instead of the image", arguments: ImageOptions.Placeholder.allCases)
  func placeholders(placeholder: ImageOptions.Placeholder) async throws {
    let image = Bitmap.even(Color(red: 1, green: 0, blue: 0), 64, 48)
    let file = try await Rendering.render(try Rendering.encoded(image, as: .png)) { $0.placeholder = placeholder }
    #expect(file.contentType == "text/plain; charset=utf-8")
    let text = String(decoding: file.data, as: UTF8.self)
    switch placeholder {
    case .blurHash: #expect(text == (try BlurHash(encoding: image)).string)
    case .thumbHash: #expect(try ThumbHash(text).averageColor.red > 0.9)
    case .dominantColor: #expect(text == "#ff0000")
    case .preview: #expect(text.hasPrefix("data:image/webp;base64,"))
    }
  }
}
