public import Foundation

/// The frames of an animated image, decoded one at a time as they are pulled.
///
/// It holds the encoded bytes, not the frames: beside the frames that the player keeps, playing costs two canvases of
/// memory, or three where a format goes back to an earlier one, however long it is.
public struct Animation: Sendable {
  /// One complete image of the sequence and how long it is shown.
  public struct Frame: Sendable {
    /// The place in the sequence, from 0.
    public let index: Int
    /// The whole canvas as it looks while this frame is shown.
    public let image: Bitmap
    /// Seconds until the next frame.
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
  /// Seconds each frame is shown.
  public let delays: [TimeInterval]
  /// Bytes of one canvas as it is decoded, of which a reader holds two.
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

  /// Frames of one pass.
  public var frameCount: Int { delays.count }

  /// Seconds one pass takes.
  public var duration: TimeInterval { delays.reduce(0, +) }

  /// A reader that starts at the first frame. Each reader decodes on its own; one reader is for one thread at a time.
  public func frames() throws -> Frames { Frames(source: try open(), delays: delays) }

  /// Returns the animation with `transform` applied to each frame when it is read.
  ///
  /// - Parameters:
  ///   - pixelWidth: the width that results have.
  ///   - pixelHeight: the height that results have.
  ///   - transform: is called on the thread that pulls. Once it has thrown, the reader throws that error until it is
  ///     rewound.
  package func map(
    pixelWidth: Int, pixelHeight: Int, _ transform: @escaping @Sendable (Bitmap) throws -> Bitmap
  ) -> Animation {
    Animation(
      pixelWidth: pixelWidth, pixelHeight: pixelHeight, loopCount: loopCount, delays: delays,
      canvasByteCount: canvasByteCount
    ) { [open] in TransformedFrames(of: try open(), transform) }
  }

  /// Pulls one frame after the other.
  public final class Frames {
    private let source: any AnimationFrameSource
    private let delays: [TimeInterval]
    private var index = 0

    init(source: any AnimationFrameSource, delays: [TimeInterval]) {
      self.source = source
      self.delays = delays
    }

    /// Decodes the next frame; `nil` after the last one.
    ///
    /// - Throws: the codec's error for a damaged frame, and again at each further call, since later frames are drawn on
    ///   that one. The frames before it have been delivered.
    public func next() throws -> Frame? {
      guard index < delays.count, let image = try source.nextFrame() else { return nil }
      defer { index += 1 }
      return Frame(index: index, image: image, delay: delays[index])
    }

    /// Goes past the next frame, which is decoded as far as later frames need it.
    ///
    /// - Returns: `false` after the last frame.
    /// - Throws: as ``next()``.
    package func skip() throws -> Bool {
      guard index < delays.count, try source.skipFrame() else { return false }
      index += 1
      return true
    }

    /// Starts over at the first frame.
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
      // The source has advanced, and would return the following frame instead of this one.
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
