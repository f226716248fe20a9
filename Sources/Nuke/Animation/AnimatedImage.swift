public import Foundation
import NukeHTTP
public import NukeImaging

/// An animated image for playback. It returns frames on request, and decodes the next one in advance.
///
/// Frames are decoded, and processed with the processors of the request, on the pipeline's threads, never on the
/// caller's. All animations of the process share ``bufferLimit`` bytes. An animation that fits keeps every decoded
/// frame. One that does not fit keeps the current frame and the next one, and is decoded again in each loop. A new
/// animation takes memory from those that were used least recently. The frames are released with the last reference to
/// the object.
///
/// ```swift
/// let response = try await ImagePipeline.shared.imageTask(with: url).response
/// if let animated = AnimatedImage(response.container) {
///   var player = AnimatedImage.Player(animated)
///   // On each display refresh:
///   if let frame = player.advance(to: now) { show(frame.image) }
/// }
/// ```
///
/// It can be used from any thread. An object serves one position at a time: two views that show different frames need
/// one object each.
public final class AnimatedImage: Sendable {
  /// The underlying animation, whose frames can be decoded directly.
  public let animation: Animation
  private let store: FrameStore
  private let id: FrameBudget.ID

  /// Creates an animated image from a container; `nil` for a still image. Decodes nothing yet.
  ///
  /// - Parameters:
  ///   - container: a container from a pipeline.
  ///   - onFailure: called once, on a worker thread, if a frame is damaged. The frames before it continue to play.
  public convenience init?(
    _ container: ImageContainer, onFailure: (@Sendable (AnimatedImage.Error) -> Void)? = nil
  ) {
    guard let animation = container.animation else { return nil }
    self.init(animation, onFailure: onFailure)
  }

  /// Creates an animated image from an animation. Decodes nothing yet.
  ///
  /// - Parameters:
  ///   - animation: the animation.
  ///   - onFailure: see ``init(_:onFailure:)-(ImageContainer,_)``.
  public convenience init(_ animation: Animation, onFailure: (@Sendable (AnimatedImage.Error) -> Void)? = nil) {
    self.init(animation, store: .shared, onFailure: onFailure)
  }

  package init(
    _ animation: Animation, store: FrameStore, onFailure: (@Sendable (AnimatedImage.Error) -> Void)? = nil
  ) {
    self.animation = animation
    self.store = store
    id = store.add(animation, onFailure: onFailure)
  }

  deinit { store.remove(id) }

  // MARK: Properties

  /// The number of frames in one loop, including damaged ones.
  public var frameCount: Int { animation.frameCount }
  /// The number of frames before the first damaged one that was found; otherwise, ``frameCount``.
  public var playableFrameCount: Int { store.playableCount(id) }
  /// The reason why not all frames can be played; `nil` while no damaged frame was found.
  public var failure: Error? { store.failure(id) }
  /// The duration of one loop, in seconds.
  public var duration: TimeInterval { animation.duration }
  /// The number of times the animation plays; 0 means forever.
  public var loopCount: Int { animation.loopCount }
  /// Returns the delay of a frame, in seconds.
  public func delay(of index: Int) -> TimeInterval { animation.delays[index] }

  // MARK: Frames

  /// Returns the frame if it is decoded. Otherwise, returns `nil` at once, and decodes the frame.
  ///
  /// The last requested frame and the next one are decoded and kept. Others are released if there is not enough memory
  /// for all of them. Frames can only be decoded in order, so going back or skipping frames decodes everything in
  /// between.
  public func frame(at index: Int) -> Animation.Frame? { store.show(index, of: id) }

  /// Returns the frame when it is decoded.
  ///
  /// - Throws: ``AnimatedImage/Error``; ``AnimatedImage/Error/cancelled`` if the calling task was canceled or
  ///   ``stop()`` was called.
  public func loadFrame(at index: Int) async throws(Error) -> Animation.Frame {
    let request = FrameRequest()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        load(index, request) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      request.cancel()
    }
    return try result.get()
  }

  /// Calls `completion` once with the frame: before this method returns if the frame is decoded, otherwise on a worker
  /// thread. If the last reference to the object is released, the result is ``AnimatedImage/Error/cancelled``.
  ///
  /// - Returns: a handle that cancels the request; `completion` then receives an error. A frame that is not requested
  ///   anymore is not decoded.
  @discardableResult
  public func loadFrame(
    at index: Int, completion: @escaping @Sendable (Result<Animation.Frame, Error>) -> Void
  ) -> any Cancellable {
    let request = FrameRequest()
    load(index, request, completion)
    return request
  }

  private func load(
    _ index: Int, _ request: FrameRequest, _ completion: @escaping @Sendable (Result<Animation.Frame, Error>) -> Void
  ) {
    let begins = request.begin(completion) { [store, id] in store.cancel($0, of: id) }
    guard begins else { return }
    store.wait(request, for: index, of: id)
    // A request that was canceled at this moment must not stay in the store.
    if request.isOver { store.cancel(request, of: id) }
  }

  /// Releases all frames until one is requested again. Call it when the view is not visible.
  public func stop() { store.stop(id) }

  // MARK: The frame buffer

  /// The maximum memory of all animations of the process, including the canvases for decoding, in bytes. The default is
  /// a twentieth of the memory that this process may use, and at most 256 MB.
  ///
  /// An animation for which not even four frames fit is not played; its first frame is in the container.
  public static var bufferLimit: Int {
    get { FrameStore.shared.limit }
    set { FrameStore.shared.limit = newValue }
  }
}
