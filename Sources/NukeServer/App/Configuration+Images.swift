#if Server
  import Foundation
  import Nuke
  import NukeCodecs
  import NukeSandbox
  import NukeServing

  // The settings for decoding, rendering and the sandbox.
  extension ImageServer.Configuration {
    var codecLimits: CodecLimits {
      CodecLimits(maximumPixelCount: sourcePixelLimit, maximumFrameCount: frameLimit)
    }

    var renderer: Renderer {
      get throws(ConfigurationError) {
        var limits = RenderLimits()
        limits.maximumSourceBytes = sourceByteLimit
        limits.source = codecLimits
        limits.maximumAnimationFrames = animationFrameLimit
        limits.maximumFramePixels = framePixelLimit
        limits.maximumResultPixels = resultPixelLimit
        limits.maximumResultBytes = resultByteLimit
        limits.maximumTrimmingBytes = service.decodeBudget
        var settings = RenderSettings()
        settings.stripsMetadata = stripsMetadata
        settings.keepsCopyright = keepsCopyright
        settings.keepsLocation = keepsLocation
        settings.sendsSVG = sendsSVG
        settings.writesProgressiveJPEG = writesProgressiveJPEG
        for format in ImageFormat.writable where format == .jpeg || settings.qualities[format] == nil {
          settings.qualities[format] = quality
        }
        settings.qualities.merge(formatQuality) { $1 }
        settings.longestSide = resultSideLimit
        settings.efforts.merge(formatEffort.mapValues { Double($0) / 100 }) { $1 }
        settings.usesThumbnails = usesThumbnails
        settings.preferredFormats = preferredFormats
        settings.colorCountOfPNG = colorCountOfPNG
        settings.watermarkOpacity = Double(watermarkOpacity) / 100
        var image: Watermark?
        if let (data, file) = try Self.image("watermark", watermark, data: watermarkData) {
          image = Watermark(image: file, id: Self.hash(of: data), opacity: Double(watermarkOpacity) / 100)
        }
        return Renderer(limits: limits, settings: settings, watermark: image)
      }
    }

    /// Creates the pool of sandboxed processes that render images.
    func sandbox(
      _ renderer: Renderer, report: @escaping @Sendable (String) -> Void
    ) throws(ConfigurationError) -> RenderSandbox {
      let service = service
      var sandbox = SandboxConfiguration()
      sandbox.workerCount = service.maximumRunning + 1
      sandbox.imagesPerWorker = sandboxImages
      sandbox.program = sandboxProgram
      sandbox.timeLimit = requestTimeout
      sandbox.memoryLimit = service.decodeBudget + (512 << 20)
      do throws(SandboxError) {
        return try RenderSandbox(renderer: renderer, configuration: sandbox, report: report)
      } catch {
        throw ConfigurationError("sandbox", error.description)
      }
    }

    // MARK: Images that settings name

    /// Returns the image that two settings name; `nil` if it is the URL of a source, or there is none.
    ///
    /// - Parameters:
    ///   - setting: the name of the setting with a file or a URL. That with the data has `-data` after it.
    ///   - file: its value.
    ///   - data: the contents of the file, which take precedence.
    private static func image(
      _ setting: String, _ file: String?, data: Data?
    ) throws(ConfigurationError) -> (data: Data, image: PlatformImage)? {
      if let data {
        guard let image = PlatformImage(data: data) else {
          throw ConfigurationError(setting + "-data", "it is not an image that can be read")
        }
        return (data, image)
      }
      guard let path = file, !path.contains("://") else { return nil }
      let data = try Self.data(setting, path)
      guard let image = PlatformImage(data: data) else {
        throw ConfigurationError(setting, "\(path) is not an image that this build can read: set another one")
      }
      return (data, image)
    }

    /// Returns the FNV-1a hash of a file, so that all machines use the same name for the same image.
    private static func hash(of data: Data) -> String {
      String(data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }

    /// The contents of the fallback image, unless it is the URL of a source.
    var fallbackFile: Data? {
      get throws(ConfigurationError) {
        try Self.image("fallback-image", fallbackImage, data: fallbackImageData)?.data
      }
    }

    /// Returns the image to send in place of one whose source cannot be loaded.
    ///
    /// - Parameter rules: the rules for its URL.
    func fallback(_ rules: SourceRules) throws(ConfigurationError) -> FallbackImage? {
      // The name contains the hash of the file, so that the results of another file have other keys.
      guard
        let text = try fallbackFile.map({ "\(SourceRules.fallbackScheme):///\(Self.hash(of: $0))" }) ?? fallbackImage
      else { return nil }
      return FallbackImage(
        source: try Self.source("fallback-image", fallbackImage ?? text, text, rules),
        status: fallbackStatus == 0 ? nil : fallbackStatus, freshness: fallbackTTL)
    }

    /// Returns the URL of the watermark; `nil` if it is a file or there is none.
    ///
    /// - Parameter rules: the rules for its URL.
    func watermarkURL(_ rules: SourceRules) throws(ConfigurationError) -> URL? {
      guard watermarkData == nil, let watermark, watermark.contains("://") else { return nil }
      return try Self.source("watermark", watermark, watermark, rules)
    }

    /// Returns the URL of an image that a setting names.
    private static func source(
      _ setting: String, _ value: String, _ text: String, _ rules: SourceRules
    ) throws(ConfigurationError) -> URL {
      do throws(ServingError) {
        return try rules.source(text)
      } catch {
        throw ConfigurationError(setting, "\(value) cannot be its URL: \(error.description)")
      }
    }
  }
#endif
