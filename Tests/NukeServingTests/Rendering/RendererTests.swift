import Foundation
import Nuke
import NukeCodecs
import NukeImaging
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Rendering of files")
struct RendererTests {
  static let source = URL(string: "local:///image")!

  static func render(
    _ data: Data, with renderer: Renderer = Renderer(), as format: ImageFormat? = nil,
    in pipeline: ImagePipeline = .rendering, _ ask: (inout ImageOptions) -> Void = { _ in }
  ) async throws(ServingError) -> RenderedFile {
    let request = RenditionRequest(source: Self.source, options: ImageOptions(ask), format: format)
    return try await renderer.render(try renderer.plan(for: request, source: data), in: pipeline)
  }

  static func image(_ file: RenderedFile) throws -> Bitmap {
    let reader = try ImageReaders.reader(for: file.data)
    #expect(file.contentType == reader.header.format.mediaType)
    return try reader.decode(DecodeOptions())
  }

  static func encoded(_ image: Bitmap, as format: ImageFormat) throws -> Data {
    try ImageWriters.writer(for: format, options: EncodeOptions(isLossless: true)).encode(image)
  }

  // MARK: Formats

  @Test("An image keeps a format that every client supports", arguments: [ImageFormat.jpeg, .png, .gif])
  func ownFormat(format: ImageFormat) async throws {
    let data = try Self.encoded(SampleImage.bitmap(width: 32, height: 16), as: format)
    let file = try await Self.render(data) { $0.width = 8 }
    #expect(file.contentType == format.mediaType)
    #expect(try Self.image(file).size == [8, 4])
  }

  @Test("A file states the sizes of the upright source and the result, unless it is text or the source")
  func sizes() async throws {
    let data = SampleImage.png(width: 32, height: 16)
    for renderer in [Renderer(), Self.banded] {
      let plain = try await Self.render(data, with: renderer) { $0.width = 8 }
      #expect(plain.sizes == RenditionSizes(sourceWidth: 32, sourceHeight: 16, width: 8, height: 4))
      let turned = try await Self.render(data, with: renderer) { ($0.width, $0.rotation) = (8, 90) }
      #expect(turned.sizes == RenditionSizes(sourceWidth: 32, sourceHeight: 16, width: 8, height: 16))
    }
    #expect(try await Self.render(data) { $0.isRaw = true }.sizes == nil)
    #expect(try await Self.render(data) { $0.placeholder = .dominantColor }.sizes == nil)
  }

  private static let banded: Renderer = {
    var renderer = Renderer()
    renderer.leastPixelCountOfBands = 1
    return renderer
  }()

  @Test("An image is written in the requested format", arguments: [ImageFormat.jpeg, .png, .webp, .gif, .bmp])
  func otherFormat(format: ImageFormat) async throws {
    let image = SampleImage.bitmap(width: 32, height: 16)
    let file = try await Self.render(SampleImage.png(width: 32, height: 16), as: format)
    #expect(file.contentType == format.mediaType)
    let result = try Self.image(file)
    #expect(result.size == [32, 16])
    if format == .bmp || format == .png { #expect(result.pixelBytes == image.pixelBytes) }
    // The option is for those who negotiate nothing.
    #expect(try await Self.render(SampleImage.png(width: 32, height: 16)) { $0.format = format } == file)
  }

  @Test("An image of another format becomes JPEG, or PNG with transparency", arguments: [true, false])
  func chosenFormat(isOpaque: Bool) async throws {
    let image = SampleImage.bitmap(width: 16, height: 16, isOpaque: isOpaque)
    for data in [
      try Self.encoded(image, as: .ico), try Self.encoded(image, as: .webp), try Self.encoded(image, as: .bmp),
    ] {
      let file = try await Self.render(data)
      #expect(file.contentType == (isOpaque ? "image/jpeg" : "image/png"))
    }
  }

  @Test("A format that this build cannot write is rejected")
  func notBuilt() async {
    await #expect(throws: ServingError.cannotWrite("HEIC")) {
      try await Self.render(SampleImage.png(width: 4, height: 4), as: .heic)
    }
  }

