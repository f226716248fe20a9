#if JPEGXL
  public import Foundation
  public import NukeImaging

  extension JXLWriter: AnimationWriter {
    /// Encodes an animated image. Every frame is stored as a whole.
    ///
    /// Delays are in milliseconds, at least one, rounded so that the sum stays correct. Frames are decoded twice, since
    /// either all or none have alpha.
    public func encode(_ animation: Animation) throws -> Data {
      let hasAlpha = try !animation.isOpaque()
      let encoding = try encoding(
        width: animation.pixelWidth, height: animation.pixelHeight, hasAlpha: hasAlpha,
        loopCount: animation.loopCount)
      let frames = try animation.frames()
      // The exact time in seconds, and the rounded time in milliseconds.
      var (time, timestamp) = (0.0, UInt32(0))
      while let frame = try frames.next() {
        guard let pixels = frame.image.buffer, pixels.width == animation.pixelWidth,
          pixels.height == animation.pixelHeight
        else {
          throw CodecError.encodingFailed(.jxl, reason: "frame \(frame.index) and the first frame have different sizes")
        }
        if timestamp > 0 { try encoding.encodeFrames() }
        time += frame.delay
        let end = try Self.timestamp(time, after: timestamp)
        try encoding.setDuration(milliseconds: end - timestamp)
        try encoding.add(pixels, hasAlpha: hasAlpha)
        timestamp = end
      }
      guard timestamp > 0 else { throw CodecError.encodingFailed(.jxl, reason: "there is no frame") }
      return try encoding.finish()
    }

    private static func timestamp(_ time: TimeInterval, after last: UInt32) throws(CodecError) -> UInt32 {
      let wanted = (time * 1000).rounded()
      guard wanted < Double(Int32.max), last < UInt32(Int32.max) else {
        throw .encodingFailed(.jxl, reason: "it is longer than the format allows")
      }
      return max(UInt32(max(wanted, 0)), last + 1)
    }
  }
#endif
