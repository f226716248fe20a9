public import Foundation
public import Nuke
import NukeCodecs
import NukeImaging
import Synchronization

/// A rendered file and its media type.
public struct RenderedFile: Sendable, Hashable {
  public var data: Data
  /// The media type of ``data``, such as `image/webp`.
  public var contentType: String
  /// The sizes of the image and its source; `nil` for text, and for a source that is sent unchanged.
  public var sizes: RenditionSizes?

  public init(data: Data, contentType: String, sizes: RenditionSizes? = nil) {
    self.data = data
    self.contentType = contentType
    self.sizes = sizes
  }

  /// Creates the file of a source that is sent unchanged. A compressed SVG is decompressed, because its media type does
  /// not say that it is compressed.
  package init(source: Data, _ format: ImageFormat) throws(ServingError) {
    var data = source
    if format == .svg, SVGCompression.isCompressed(source) {
      do throws(CodecError) {
        data = Data(try SVGCompression.decompressed(source))
      } catch {
        throw ServingError(loading: error)
      }
    }
    self.init(data: data, contentType: format.mediaType)
  }

  /// Creates a JSON file of the facts about an image.
  package init(_ facts: ImageFacts) { self.init(data: facts.json, contentType: ContentType.json) }
}

extension RenderedFile {
  /// Changes the resolution to that of the options.
  fileprivate mutating func setResolution(_ options: ImageOptions, _ format: ImageFormat) {
    if let resolution = options.pixelsPerInch { data = data.withResolution(resolution, format) }
  }
}

extension Renderer {
  /// Renders the file of a plan. Decodes and processes in the pipeline's queues, within its limits and its decode
  /// budget, and encodes in its encoding queue. The pipeline's caches and loader are not used. Rendering stops when the
  /// task is canceled.
  ///
  /// - Throws: ``ServingError/notAnImage(_:)`` if the pixels are damaged, ``ServingError/tooLarge(_:)`` if the file
  ///   exceeds the limit, ``ServingError/cancelled``.
  public func render(_ plan: RenderPlan, in pipeline: ImagePipeline) async throws(ServingError) -> RenderedFile {
    switch plan.work {
    case .none:
      let file = try RenderedFile(source: plan.source, plan.sourceFormat)
      if file.data.count > plan.source.count { try limits.check(resultBytes: file.data.count) }
      return file
    case .facts(let facts):
      return RenderedFile(facts)
    case .placeholder(let placeholder, let processor):
      let marking = try await withWatermark(of: plan, processor, in: pipeline)
      let container = try await container(of: plan, marking, in: pipeline)
      return try await pipeline.encoding { _ in
        RenderedFile(
          data: Data(try container.image.placeholderText(placeholder).utf8), contentType: "text/plain; charset=utf-8")
      }
    case .image(let processor, let frameCount):
      if let header = plan.bands?.reader.header { try pipeline.check(header) }
      if let transcoder = plan.bands?.transcoder, let format = plan.format {
        var file = try await transcoded(transcoder, format, in: pipeline)
        file.setResolution(plan.options, format)
        let result = processor.geometry.result
        file.sizes = plan.sizes(width: result.width, height: result.height)
        return file
      }
      let marking = try await withWatermark(of: plan, processor, in: pipeline)
      let container =
        if let bands = plan.bands {
          try await sampled(bands, marking, in: pipeline)
        } else {
          try await container(of: plan, marking, in: pipeline)
        }
      var file = try await pipeline.encoding { isCancelled in
        let frames = try frameCount > 1 ? videoFrames(of: plan, marking) : nil
        return try written(container, plan, frames, frameCount: frameCount, isCancelled: isCancelled)
      }
      file.sizes = plan.sizes(width: container.image.pixelWidth, height: container.image.pixelHeight)
      try limits.check(resultBytes: file.data.count)
      return file
    }
  }

