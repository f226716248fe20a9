import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Encoding of files")
struct RenditionEncodingTests {
  @Test("The URL's quality takes precedence over the format's, and that over the server's")
  func quality() {
    var settings = RenderSettings()
    #expect(settings.quality(of: .jpeg, ImageOptions()) == 0.8)
    #expect(settings.quality(of: .tiff, ImageOptions()) == 0.8)
    settings.qualities[.jpeg] = 70
    #expect(settings.quality(of: .jpeg, ImageOptions()) == 0.7)
    #expect(settings.quality(of: .jpeg, ImageOptions { $0.formatQuality = [.jpeg: 60] }) == 0.6)
    // On the scale of libwebp.
    settings.qualities[.webp] = 84
    #expect(settings.quality(of: .webp, ImageOptions { $0.formatQuality = [.jpeg: 60] }) == 0.8)
    #expect(settings.quality(of: .webp, ImageOptions { $0.formatQuality = [.webp: 50] }) == 0.5)
    #expect(settings.quality(of: .webp, ImageOptions { $0.quality = 70 }) == 0.7)
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
    let good = try await Rendering.render(data, as: format) { $0.quality = 90 }
    let bad = try await Rendering.render(data, as: format) { $0.quality = 10 }
    #expect(bad.data.count < good.data.count)
  }

  @Test("A file has at most the requested size, and is not much smaller", arguments: [ImageFormat.jpeg, .webp])
  func maximumBytes(format: ImageFormat) async throws {
    let data = SampleImage.png(width: 120, height: 120)
    let free = try await Rendering.render(data, as: format).data.count
    let limit = free / 2
    let file = try await Rendering.render(data, as: format) { $0.maximumBytes = limit }
    #expect(file.data.count <= limit)
    // The next better quality would be too large.
    let qualities = 1...80
    let sizes = try await qualities.asyncMap { quality in
      try await Rendering.render(data, as: format) { $0.quality = quality }.data.count
    }
    #expect(file.data.count == sizes.filter { $0 <= limit }.max())
  }

  @Test("A file that cannot reach the size has the lowest quality")
  func impossibleBytes() async throws {
    let data = SampleImage.png(width: 50, height: 50)
    let file = try await Rendering.render(data, as: .jpeg) { $0.maximumBytes = 10 }
    #expect(file == (try await Rendering.render(data, as: .jpeg) { $0.quality = 1 }))
    // What has no quality ignores it.
    #expect(try await Rendering.render(data) { $0.maximumBytes = 10 } == (try await Rendering.render(data)))
  }

  @Test("The colors of a palette are unchanged if no pixels are blended")
  func palette() async throws {
    let image = Bitmap.painted(40, 40) { x, y in [Color.red, .green, .blue, .white][(x / 5 + y / 5) % 4] }
    let gif = try Rendering.encoded(image, as: .gif)
    let file = try await Rendering.render(gif, as: .webp)
    #expect(try Rendering.image(file).pixelBytes == image.pixelBytes)
    let lossy = try await Rendering.render(gif, as: .webp) { $0.quality = 30 }
    #expect(try Rendering.image(lossy).pixelBytes != image.pixelBytes)
  }

  @Test("JPEG is progressive if the server is configured for it", arguments: [true, false])
  func progressive(isProgressive: Bool) async throws {
    var settings = RenderSettings()
    settings.writesProgressiveJPEG = isProgressive
    let file = try await Rendering.render(SampleImage.jpeg(width: 64, height: 64), with: Renderer(settings: settings))
    #expect(try ImageReaders.reader(for: file.data).header.isProgressive == isProgressive)
    // A URL may say otherwise.
    let other = try await Rendering.render(SampleImage.jpeg(width: 64, height: 64), with: Renderer(settings: settings))
    {
      $0.isProgressive = !isProgressive
    }
    #expect(try ImageReaders.reader(for: other.data).header.isProgressive == !isProgressive)
  }

  @Test("PNG has at most the number of colors of the URL")
  func colorCount() async throws {
    let data = SampleImage.png(width: 60, height: 60)
    let file = try await Rendering.render(data, as: .png) { $0.maximumColorCount = 16 }
    #expect(try ImageReaders.reader(for: file.data).header.colorModel == .indexed)
    #expect(try Rendering.image(file).distinctColorCount <= 16)
    #expect(try Rendering.image(try await Rendering.render(data, as: .png)).distinctColorCount > 16)
  }

