#if JPEGXL
  public import Foundation
  public import NukeImaging

  extension JXLWriter: AnimationWriter {
    /// Encodes an animated image. Every frame is stored as a whole.
    ///
    /// Delays are in milliseconds, at least one, rounded so that the sum stays correct. Frames are decoded twice, since
    /// either all or none have alpha.
    public func encode(_ animation: Animation) throws -> Data {
      let frames = try CheckedFrames(animation, .jxl, maximumSide: Self.maximumSide)
      let hasAlpha = try !animation.isOpaque()
      let encoding = try encoding(
        width: animation.pixelWidth, height: animation.pixelHeight, hasAlpha: hasAlpha,
        loopCount: animation.loopCount(atMost: Int(UInt32.max)))
      var clock = MillisecondClock()
      try frames.forEach { frame in
        if clock.time > 0 { try encoding.encodeFrames() }
        try encoding.setDuration(milliseconds: try clock.advance(by: frame.delay, .jxl))
        try encoding.add(frame.pixels, hasAlpha: hasAlpha)
      }
      return try encoding.finish()
    }
  }
#endif
