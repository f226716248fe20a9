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
      let frames = try CheckedFrames(animation, .avif, maximumSide: Self.maximumSide)
      let isOpaque = try animation.isOpaque()
      let encoding = try encoding(width: animation.pixelWidth, height: animation.pixelHeight)
      encoding.beginSequence(loopCount: animation.loopCount(atMost: Int(Int32.max)))
      var clock = MillisecondClock()
      try frames.forEach { frame in
        try encoding.load(frame.pixels, isOpaque: isOpaque)
        if clock.time == 0 { try encoding.add(metadata) }
        try encoding.appendImage(milliseconds: try clock.advance(by: frame.delay, .avif))
      }
      return try encoding.finishSequence()
    }
  }
#endif
