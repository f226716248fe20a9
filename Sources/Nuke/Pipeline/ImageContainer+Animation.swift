import Foundation
import NukeCodecs
public import NukeImaging
import Synchronization

extension ImageContainer {
  /// The frames of an animated image; `nil` for a still image and for a preview.
  ///
  /// The first use scans the blocks of ``data`` on the calling thread and decodes no pixels. A frame is decoded when it
  /// is pulled, and gets the processors that ``image`` got. A processor that returns a container with its own data is
  /// not applied to frames. One that returns a container without data makes the image a still image.
  ///
  /// A frame is decoded on the thread that pulls it. ``AnimatedImage`` decodes on the threads of the pipeline and
  /// caches frames.
  public var animation: Animation? {
    guard !isPreview, let animation = original?.animation else { return nil }
    let steps = frameSteps
    guard !steps.isEmpty else { return animation }
    return animation.map(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight) { frame in
      try steps.reduce(frame) { frame, step in try step.apply(frame) }
    }
  }

  /// The data of the animated original if this container shows a processed version of it.
  var dataOfMovingVariant: Data? { isProcessed && original?.animation != nil ? data : nil }

  /// `true` if ``data`` differs from the image.
  var isProcessed: Bool { frameSteps.contains { $0.changesPixels } }

  /// Applies the steps of the image to one frame. It keeps no pixels.
  struct FrameStep: Sendable {
    let changesPixels: Bool
    let apply: @Sendable (PlatformImage) throws -> PlatformImage
  }

  /// Returns the container with `step` applied to its image, and to each frame when the frame is decoded.
  func processed(by step: any ImageProcessing, context: ImageProcessingContext) throws -> ImageContainer {
    var result = try step.process(self, context: context)
    if damage != nil { result.damage = damage }
    // A processor that has replaced the data has handled the frames itself.
    guard let original, result.original === original else { return result }
    var context = context
    context.response.container = ImageContainer(image: PlatformImage(), type: type, userInfo: userInfo)
    context.response.container.colorProfileName = colorProfileName
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

  /// Returns the container with another scale (pixels per point) for its image and each frame.
  func withScale(_ scale: CGFloat) -> ImageContainer {
    var result = map { $0.withScale(scale) }
    if original != nil { result.frameSteps.append(FrameStep(changesPixels: false) { $0.withScale(scale) }) }
    return result
  }
}

/// The encoded data of an image, and the animation in it once it has been read.
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

  /// The animation; `nil` if the format has no frames, or if the data cannot be read.
  var animation: Animation? {
    if let content = content.load() { return content.animation }
    // Decoding has reported damaged data already.
    let animation = try? ImageReaders.reader(for: data, limits: limits).animation()
    return content.storeIfNil(Content(animation)).animation
  }
}
