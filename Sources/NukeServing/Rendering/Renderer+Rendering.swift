public import Foundation
public import Nuke
import NukeCodecs
import NukeImaging
import Synchronization

/// A file, and what it is.
public struct RenderedFile: Sendable, Hashable {
  public var data: Data
  /// Its media type, such as `image/webp`.
  public var contentType: String

  public init(data: Data, contentType: String) {
    self.data = data
    self.contentType = contentType
  }

  /// Creates a JSON file of the facts about an image.
  package init(_ facts: ImageFacts) { self.init(data: facts.json, contentType: ContentType.json) }
}

extension Renderer {
  /// The file that a plan says. Decodes and processes in the pipeline, by its queues, limits and its room for decoded
  /// images, and encodes in its queue for that; its caches and loader are left alone. Canceling the task gives up.
  ///
  /// - Throws: ``ServingError/notAnImage(_:)`` for damaged pixels, ``ServingError/tooLarge(_:)`` where the file has more
  ///   bytes than allowed, ``ServingError/cancelled``.
  public func render(_ plan: RenderPlan, in pipeline: ImagePipeline) async throws(ServingError) -> RenderedFile {
    switch plan.work {
    case .none:
      return RenderedFile(data: plan.source, contentType: plan.sourceFormat.mediaType)
    case .facts(let facts):
      return RenderedFile(facts)
    case .placeholder(let placeholder, let processor):
      let container = try await container(of: plan.source, processor, in: pipeline)
      return try await pipeline.encoding { _ in
        RenderedFile(
          data: Data(try container.image.placeholderText(placeholder).utf8), contentType: "text/plain; charset=utf-8")
      }
    case .image(let processor, let isMoving):
      let container = try await container(of: plan.source, processor, in: pipeline)
      let file = try await pipeline.encoding { isCancelled in
        try written(container, plan, isMoving: isMoving, isCancelled: isCancelled)
      }
      guard file.data.count <= limits.maximumResultBytes else {
        throw .tooLarge("the result has \(file.data.count) bytes: \(limits.maximumResultBytes) are allowed")
      }
      return file
    }
  }

  /// Returns the image that the pipeline makes of a source.
  func container(
    of source: Data, _ processor: RenditionProcessor, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageContainer {
    // Each source has a name of its own, so that nobody gets another's image.
    let id = "rendition-\(Self.lastID.add(1, ordering: .relaxed).newValue)"
    let request = ImageRequest(
      id: id, bytes: source, processors: [processor],
      options: [.disableMemoryCache, .disableDiskCache, .skipDataLoadingQueue])
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

  private static let lastID = Atomic<Int>(0)

  private func written(
    _ container: ImageContainer, _ plan: RenderPlan, isMoving: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws -> RenderedFile {
    let format = plan.format ?? (container.image.isOpaque ? .jpeg : .png)
    let encoder = encoder(for: plan, format, container.image)
    var data: Data?
    if isMoving, let animation = container.animation {
      let frames = animation.map(pixelWidth: container.image.pixelWidth, pixelHeight: container.image.pixelHeight) {
        if isCancelled() { throw CodecError.cancelled(format) }
        return $0
      }
      data = try encoder.encode(frames)
    }
    return RenderedFile(
      data: try data ?? encoder.encode(container.image, isCancelled: isCancelled), contentType: format.mediaType)
  }

  private func encoder(for plan: RenderPlan, _ format: ImageFormat, _ image: PlatformImage) -> RenditionEncoder {
    let options = plan.options
    var encoding = EncodeOptions(quality: settings.quality(of: format, options))
    encoding.isProgressive = options.isProgressive ?? settings.writesProgressiveJPEG
    encoding.chromaSubsampling = options.chromaSubsampling[format]
    encoding.maximumColorCount = options.maximumColorCount
    encoding.keptMetadata = settings.keptMetadata(options)
    if format == .webp, let isLossless = options.isLosslessWebP {
      encoding.isLossless = isLossless
    } else if let header = plan.reader?.header {
      // An image with a palette has few colors, also in the result if no pixels are mixed.
      encoding.isLossless =
        header.colorModel == .indexed && options.quality == nil && options.maximumBytes == nil
        && options.formatQuality[format] == nil && options.maximumColorCount == nil
        && (image.pixelWidth, image.pixelHeight) == (header.pixelWidth, header.pixelHeight)
    }
    if !encoding.keptMetadata.isEmpty, let metadata = plan.reader?.metadata {
      encoding.metadata = settings.keepsLocation ? metadata : metadata.withoutLocation
    }
    return RenditionEncoder(format: format, options: encoding, maximumByteCount: options.maximumBytes)
  }
}

extension ImagePipeline {
  /// Returns the result of `work`, which runs on the pipeline's encoding queue. It can check whether anybody still
  /// waits.
  func encoding<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws(ServingError) -> Value {
    let cancellation = Cancellation()
    let (result, time) = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        configuration.imageEncodingQueue.add(
          WorkItem {
            let start = ContinuousClock.now
            let result = cancellation.result(of: work)
            continuation.resume(returning: (result, ContinuousClock.now - start))
            return .done
          })
      }
    } onCancel: {
      cancellation.isAbandoned.store(true, ordering: .relaxed)
    }
    RenderStages.note(.encode, seconds: time / .seconds(1))
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

/// Receives the durations of the parts of rendering: ``ServiceStatistics/Stage/decode`` and the like.
///
/// A structure and not the closure alone: as a task-local value that crashes once it is optimized (Swift 6.3, the
/// type's metadata are missing).
package struct RenderStages: Sendable {
  /// The receiver for the current task; `nil` if durations are not needed.
  @TaskLocal package static var current: RenderStages?

  private let observer: StageObserver

  package init(_ observer: @escaping StageObserver) { self.observer = observer }

  /// - Parameter ago: seconds since the stage's end.
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
    // Without the alpha, which is that of an opaque color; white where nothing is to be seen.
    case .dominantColor: String((dominantColor ?? .white).hex.prefix(7)).lowercased()
    case .preview: try inlinePreview().absoluteString
    }
  }
}
