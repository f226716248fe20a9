#if AVIF
  public import Foundation
  public import NukeImaging

  extension AVIFWriter: AnimationWriter {
    /// Encodes an animated image as a sequence, in which frames are stored as changes of earlier ones.
    ///
    /// Delays are in milliseconds, at least one, rounded so that the sum stays correct. Frames are decoded twice, since
    /// either all or none have alpha. With libavif before version 1.0, the file states no number of loops, so that it is
    /// played forever. A side can have at most 65,535 pixels.
    public func encode(_ animation: Animation) throws -> Data {
      let encoding = try encoding(width: animation.pixelWidth, height: animation.pixelHeight)
      let isOpaque = try animation.isOpaque()
      encoding.beginSequence(loopCount: animation.loopCount)
      let frames = try animation.frames()
      // The exact time in seconds, and the rounded time in milliseconds.
      var (time, timestamp) = (0.0, UInt64(0))
      while let frame = try frames.next() {
        guard let pixels = frame.image.buffer, pixels.width == animation.pixelWidth,
          pixels.height == animation.pixelHeight
        else {
          throw CodecError.encodingFailed(
            .avif, reason: "frame \(frame.index) and the first frame have different sizes")
        }
        try encoding.load(pixels, isOpaque: isOpaque)
        if timestamp == 0 { try encoding.add(metadata) }
        time += frame.delay
        let end = try Self.timestamp(time, after: timestamp)
        try encoding.appendImage(milliseconds: end - timestamp)
        timestamp = end
      }
      guard timestamp > 0 else { throw CodecError.encodingFailed(.avif, reason: "there is no frame") }
      return try encoding.finishSequence()
    }

    private static func timestamp(_ time: TimeInterval, after last: UInt64) throws(CodecError) -> UInt64 {
      let wanted = (time * 1000).rounded()
      // Durations of tracks have 32 bits in many readers.
      guard wanted < Double(Int32.max), last < UInt64(Int32.max) else {
        throw .encodingFailed(.avif, reason: "it is longer than the format allows")
      }
      return max(UInt64(max(wanted, 0)), last + 1)
    }
  }
#endif
