public import Foundation

/// The frames of an animated image. They are decoded one at a time, on demand.
///
/// An animation holds the encoded data, not the frames. Besides the frames that the player keeps, playing needs the
/// memory of two canvases, or three if the format can restore an earlier canvas, whatever the length of the animation.
public struct Animation: Sendable {
  /// A complete image of the animation, and its delay.
  public struct Frame: Sendable {
    /// The index of the frame, starting at 0.
    public let index: Int
    /// The whole canvas while this frame is shown.
    public let image: Bitmap
    /// The delay in seconds until the next frame.
    public let delay: TimeInterval

    package init(index: Int, image: Bitmap, delay: TimeInterval) {
      self.index = index
      self.image = image
      self.delay = delay
    }
  }

  /// The width of the canvas in pixels.
  public let pixelWidth: Int
  /// The height of the canvas in pixels.
  public let pixelHeight: Int
  /// The number of times the animation plays; 0 means forever.
  public let loopCount: Int
  /// The delay of each frame, in seconds.
  public let delays: [TimeInterval]
  /// The size of a decoded canvas in bytes. A reader holds two.
  package let canvasByteCount: Int
  private let open: @Sendable () throws -> any AnimationFrameSource

  package init(
    pixelWidth: Int, pixelHeight: Int, loopCount: Int, delays: [TimeInterval], canvasByteCount: Int? = nil,
    open: @escaping @Sendable () throws -> any AnimationFrameSource
  ) {
    self.pixelWidth = pixelWidth
    self.pixelHeight = pixelHeight
    self.loopCount = loopCount
    self.delays = delays
    self.canvasByteCount = canvasByteCount ?? pixelWidth * pixelHeight * 4
    self.open = open
  }

  /// The number of frames in one loop.
  public var frameCount: Int { delays.count }

  /// The duration of one loop, in seconds.
  public var duration: TimeInterval { delays.reduce(0, +) }

  /// Creates a reader that starts at the first frame. Readers are independent; each one is for one thread at a time.
  public func frames() throws -> Frames { Frames(source: try open(), delays: delays) }

  /// Returns the first frames of the animation.
  package func prefix(_ count: Int) -> Animation {
    Animation(
      pixelWidth: pixelWidth, pixelHeight: pixelHeight, loopCount: loopCount, delays: Array(delays.prefix(count)),
      canvasByteCount: canvasByteCount, open: open)
  }

  /// Returns the animation with `transform` applied to each frame when it is read.
  ///
  /// - Parameters:
  ///   - pixelWidth: the width of the results.
  ///   - pixelHeight: the height of the results.
  ///   - transform: called on the thread that reads the frame. After it has thrown an error, the reader throws that
  ///     error until it is rewound.
  package func map(
    pixelWidth: Int, pixelHeight: Int, _ transform: @escaping @Sendable (Bitmap) throws -> Bitmap
  ) -> Animation {
    Animation(
      pixelWidth: pixelWidth, pixelHeight: pixelHeight, loopCount: loopCount, delays: delays,
      canvasByteCount: canvasByteCount
    ) { [open] in TransformedFrames(of: try open(), transform) }
  }

  /// A reader that returns frames in order.
  public final class Frames {
    private let source: any AnimationFrameSource
    private let delays: [TimeInterval]
    private var index = 0

    init(source: any AnimationFrameSource, delays: [TimeInterval]) {
      self.source = source
      self.delays = delays
    }

    /// Decodes the next frame. Returns `nil` after the last one.
    ///
    /// - Throws: the codec's error for a damaged frame. Further calls throw the same error, because later frames depend
    ///   on this one.
    public func next() throws -> Frame? {
      guard index < delays.count, let image = try source.nextFrame() else { return nil }
      defer { index += 1 }
      return Frame(index: index, image: image, delay: delays[index])
    }

    /// Skips the next frame. It is decoded only if later frames depend on it.
    ///
    /// - Returns: `false` after the last frame.
    /// - Throws: see ``next()``.
    package func skip() throws -> Bool {
      guard index < delays.count, try source.skipFrame() else { return false }
      index += 1
      return true
    }

    /// Returns to the first frame.
    public func rewind() throws {
      try source.rewind()
      index = 0
    }
  }
}

/// A source of frames, which are decoded in order.
package protocol AnimationFrameSource: AnyObject {
  /// Returns the whole canvas after drawing the next frame; `nil` after the last one.
  func nextFrame() throws -> Bitmap?
  /// Skips a frame. Returns `false` after the last one.
  func skipFrame() throws -> Bool
  func rewind() throws
}

extension AnimationFrameSource {
  package func skipFrame() throws -> Bool { try nextFrame() != nil }
}

/// Transforms the frames of another source. Skipped frames are not transformed.
private final class TransformedFrames: AnimationFrameSource {
  private let source: any AnimationFrameSource
  private let transform: @Sendable (Bitmap) throws -> Bitmap
  private var failure: (any Error)?

  init(of source: any AnimationFrameSource, _ transform: @escaping @Sendable (Bitmap) throws -> Bitmap) {
    self.source = source
    self.transform = transform
  }

  func nextFrame() throws -> Bitmap? {
    if let failure { throw failure }
    guard let frame = try source.nextFrame() else { return nil }
    do {
      return try transform(frame)
    } catch {
      // The source has already advanced, so a retry would return the following frame instead of this one.
      failure = error
      throw error
    }
  }

  func skipFrame() throws -> Bool {
    if let failure { throw failure }
    return try source.skipFrame()
  }

  func rewind() throws {
    failure = nil
    try source.rewind()
  }
}
