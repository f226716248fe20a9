#if Video
  internal import CNukeVideo
  import Foundation
  import NukeImaging

  /// The size of the images of a video, and the conversion of decoded frames to them.
  struct VideoImage: Sendable {
    private let format: ImageFormat
    /// The size with square pixels, before the orientation is applied.
    let width: Int
    let height: Int
    let orientation: Orientation
    let duration: TimeInterval?
    let frameCount: Int?
    /// The name of the color space that the container states.
    let profileName: String?

    init(_ file: VideoFile, limits: CodecLimits) throws(CodecError) {
      let codec = file.codec
      format = file.format
      try VideoDecoder.check(file)
      try limits.check(format, width: Int(codec.width), height: Int(codec.height))
      width = max(Int((Double(codec.width) * file.pixelAspectRatio).rounded()), 1)
      height = Int(codec.height)
      try limits.check(format, width: width, height: height)
      orientation = file.orientation
      duration = file.duration
      frameCount = file.frameCount
      profileName = Self.profile(codec.color_primaries, codec.color_trc)?.name
    }

    private static func profile(
      _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic
    ) -> ColorProfile? {
      ColorProfile.codePoints(CodePoints(primaries: Int(primaries.rawValue), transfer: Int(transfer.rawValue)))
    }

    /// The frames of the decoder, of which H.264 and HEVC keep up to 16 of smaller sizes, and the pixels before they are
    /// copied.
    var workingByteCount: Int { width * height * (6 * 3 + 2 * 4) / 2 }

    /// Returns a frame as an upright image.
    func bitmap(of decoded: DecodedFrame, orientation: Orientation) throws(CodecError) -> Bitmap {
      let frame = decoded.frame
      let profile = Self.profile(frame.pointee.color_primaries, frame.pointee.color_trc)
      let bits = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format))?.pointee.comp.0.depth ?? 8
      let isDeep = profile.map { $0.convertsDeepPixels && (bits > 8 || $0.isHighRange) } ?? false
      let buffer = try PixelBuffer.allocate(format, width: width, height: height)
      let pixels = try decoded.converted(
        to: isDeep ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA, width: width, height: height, format)
      defer { withExtendedLifetime((decoded, pixels)) {} }
      for y in 0..<height {
        let source = pixels.frame.pointee.data.0! + y * Int(pixels.frame.pointee.linesize.0)
        if isDeep, let profile {
          source.withMemoryRebound(to: UInt16.self, capacity: width * 4) {
            profile.convertDeepToSRGB($0, bits: 16, to: buffer.row(y), pixelCount: width)
          }
        } else {
          buffer.row(y).update(from: source, count: buffer.bytesPerRow)
        }
      }
      if !isDeep { profile?.convertToSRGB(buffer, isOpaque: true) }
      PixelKernels.best.setOpaque(buffer.base, count: width * height)
      return try buffer.upright(orientation, isOpaque: true, format)
    }
  }
#endif
