public import Foundation
public import NukeImaging

/// An animated image that is being played: gives its frames when they are asked for, and prepares the next.
///
/// Frames are decoded, and put through the processors of the request, on the pipeline's threads, never on the caller's.
/// All animations of the process share ``bufferLimit`` bytes. One that fits keeps every frame once it has been decoded;
/// one that does not keeps the frame that is shown and the next, and decodes anew at each pass. One that starts takes
/// room from those that were asked least recently. With the last reference to the object its frames are gone.
///
/// ```swift
/// let response = try await ImagePipeline.shared.imageTask(with: url).response
/// if let animated = AnimatedImage(response.container) {
///   var player = AnimatedImage.Player(animated)
///   // At each beat of the display:
///   if let frame = player.advance(to: now) { show(frame.image) }
/// }
/// ```
///
/// It may be used from any thread. It gives frames for one place at a time: two views that are at different frames have
/// one each.
public final class AnimatedImage: Sendable {
  /// The frames as they can be pulled by hand.
  public let animation: Animation
  private let store: FrameStore
  private let id: FrameBudget.ID

  /// The image of a container, ready to be played; `nil` for a still one. Nothing is decoded yet.
  ///
  /// - Parameters:
  ///   - container: what a pipeline gave.
  ///   - onFailure: is called once, on a worker thread, if a frame turns out to be damaged. What is before it goes on.
  public convenience init?(
    _ container: ImageContainer, onFailure: (@Sendable (AnimatedImage.Error) -> Void)? = nil
  ) {
    guard let animation = container.animation else { return nil }
    self.init(animation, onFailure: onFailure)
  }

  /// An animation, ready to be played. Nothing is decoded yet.
  ///
  /// - Parameters:
  ///   - animation: its frames.
  ///   - onFailure: as for ``init(_:onFailure:)-(ImageContainer,_)``.
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

  // MARK: What is known

  /// Frames of one pass, whether or not they can be decoded.
  public var frameCount: Int { animation.frameCount }
  /// Frames before the first that was found damaged; as many as there are unless one was.
  public var playableFrameCount: Int { store.playableCount(id) }
  /// Why not all frames can be played, once that is known.
  public var failure: Error? { store.failure(id) }
  /// Seconds one pass takes.
  public var duration: TimeInterval { animation.duration }
  /// The number of times the animation plays; 0 means forever.
  public var loopCount: Int { animation.loopCount }
  /// Seconds a frame is shown.
  public func delay(of index: Int) -> TimeInterval { animation.delays[index] }

  // MARK: Frames

  /// The frame, where it is there. Else `nil` at once, and the frame is decoded.
  ///
  /// The frame asked for last and the one behind it are prepared and kept; others are let go of where there is no room
  /// for all. Frames are decoded in order, so that going back or leaping ahead takes as long as all that is passed.
  public func frame(at index: Int) -> Animation.Frame? { store.show(index, of: id) }

  /// The frame, once it is there.
  ///
  /// - Throws: ``AnimatedImage/Error``; ``AnimatedImage/Error/cancelled`` where the calling task was canceled, or
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

  /// Calls `completion` once with the frame: before this returns where the frame is there, else on a worker thread. When
  /// the last reference to the object goes, it is told ``AnimatedImage/Error/cancelled``.
  ///
  /// - Returns: what takes the wait back; `completion` is told so. A frame that nobody wants is not decoded.
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
    // One that was canceled just now does not stay there.
    if request.isOver { store.cancel(request, of: id) }
  }

  /// Lets go of all frames, until one is asked for again. For a view that is not seen.
  public func stop() { store.stop(id) }

  // MARK: The buffer

  /// Bytes that all animations of the process may take together, with the canvases they are decoded on: by default a
  /// twentieth of the memory that this process may use, and 256 MB at most.
  ///
  /// An animation for which there is no room even for four frames is not played; its first frame is in the container.
  public static var bufferLimit: Int {
    get { FrameStore.shared.limit }
    set { FrameStore.shared.limit = newValue }
  }

  /// Bytes of the frames that all animations keep now.
  public static var bufferedByteCount: Int { FrameStore.shared.keptByteCount }
}