  /// Returns the processor with the watermark of the plan, which is decoded on the decoding queue.
  private func withWatermark(
    of plan: RenderPlan, _ processor: RenditionProcessor, in pipeline: ImagePipeline
  ) async throws(ServingError) -> RenditionProcessor {
    guard let reader = plan.watermark else { return processor }
    do throws(ServingError) {
      try pipeline.check(reader.header)
      let isText = processor.options.watermarkText != nil
      let image = try await pipeline.decoding { isCancelled in
        let image = try reader.decode(DecodeOptions(isCancelled: isCancelled))
        // Without fonts, nothing is drawn.
        return isText ? image.croppedToInk() ?? Bitmap() : image
      }
      var processor = processor
      processor.watermark = Watermark(image: image, id: "", opacity: settings.watermarkOpacity)
      return processor
    } catch {
      throw error.ofWatermark
    }
  }

  /// Returns the processed image of the source, or of the thumbnail or the pages in it.
  private func container(
    of plan: RenderPlan, _ processor: RenditionProcessor, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageContainer {
    guard plan.rendersReader, let reader = plan.reader else {
      return try await container(of: plan.source, processor, reader: plan.reader, in: pipeline)
    }
    return try await pipeline.decoding { isCancelled in
      // Borders are detected in the full-size pixels.
      let denominator =
        processor.trims ? 1 : processor.geometry.scaleDenominator(of: reader.scaleDenominators)
      let options = DecodeOptions(
        scaleDenominator: denominator, orientation: processor.options.autoRotates ? nil : .up, isCancelled: isCancelled)
      return ImageContainer(image: try processor.rendition(of: try reader.decode(options)))
    }
  }

  /// Returns the image that the pipeline decodes and processes from a source.
  ///
  /// - Parameter reader: a reader of the source, so that one that took long to create is not created again.
  func container(
    of source: Data, _ processor: RenditionProcessor, reader: (any ImageReader)? = nil, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageContainer {
    var opened: (any OpenedImage)?
    if reader != nil || ImageReaders.openingByteCount(of: source) == nil {
      do {
        let limits = pipeline.configuration.codecLimits
        let reader = try reader ?? ImageReaders.reader(for: source, limits: limits)
        // The limits of a drawing apply to the size at which it is drawn, and the pipeline checks that one.
        if !reader.isVector { try pipeline.check(reader.header) }
        // Damage is an error, also in a pipeline that tolerates it: the result may be stored for long.
        opened = ImageDecoders.Default.opened(reader, of: source, limits: limits, tolerance: .strict)
      } catch {
        throw ServingError(loading: error)
      }
    }
    // Each source has a unique ID, so that requests for different sources are never coalesced.
    let id = "rendition-\(Self.lastID.add(1, ordering: .relaxed).newValue)"
    var request = ImageRequest(
      id: id, bytes: source, opened: opened, processors: [processor],
      options: [.disableMemoryCache, .disableDiskCache, .skipDataLoadingQueue])
    if processor.options.videoSecond > 0 { request.posterFrame = .time(processor.options.videoSecond) }
    let task = pipeline.imageTask(with: request)
    defer {
      let facts = task.facts
      RenderStages.note(.decode, seconds: facts.decoding, ago: facts.processing)
      RenderStages.note(.process, seconds: facts.processing)
    }
    do throws(ImagePipeline.Error) {
      return try await task.response.container
    } catch {
      throw ServingError(loading: error)
    }
  }

  /// Returns the file that is decoded, sampled and encoded in bands, in one step on the decoding queue.
  private func transcoded(
    _ transcoder: BandTranscoder, _ format: ImageFormat, in pipeline: ImagePipeline
  ) async throws(ServingError) -> RenderedFile {
    try await pipeline.decoding { isCancelled in
      var data = Data()
      try transcoder.run(isCancelled: isCancelled) { bytes in
        data.append(contentsOf: bytes)
        try limits.check(resultBytes: data.count)
      }
      return RenderedFile(data: data, contentType: format.mediaType)
    }
  }

  /// Returns the image that is decoded and sampled in bands, and then processed as a whole.
  private func sampled(
    _ bands: RenderPlan.Bands, _ processor: RenditionProcessor, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageContainer {
    try await pipeline.decoding { isCancelled in
      let options = DecodeOptions(
        scaleDenominator: bands.scaleDenominator, orientation: .up, isCancelled: isCancelled)
      guard let image = try bands.reader.decodeInBands(options, bands.sampling) else {
        throw ImageProcessingError.unknown
      }
      return ImageContainer(image: try processor.finished(image))
    }
  }

  private static let lastID = Atomic<Int>(0)

  private func written(
    _ container: ImageContainer, _ plan: RenderPlan, _ frames: Animation?, frameCount: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> RenderedFile {
    guard !plan.candidates.isEmpty else {
      let format = plan.format ?? settings.preferredFormat(isOpaque: container.image.isOpaque)
      return try written(container, as: format, plan, frames, frameCount: frameCount, isCancelled: isCancelled)
    }
    var best: RenderedFile?
    for format in plan.candidates where format != .jpeg || container.image.isOpaque {
      if isCancelled() { throw CodecError.cancelled(format) }
      let file = try written(container, as: format, plan, frames, frameCount: frameCount, isCancelled: isCancelled)
      if file.data.count < best?.data.count ?? .max { best = file }
    }
    guard let best else { throw ServingError.cannotWrite("any of the formats") }
    return best
  }

  private func written(
    _ container: ImageContainer, as format: ImageFormat, _ plan: RenderPlan, _ frames: Animation?, frameCount: Int,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> RenderedFile {
    let encoder = encoder(for: plan, format, container.image)
    var data: Data?
    if frameCount > 1, let animation = frames ?? container.animation {
      let frames = animation.prefix(frameCount).map(
        pixelWidth: container.image.pixelWidth, pixelHeight: container.image.pixelHeight
      ) {
        if isCancelled() { throw CodecError.cancelled(format) }
        return $0
      }
      data = try encoder.encode(frames)
    }
    var file = RenderedFile(
      data: try data ?? encoder.encode(container.image, isCancelled: isCancelled), contentType: format.mediaType)
    file.setResolution(plan.options, format)
    return file
  }

  /// Returns the processed frames that the options select from a video; `nil` if they select none.
  private func videoFrames(of plan: RenderPlan, _ processor: RenditionProcessor) throws -> Animation? {
    guard let reader = plan.reader as? VideoFramesReader, let animation = try reader.animation() else { return nil }
    let size = processor.geometry.result
    return animation.map(pixelWidth: size.width, pixelHeight: size.height) { try processor.rendition(of: $0) }
  }

  private func encoder(for plan: RenderPlan, _ format: ImageFormat, _ image: PlatformImage) -> RenditionEncoder {
    RenditionEncoder(
      format: format,
      options: encoding(for: format, plan.options, plan.reader, width: image.pixelWidth, height: image.pixelHeight),
      goal: plan.options.autoQuality, maximumByteCount: plan.options.maximumBytes)
  }

  /// Returns the options to encode a result of the given size.
  func encoding(
    for format: ImageFormat, _ options: ImageOptions, _ reader: (any ImageReader)?, width: Int, height: Int
  ) -> EncodeOptions {
    var encoding = EncodeOptions(quality: settings.quality(of: format, options))
    encoding.effort = settings.efforts[format]
    encoding.isProgressive = options.isProgressive ?? settings.writesProgressiveJPEG
    encoding.chromaSubsampling = options.chromaSubsampling[format]
    let colorCount = options.maximumColorCount ?? (format == .png ? settings.colorCountOfPNG : nil)
    encoding.maximumColorCount = colorCount == 0 ? nil : colorCount
    encoding.keptMetadata = settings.keptMetadata(options)
    if format == .webp, let isLossless = options.isLosslessWebP {
      encoding.isLossless = isLossless
    } else if let header = reader?.header {
      // An image with a palette has few colors, also in the result if no pixels are mixed.
      encoding.isLossless =
        header.colorModel == .indexed && options.quality == nil && options.maximumBytes == nil
        && options.autoQuality == nil
        && options.formatQuality[format] == nil && options.maximumColorCount ?? 0 == 0
        && (width, height) == (header.pixelWidth, header.pixelHeight)
    }
    if !encoding.keptMetadata.isEmpty, let metadata = reader?.metadata {
      encoding.metadata = settings.keepsLocation ? metadata : metadata.withoutLocation
      if let resolution = options.pixelsPerInch {
        encoding.metadata = encoding.metadata.withResolution(resolution)
      }
    }
    return encoding
  }
}

extension ImagePipeline {
  /// Runs `work` on the pipeline's encoding queue and returns its result. `work` can check for cancellation.
  func encoding<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws(ServingError) -> Value {
    try await run(.encode, on: configuration.imageEncodingQueue, work)
  }

  /// Runs `work` on the pipeline's decoding queue and returns its result.
  func opening<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws(ServingError) -> Value {
    try await run(.open, on: configuration.imageDecodingQueue) { _ in try work() }
  }

  /// Runs `work` on the pipeline's decoding queue and returns its result. `work` can check for cancellation.
  func decoding<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws(ServingError) -> Value {
    try await run(.decode, on: configuration.imageDecodingQueue, work)
  }

  /// Throws if an image exceeds the limits of the pipeline.
  func check(_ header: ImageHeader) throws(ServingError) {
    do throws(CodecError) {
      try configuration.codecLimits.check(header.format, width: header.storedWidth, height: header.storedHeight)
    } catch {
      throw ServingError(loading: error)
    }
  }

  private func run<Value: Sendable>(
    _ stage: ServiceStatistics.Stage, on queue: TaskQueue,
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws(ServingError) -> Value {
    let cancellation = Cancellation()
    let (result, time) = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.add {
          let start = ContinuousClock.now
          let result = cancellation.result(of: work)
          continuation.resume(returning: (result, ContinuousClock.now - start))
        }
      }
    } onCancel: {
      cancellation.isAbandoned.store(true, ordering: .relaxed)
    }
    RenderStages.note(stage, seconds: time / .seconds(1))
    return try result.get()
  }
}

private final class Cancellation: Sendable {
  let isAbandoned = Atomic<Bool>(false)

  func result<Value>(
    of work: (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) -> Result<Value, ServingError> {
    guard !isAbandoned.load(ordering: .relaxed) else { return .failure(.cancelled) }
    do {
      return .success(try work { self.isAbandoned.load(ordering: .relaxed) })
    } catch {
      return .failure(ServingError(loading: error))
    }
  }
}

/// Receives the durations of the stages of rendering, such as ``ServiceStatistics/Stage/decode``.
///
/// A structure around the closure, because Swift 6.3 crashes on a task-local closure in optimized builds (missing type
/// metadata).
package struct RenderStages: Sendable {
  /// The receiver for the current task; `nil` if durations are not needed.
  @TaskLocal package static var current: RenderStages?

  private let observer: StageObserver

  package init(_ observer: @escaping StageObserver) { self.observer = observer }

  /// - Parameter ago: seconds since the end of the stage.
  package static func note(_ stage: ServiceStatistics.Stage, seconds: Double, ago: Double = 0) {
    if seconds > 0, let current { current.observer(stage, seconds, ago) }
  }
}

extension Bitmap {
  /// Returns the text of a placeholder for the image.
  func placeholderText(_ placeholder: ImageOptions.Placeholder) throws -> String {
    switch placeholder {
    case .blurHash: try BlurHash(encoding: self).string
    case .thumbHash: try ThumbHash(encoding: self).string
    // Without the alpha component, because the color is opaque; white if the image is fully transparent.
    case .dominantColor: String((dominantColor ?? .white).hex.prefix(7)).lowercased()
    case .preview: try inlinePreview().absoluteString
    }
  }
}
