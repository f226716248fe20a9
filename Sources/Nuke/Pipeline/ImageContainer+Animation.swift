import Foundation
import NukeCodecs
public import NukeImaging
import Synchronization

extension ImageContainer {
  /// The frames, where the image moves; `nil` for a still one and for a preview.
  ///
  /// It is made of ``data``, whose blocks are gone through once, on the caller's thread; no pixel is decoded. Each
  /// frame goes through the processors that ``image`` went through, when it is pulled. A processor that gives a
  /// container with data of its own is not applied to frames, and one that gives a container without data makes the
  /// image a still one.
  ///
  /// Pulling decodes on the thread that pulls; ``AnimatedImage`` decodes on the pipeline's threads and keeps frames.
  public var animation: Animation? {
    guard !isPreview, let animation = original?.animation else { return nil }
    let steps = frameSteps
    guard !steps.isEmpty else { return animation }
    return animation.map(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight) { frame in
      try steps.reduce(frame) { frame, step in try step.apply(frame) }
    }
  }

  /// The data of the original, where that moves and this container shows it changed.
  var dataOfMovingVariant: Data? { isProcessed && original?.animation != nil ? data : nil }

  /// `true` if ``data`` shows something else than the image.
  var isProcessed: Bool { frameSteps.contains { $0.changesPixels } }

  /// Makes one frame what the image became. It keeps no pixels.
  struct FrameStep: Sendable {
    let changesPixels: Bool
    let apply: @Sendable (PlatformImage) throws -> PlatformImage
  }

  /// Returns the container with `step` applied to its image, and to each frame when the frame is decoded.
  func processed(by step: any ImageProcessing, context: ImageProcessingContext) throws -> ImageContainer {
    var result = try step.process(self, context: context)
    // With other data the processor has seen to the frames itself.
    guard let original, result.original === original else { return result }
    var context = context
    context.response.container = ImageContainer(image: PlatformImage(), type: type, userInfo: userInfo)
    result.frameSteps.append(
      FrameStep(changesPixels: true) { [context] frame in
        var context = context
        context.response.container.image = frame
        do {
          return try step.process(context.response.container, context: context).image
        } catch {
          throw ImagePipeline.Error.processingFailed(processor: step, context: context, error: error)
        }
      })
    return result
  }

  /// The container with its image, and each frame, at another number of pixels a point.
  func withScale(_ scale: CGFloat) -> ImageContainer {
    var result = map { $0.withScale(scale) }
    if original != nil { result.frameSteps.append(FrameStep(changesPixels: false) { $0.withScale(scale) }) }
    return result
  }
}

/// Encoded data that is kept beside an image, and the animation in it once somebody has looked.
final class EncodedOriginal: Sendable {
  let data: Data
  private let limits: CodecLimits
  private let content = AtomicLazyReference<Content>()

  private final class Content: Sendable {
    let animation: Animation?
    init(_ animation: Animation?) { self.animation = animation }
  }

  init(_ data: Data, limits: CodecLimits = .init()) {
    self.data = data
    self.limits = limits
  }

  /// `nil` if the data is of no format with frames, or cannot be read.
  var animation: Animation? {
    if let content = content.load() { return content.animation }
    // Data that cannot be read has no frames; that it is damaged was said when it was decoded.
    let animation = try? ImageReaders.reader(for: data, limits: limits).animation()
    return content.storeIfNil(Content(animation)).animation
  }
}