  @Test("A JPEG is blended over the background, or over white")
  func flattening() async throws {
    let clear = try #require(Bitmap.even(.clear, 16, 16).pngData())
    let white = try Self.image(try await Self.render(clear, as: .jpeg))
    #expect(white.pixel(8, 8) == [255, 255, 255, 255])
    let blue = try Self.image(try await Self.render(clear, as: .jpeg) { $0.background = .blue })
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
    let first = try await Self.render(data, as: format, ask)
    #expect(try await Self.render(data, as: format, ask) == first)
  }

  // MARK: Quality

  @Test("The URL's quality takes precedence over the format's, and that over the server's")
  func quality() {
    var settings = RenderSettings()
    #expect(settings.quality(of: .jpeg, ImageOptions()) == 0.8)
    #expect(settings.quality(of: .tiff, ImageOptions()) == 0.8)
    settings.qualities[.jpeg] = 70
    #expect(settings.quality(of: .jpeg, ImageOptions()) == 0.7)
    #expect(settings.quality(of: .jpeg, ImageOptions { $0.formatQuality = [.jpeg: 60] }) == 0.6)
    #expect(settings.quality(of: .webp, ImageOptions { $0.formatQuality = [.jpeg: 60] }) == 0.79)
    #expect(
      settings.quality(
        of: .jpeg,
        ImageOptions {
          $0.formatQuality = [.jpeg: 60]
          $0.quality = 50
        }) == 0.5)
    #expect(settings.quality(of: .jpeg, ImageOptions { $0.quality = 900 }) == 1)
  }

  @Test("A lower quality makes a smaller file", arguments: [ImageFormat.jpeg, .webp])
  func lowQuality(format: ImageFormat) async throws {
    let data = SampleImage.png(width: 100, height: 100)
    let good = try await Self.render(data, as: format) { $0.quality = 90 }
    let bad = try await Self.render(data, as: format) { $0.quality = 10 }
    #expect(bad.data.count < good.data.count)
  }

  @Test("A file has at most the requested size, and is not much smaller", arguments: [ImageFormat.jpeg, .webp])
  func maximumBytes(format: ImageFormat) async throws {
    let data = SampleImage.png(width: 120, height: 120)
    let free = try await Self.render(data, as: format).data.count
    let limit = free / 2
    let file = try await Self.render(data, as: format) { $0.maximumBytes = limit }
    #expect(file.data.count <= limit)
    // The next better quality would be too large.
    let qualities = 1...80
    let sizes = try await qualities.asyncMap { quality in
      try await Self.render(data, as: format) { $0.quality = quality }.data.count
    }
    #expect(file.data.count == sizes.filter { $0 <= limit }.max())
  }

  @Test("A file that cannot reach the size has the lowest quality")
  func impossibleBytes() async throws {
    let data = SampleImage.png(width: 50, height: 50)
    let file = try await Self.render(data, as: .jpeg) { $0.maximumBytes = 10 }
    #expect(file == (try await Self.render(data, as: .jpeg) { $0.quality = 1 }))
    // What has no quality ignores it.
    #expect(try await Self.render(data) { $0.maximumBytes = 10 } == (try await Self.render(data)))
  }

  @Test("The colors of a palette are unchanged if no pixels are blended")
  func palette() async throws {
    let image = Bitmap.painted(40, 40) { x, y in [Color.red, .green, .blue, .white][(x / 5 + y / 5) % 4] }
    let gif = try Self.encoded(image, as: .gif)
    let file = try await Self.render(gif, as: .webp)
    #expect(try Self.image(file).pixelBytes == image.pixelBytes)
    let lossy = try await Self.render(gif, as: .webp) { $0.quality = 30 }
    #expect(try Self.image(lossy).pixelBytes != image.pixelBytes)
  }

  @Test("JPEG is progressive if the server is configured for it", arguments: [true, false])
  func progressive(isProgressive: Bool) async throws {
    var settings = RenderSettings()
    settings.writesProgressiveJPEG = isProgressive
    let file = try await Self.render(SampleImage.jpeg(width: 64, height: 64), with: Renderer(settings: settings))
    #expect(try ImageReaders.reader(for: file.data).header.isProgressive == isProgressive)
    // A URL may say otherwise.
    let other = try await Self.render(SampleImage.jpeg(width: 64, height: 64), with: Renderer(settings: settings)) {
      $0.isProgressive = !isProgressive
    }
    #expect(try ImageReaders.reader(for: other.data).header.isProgressive == !isProgressive)
  }

  @Test("PNG has at most the number of colors of the URL")
  func colorCount() async throws {
    let data = SampleImage.png(width: 60, height: 60)
    let file = try await Self.render(data, as: .png) { $0.maximumColorCount = 16 }
    #expect(try ImageReaders.reader(for: file.data).header.colorModel == .indexed)
    #expect(try Self.image(file).distinctColorCount <= 16)
    #expect(try Self.image(try await Self.render(data, as: .png)).distinctColorCount > 16)
  }

  @Test("WebP is lossless or lossy as the URL says")
  func losslessWebP() async throws {
    let image = try Self.image(RenderedFile(data: SampleImage.png(width: 40, height: 40), contentType: "image/png"))
    let data = try Self.encoded(image, as: .png)
    let exact = try await Self.render(data, as: .webp) { $0.isLosslessWebP = true }
    #expect(try Self.image(exact).pixelBytes == image.pixelBytes)
    let lossy = try await Self.render(try Self.encoded(image, as: .gif), as: .webp) { $0.isLosslessWebP = false }
    #expect(lossy.data.range(of: Data("VP8L".utf8)) == nil)
  }

  @Test("JPEG keeps the full resolution of chroma if the URL says so")
  func chromaSubsampling() async throws {
    let data = SampleImage.png(width: 64, height: 64)
    for (subsampling, factors) in [(ChromaSubsampling.yuv420, UInt8(0x22)), (.yuv444, 0x11)] {
      let file = try await Self.render(data, as: .jpeg) { $0.chromaSubsampling = [.jpeg: subsampling] }
      let frame = try #require(file.data.firstRange(of: Data([0xFF, 0xC0]))).upperBound
      #expect(file.data[frame + 9] == factors)
    }
  }

  @Test("Renderers with different settings have different identifiers")
  func identifiers() {
    let changes: [(inout RenderLimits, inout RenderSettings) -> Void] = [
      { _, _ in }, { limits, _ in limits.maximumAnimationFrames = 1 },
      { limits, _ in limits.maximumAnimationPixels = 1 }, { _, settings in settings.qualities[.jpeg] = 1 },
      { _, settings in settings.writesProgressiveJPEG.toggle() }, { _, settings in settings.stripsMetadata.toggle() },
      { _, settings in settings.keepsCopyright.toggle() }, { _, settings in settings.keepsLocation.toggle() },
      { _, settings in settings.sendsSVG.toggle() }, { _, settings in settings.efforts[.webp] = 1 },
      { _, settings in settings.efforts[.webp] = 0 }, { _, settings in settings.longestSide = 9 },
      { _, settings in settings.usesThumbnails = true }, { _, settings in settings.watermarkOpacity = 0.5 },
    ]
    var names = Set<String>()
    for change in changes {
      var (limits, settings) = (RenderLimits(), RenderSettings())
      change(&limits, &settings)
      names.insert(Renderer(limits: limits, settings: settings).identifier)
    }
    for opacity in [0.5, 1] {
      names.insert(Renderer(watermark: Watermark(image: .even(.red, 1, 1), id: "a", opacity: opacity)).identifier)
    }
    #expect(names.count == changes.count + 2)
    // What is only refused makes no other files.
    var limits = RenderLimits()
    limits.maximumSourceBytes = 1
    #expect(names.contains(Renderer(limits: limits).identifier))
  }

  @Test("More effort makes a smaller file")
  func effort() async throws {
    let data = SampleImage.png(width: 200, height: 150)
    var sizes: [Int] = []
    for effort in [0, 1.0] {
      var settings = RenderSettings()
      settings.efforts = [.png: effort]
      sizes.append(try await Self.render(data, with: Renderer(settings: settings)).data.count)
    }
    #expect(sizes[1] < sizes[0])
  }

  @Test("The smallest file of all accepted formats is sent")
  func bestFormat() async throws {
    let photo = SampleImage.png(width: 120, height: 90)
    for formats in [[ImageFormat.jpeg, .png], [.webp, .jpeg, .png], [.png]] {
      let best = try await Self.render(photo) { $0.bestFormats = formats }
      var sizes: [Int] = []
      for format in formats { sizes.append(try await Self.render(photo, as: format).data.count) }
      #expect(best.data.count == sizes.min())
    }
    // JPEG has no transparency.
    let clear = SampleImage.png(width: 120, height: 90, isOpaque: false)
    #expect(try await Self.render(clear) { $0.bestFormats = [.jpeg, .png] }.contentType == "image/png")
    let moving = try MovingRenditionTests.file(.gif)
    #expect(try await Self.render(moving) { $0.bestFormats = [.png, .gif] }.contentType == "image/gif")
  }

  @Test("The quality is the lowest with the requested similarity, within the given limits")
  func similarity() async throws {
    let data = SampleImage.png(width: 160, height: 120)
    let image = try ImageReaders.reader(for: data).decode(DecodeOptions())
    func similarity(_ ask: (inout ImageOptions) -> Void) async throws -> (size: Int, similarity: Double) {
      let file = try await Self.render(data, as: .jpeg, ask)
      return (file.data.count, try #require(try Self.image(file).structuralSimilarity(to: image)))
    }
    let high = try await similarity { $0.autoQuality = .init(.similarity(0.99), tolerance: 0) }
    let low = try await similarity { $0.autoQuality = .init(.similarity(0.9), tolerance: 0) }
    #expect(high.similarity >= 0.99 && low.similarity >= 0.9)
    #expect(low.size < high.size)
    let limited = try await similarity { $0.autoQuality = .init(.similarity(0.999), qualities: 10...20) }
    #expect(try await Self.render(data, as: .jpeg) { $0.quality = 20 }.data.count == limited.size)
  }

  @Test("The quality is the highest with the requested size, within the given limits")
  func size() async throws {
    let data = SampleImage.png(width: 160, height: 120)
    let full = try await Self.render(data, as: .jpeg) { $0.quality = 100 }.data.count
    let file = try await Self.render(data, as: .jpeg) { $0.autoQuality = .init(.size(full / 2)) }
    #expect(file.data.count <= full / 2)
    let least = try await Self.render(data, as: .jpeg) { $0.autoQuality = .init(.size(1), qualities: 40...90) }
    #expect(try await Self.render(data, as: .jpeg) { $0.quality = 40 }.data == least.data)
  }

  // MARK: Limits

  @Test("Frames with too many pixels are rejected if the URL limits them, and still images are not")
  func framePixels() async throws {
    let moving = try MovingRenditionTests.file(.gif)
    #expect(try Self.image(try await Self.render(moving) { $0.limits.framePixels = 200 }).size == [20, 10])
    await #expect { try await Self.render(moving) { $0.limits.framePixels = 199 } } throws: {
      ($0 as? ServingError)?.status == 422
    }
    let still = SampleImage.png(width: 20, height: 10)
    #expect(try Self.image(try await Self.render(still) { $0.limits.framePixels = 199 }).size == [20, 10])
  }

  @Test("The limits of a URL are lower than those of the server")
  func ownLimits() async throws {
    let data = SampleImage.png(width: 100, height: 50)
    for change: @Sendable (inout ImageOptions) -> Void in [
      { $0.limits.sourcePixels = 4999 }, { $0.limits.sourceBytes = data.count - 1 },
    ] {
      await #expect { try await Self.render(data, change) } throws: { ($0 as? ServingError)?.status == 422 }
    }
    let file = try await Self.render(data) {
      $0.limits.sourcePixels = 5000
      $0.limits.sourceBytes = data.count
    }
    #expect(try Self.image(file).size == [100, 50])
    var limits = RenderLimits()
    limits.source = CodecLimits(maximumPixelCount: 4000)
    await #expect {
      try await Self.render(data, with: Renderer(limits: limits)) { $0.limits.sourcePixels = 9000 }
    } throws: { ($0 as? ServingError)?.status == 422 }
  }

  @Test("A result with too long a side is scaled down, with its canvas and padding")
  func resultSide() async throws {
    let data = SampleImage.png(width: 200, height: 100)
    func size(_ ask: (inout ImageOptions) -> Void) async throws -> [Int] {
      try Self.image(try await Self.render(data, ask)).size
    }
    #expect(try await size { $0.limits.resultSide = 200 } == [200, 100])
    #expect(try await size { $0.limits.resultSide = 50 } == [50, 25])
    #expect(
      try await size {
        $0.limits.resultSide = 60
        $0.padding = .init(top: 10, right: 50, bottom: 10, left: 50)
      } == [60, 24])
    #expect(
      try await size {
        $0.limits.resultSide = 80
        $0.enlarges = true
        $0.width = 5000
      } == [80, 40])
  }

  @Test(
    "A result that would be larger than its source is scaled down from the source's size", arguments: [1, 0.9, 8],
    [201, 300, 5000])
  func resultSideOfSmallSource(dpr: Double, width: Int) async throws {
    let data = SampleImage.png(width: 200, height: 100)
    let file = try await Self.render(data) {
      $0.limits.resultSide = 80
      $0.width = width
      $0.dpr = dpr
    }
    #expect(try Self.image(file).size == [80, 40])
  }

  @Test("An icon has at most 256 pixels a side")
  func icon() async throws {
    let file = try await Self.render(SampleImage.png(width: 600, height: 300), as: .ico)
    #expect(try Self.image(file).size == [256, 128])
  }

  // MARK: Decoding

  @Test("A JPEG is decoded at the smallest sufficient size")
  func reducedDecoding() async throws {
    let data = SampleImage.jpeg(width: 800, height: 600)
    func plan(_ ask: (inout ImageOptions) -> Void) throws -> RenderPlan {
      var limits = RenderLimits()
      limits.maximumTrimmingBytes = 100_000_000
      let request = RenditionRequest(source: Self.source, options: ImageOptions(ask))
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
    let upright = try await Self.render(data, as: .png) { $0.width = 0 }
    let expected = try ImageReaders.reader(for: data).decode(DecodeOptions())
    #expect(try Self.image(upright).pixelBytes == expected.pixelBytes)
    let stored = try await Self.render(data, as: .png) { $0.autoRotates = false }
    #expect(
      try Self.image(stored).pixelBytes
        == ImageReaders.reader(for: data).decode(DecodeOptions(orientation: .up)).pixelBytes)
    let small = try await Self.render(data, as: .png) {
      $0.autoRotates = false
      $0.width = 8
    }
    #expect(try Self.image(small).size == [8, 4])
    let smallUpright = try await Self.render(data, as: .png) { $0.width = 8 }
    #expect(try Self.image(smallUpright).pixelHeight == (orientation.swapsAxes ? 16 : 4))
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
    let raw = try await Self.render(data, as: .png) {
      $0.isRaw = true
      $0.width = 4
    }
    #expect(raw == RenderedFile(data: data, contentType: "image/jpeg"))
    let skipped = try await Self.render(data) { $0.skippedFormats = [.jpeg] }
    #expect(skipped.data == data)
    // Another format has to be made.
    #expect(try await Self.render(data, as: .png) { $0.skippedFormats = [.jpeg] }.contentType == "image/png")
    #expect(try await Self.render(data) { $0.skippedFormats = [.png] }.data != data)
  }

  @Test("Data that is not an image is not sent, not even raw", arguments: [true, false])
  func noImage(isRaw: Bool) async {
    for text in ["<html><script>alert(1)</script></html>", "", "{}", "%PDF-1.7", "MZ"] {
      await #expect(throws: ServingError.self) {
        try await Self.render(Data(text.utf8)) { $0.isRaw = isRaw }
      }
    }
  }

  @Test("An SVG is not sent unchanged unless the server allows it")
  func rawSVG() throws {
    let svg = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
    let request = RenditionRequest(source: Self.source, options: ImageOptions { $0.isRaw = true })
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
    let file = try await Self.render(try Self.encoded(image, as: .png)) { $0.placeholder = placeholder }
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

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
