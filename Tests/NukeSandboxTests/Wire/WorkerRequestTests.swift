import Foundation
import NukeCodecs
import NukeImaging
import NukeServing
import Testing

@testable import NukeSandbox

@Suite("Requests to a worker")
struct WorkerRequestTests {
  /// Every field that decides about the file has another value than by default.
  private static let options: ImageOptions = {
    var options = ImageOptions()
    options.resizing = .fillDown
    (options.width, options.height, options.minimumWidth, options.minimumHeight) = (1, 2, 3, 4)
    (options.zoom, options.dpr, options.enlarges) = (.init(1.5, .infinity), 0.1, true)
    options.extend = .init(.southWest, offset: .init(1, -2))
    options.extendAspectRatio = .init(.smart)
    options.gravity = .init(.focusPoint, offset: .init(0.25, 0.75))
    options.crop = .init(width: 0.5, height: 7, gravity: .init(.north))
    (options.cropAspectRatio, options.pixelsPerInch) = (.init(1.5, enlarges: true), 300)
    options.trim = .init(
      threshold: 9, color: Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4), isEqualHorizontally: true,
      isEqualVertically: true)
    options.padding = .init(top: 1, right: 2, bottom: 3, left: 4)
    (options.autoRotates, options.rotation) = (false, 270)
    (options.flipsHorizontally, options.flipsVertically) = (true, true)
    options.background = .red
    (options.videoSecond, options.usesThumbnail) = (2.5, true)
    options.videoFrames = .init(.animation(count: 2, delay: 3), step: -1, width: 4, height: 5)
    (options.page, options.pageCount, options.disablesAnimation) = (2, 3, true)
    (options.blur, options.sharpen, options.pixelate) = (0.3, 1e-300, 5)
    (options.brightness, options.contrast, options.saturation) = (-255, 0.7, 1.3)
    options.unsharpMask = .init(.always, weight: 2, divider: 3)
    options.blurAreas = .init(sigma: 4, areas: [.init(x: 0.1, y: 0.2, width: 0.3, height: 0.4)])
    options.monochrome = .init(intensity: 0.1, color: .red)
    options.duotone = .init(intensity: 0.2, dark: .blue, light: .red)
    options.colorize = .init(opacity: 0.3, color: .green, keepsAlpha: true)
    options.gradient = .init(opacity: 0.4, color: .red, angle: 12.5, start: 0.1, stop: 0.9)
    options.watermark = .init(opacity: 0.5, position: .at(.northEast), offset: .init(0.1, 5), scale: 0.2)
    options.watermarkText = "text"
    (options.watermarkWidth, options.watermarkHeight) = (3, 4)
    (options.watermarkRotation, options.watermarkShadow, options.style) = (12.5, 2, "rect { fill: red }")
    (options.format, options.quality, options.formatQuality) = (.png, 61, [.webp: 3, .jpeg: 4])
    (options.maximumBytes, options.isProgressive, options.stripsMetadata) = (7, true, false)
    (options.keepsCopyright, options.skippedFormats, options.isRaw) = (false, [.gif, .svg], true)
    options.placeholder = .thumbHash
    options.chromaSubsampling = [.jpeg: .yuv444, .avif: .yuv420]
    (options.maximumColorCount, options.isLosslessWebP) = (32, false)
    options.limits.frames = 3
    (options.bestFormats, options.autoQuality) = ([.png], .init(.similarity(0.9), qualities: 3...4, tolerance: 0.1))
    return options
  }()

  @Test("A request contains everything that affects the file, and nothing else")
  func complete() throws {
    var options = Self.options
    (options.expires, options.filename, options.isAttachment, options.cacheBuster) = (1, "name", true, "2")
    options.watermarkSource = "https://example.com/secret.png"
    options.fallbackSource = "https://example.com/secret.png"
    options.cacheTags = ["secret"]
    options.sourceHash = SourceHash(.md5, Array(0..<16))
    let request = RenditionRequest(
      source: URL(string: "https://example.com/secret")!, options: options, format: .avif, movingFormat: .webp)
    let sent = WorkerRequest(.plan, request, sourceCount: 99, watermarkCount: 7)
    let received = try WorkerRequest.request(in: sent.payload)
    #expect(received.sourceCount == 99 && received.watermarkCount == 7)
    #expect(received.request.format == .avif && received.request.movingFormat == .webp)
    #expect(received.request.options == Self.options)
    #expect(sent.payload.range(of: Data("secret".utf8)) == nil)
  }

  @Test("Every field of the options is sent; this test fails if a new one is missing")
  func everyField() {
    let same = Self.equalFields(ImageOptions(), Self.options)
    #expect(
      same == [
        "watermarkSource", "sourceHash", "expires", "filename", "fallbackSource", "isAttachment", "cacheTags",
        "cacheBuster",
      ])
  }

  private static func equalFields<Value>(_ one: Value, _ other: Value) -> [String] {
    zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
      .filter { "\($0.value)" == "\($1.value)" }.map { $0.0.label ?? "" }
  }

  @Test("All positions of a watermark and all numbers, including NaN, are sent unchanged")
  func positions() throws {
    for position: ImageOptions.Watermark.Position in [.repeated, .chessboard, .at(.center)] {
      var options = ImageOptions()
      options.watermark = .init(opacity: .nan, position: position)
      let request = RenditionRequest(source: URL(fileURLWithPath: "/"), options: options)
      let received = try WorkerRequest.request(in: WorkerRequest(.render, request, sourceCount: 0).payload)
      #expect(received.request.options.watermark?.position == position)
      #expect(received.request.options.watermark?.opacity.isNaN == true)
    }
  }

  @Test("The settings contain everything that the renderer needs")
  func settings() throws {
    var settings = WorkerSettings()
    (settings.limits.maximumSourceBytes, settings.limits.source) = (1, CodecLimits(maximumPixelCount: 2))
    (settings.limits.maximumResultPixels, settings.limits.maximumResultSide) = (3, 4)
    (settings.limits.maximumResultBytes, settings.limits.maximumAnimationFrames) = (5, 6)
    (settings.limits.maximumAnimationPixels, settings.limits.maximumTrimmingBytes) = (7, 12)
    settings.limits.maximumFramePixels = 13
    (settings.settings.qualities, settings.settings.writesProgressiveJPEG) = ([.jpeg: 8], true)
    (settings.settings.stripsMetadata, settings.settings.keepsCopyright) = (false, false)
    (settings.settings.keepsLocation, settings.settings.sendsSVG) = (true, true)
    (settings.settings.efforts, settings.settings.longestSide) = ([.webp: 1], 5)
    (settings.settings.usesThumbnails, settings.settings.watermarkOpacity) = (true, 0.5)
    (settings.settings.colorCountOfPNG, settings.settings.preferredFormats) = (14, [.webp])
    (settings.memoryLimit, settings.folders) = (9, ["/a", "/b"])
    settings.watermark = .init(id: "mark", opacity: 0.5, width: 10, height: 11, isOpaque: true)
    let received = try FrameCoding.decode(WorkerSettings.self, from: WorkerRequest(settings).payload)
    #expect(received.limits == settings.limits && received.settings == settings.settings)
    #expect(received.memoryLimit == 9 && received.folders == ["/a", "/b"])
    #expect("\(received)" == "\(settings)")
    // All fields were others than by default.
    #expect(Self.equalFields(settings, WorkerSettings()).isEmpty)
    #expect(Self.equalFields(settings.limits, RenderLimits()).isEmpty)
    #expect(Self.equalFields(settings.settings, RenderSettings()).isEmpty)
  }
}