  @Test("WebP is lossless or lossy as the URL says")
  func losslessWebP() async throws {
    let image = try Rendering.image(
      RenderedFile(data: SampleImage.png(width: 40, height: 40), contentType: "image/png"))
    let data = try Rendering.encoded(image, as: .png)
    let exact = try await Rendering.render(data, as: .webp) { $0.isLosslessWebP = true }
    #expect(try Rendering.image(exact).pixelBytes == image.pixelBytes)
    let lossy = try await Rendering.render(try Rendering.encoded(image, as: .gif), as: .webp) {
      $0.isLosslessWebP = false
    }
    #expect(lossy.data.range(of: Data("VP8L".utf8)) == nil)
  }

  @Test("JPEG keeps the full resolution of chroma if the URL says so")
  func chromaSubsampling() async throws {
    let data = SampleImage.png(width: 64, height: 64)
    for (subsampling, factors) in [(ChromaSubsampling.yuv420, UInt8(0x22)), (.yuv444, 0x11)] {
      let file = try await Rendering.render(data, as: .jpeg) { $0.chromaSubsampling = [.jpeg: subsampling] }
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
      sizes.append(try await Rendering.render(data, with: Renderer(settings: settings)).data.count)
    }
    #expect(sizes[1] < sizes[0])
  }

  @Test("The smallest file of all accepted formats is sent")
  func bestFormat() async throws {
    let photo = SampleImage.png(width: 120, height: 90)
    for formats in [[ImageFormat.jpeg, .png], [.webp, .jpeg, .png], [.png]] {
      let best = try await Rendering.render(photo) { $0.bestFormats = formats }
      var sizes: [Int] = []
      for format in formats { sizes.append(try await Rendering.render(photo, as: format).data.count) }
      #expect(best.data.count == sizes.min())
    }
    // JPEG has no transparency.
    let clear = SampleImage.png(width: 120, height: 90, isOpaque: false)
    #expect(try await Rendering.render(clear) { $0.bestFormats = [.jpeg, .png] }.contentType == "image/png")
    let moving = try MovingRenditionTests.file(.gif)
    #expect(try await Rendering.render(moving) { $0.bestFormats = [.png, .gif] }.contentType == "image/gif")
  }

  @Test("The quality is the lowest with the requested similarity, within the given limits")
  func similarity() async throws {
    let data = SampleImage.png(width: 160, height: 120)
    let image = try ImageReaders.reader(for: data).decode(DecodeOptions())
    func similarity(_ ask: (inout ImageOptions) -> Void) async throws -> (size: Int, similarity: Double) {
      let file = try await Rendering.render(data, as: .jpeg, ask)
      return (file.data.count, try #require(try Rendering.image(file).structuralSimilarity(to: image)))
    }
    let high = try await similarity { $0.autoQuality = .init(.similarity(0.99), tolerance: 0) }
    let low = try await similarity { $0.autoQuality = .init(.similarity(0.9), tolerance: 0) }
    #expect(high.similarity >= 0.99 && low.similarity >= 0.9)
    #expect(low.size < high.size)
    let limited = try await similarity { $0.autoQuality = .init(.similarity(0.999), qualities: 10...20) }
    #expect(try await Rendering.render(data, as: .jpeg) { $0.quality = 20 }.data.count == limited.size)
  }

  @Test("The quality is the highest with the requested size, within the given limits")
  func size() async throws {
    let data = SampleImage.png(width: 160, height: 120)
    let full = try await Rendering.render(data, as: .jpeg) { $0.quality = 100 }.data.count
    let file = try await Rendering.render(data, as: .jpeg) { $0.autoQuality = .init(.size(full / 2)) }
    #expect(file.data.count <= full / 2)
    let least = try await Rendering.render(data, as: .jpeg) { $0.autoQuality = .init(.size(1), qualities: 40...90) }
    #expect(try await Rendering.render(data, as: .jpeg) { $0.quality = 40 }.data == least.data)
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
