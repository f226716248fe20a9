import Foundation
import NukeImaging

/// The frames of an animation for a writer: at least one, and all as large as the canvas.
struct CheckedFrames {
  typealias Frame = (image: Bitmap, pixels: PixelBuffer, delay: TimeInterval)

  private let format: ImageFormat
  private let frames: Animation.Frames
  private let width: Int
  private let height: Int

  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if the canvas is empty, or a side has more than `maximumSide`
  ///   pixels.
  init(_ animation: Animation, _ format: ImageFormat, maximumSide: Int) throws {
    self.format = format
    (width, height) = (animation.pixelWidth, animation.pixelHeight)
    try format.checkWritable(width: width, height: height, maximumSide: maximumSide)
    frames = try animation.frames()
  }

  /// Decodes the first frame, after which ``next()`` returns the second.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if there is no frame; otherwise as ``next()``.
  func first() throws -> Frame {
    try frames.rewind()
    guard let frame = try next() else { throw CodecError.encodingFailed(format, reason: "there is no frame") }
    return frame
  }

  /// Decodes the next frame. Returns `nil` after the last one.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` if the frame is not as large as the canvas. Errors of decoding
  ///   it are rethrown.
  func next() throws -> Frame? {
    guard let frame = try frames.next() else { return nil }
    guard let pixels = frame.image.buffer, pixels.width == width, pixels.height == height else {
      throw CodecError.encodingFailed(format, reason: "frame \(frame.index) and the first frame have different sizes")
    }
    return (frame.image, pixels, frame.delay)
  }

  /// Calls `body` with each frame from the first to the last. There is at least one.
  ///
  /// - Throws: see ``first()``.
  func forEach(_ body: (Frame) throws -> Void) throws {
    var frame: Frame? = try first()
    while let current = frame {
      try body(current)
      frame = try next()
    }
  }
}
