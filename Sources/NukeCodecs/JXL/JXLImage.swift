#if JPEGXL
  internal import CNukeJXL
  import Foundation
  import NukeImaging

  /// The header of a JPEG XL image, and the conversion of decoded pixels to an image.
  struct JXLImage: Sendable {
    let width: Int
    let height: Int
    let bits: Int
    let isGray: Bool
    let hasAlpha: Bool
    let orientation: Orientation
    /// Frames have durations; whether there are several is another question.
    let isAnimated: Bool
    let loopCount: Int
    /// Seconds of one tick.
    let tick: TimeInterval
    /// Of the file.
    let profileName: String?
    /// Of the pixels that the decoder gives.
    private let profile: ColorProfile?
    private let isDeep: Bool
    private let channelCount: Int

    /// Reads on until colors are known.
    ///
    /// - Parameter decoder: one that has read nothing, and stops at basic information and colors.
    init(_ decoder: JXLDecoder) throws(CodecError) {
      var basic: JxlBasicInfo?
      while true {
        let status = try decoder.next()
        if status == JXL_DEC_BASIC_INFO { basic = try decoder.basicInfo() }
        if status == JXL_DEC_COLOR_ENCODING { break }
        if status == JXL_DEC_SUCCESS { throw .malformed(.jxl, reason: "there is no image", offset: nil) }
      }
      guard let basic else { throw .malformed(.jxl, reason: "there is no basic information", offset: nil) }
      (width, height) = (Int(basic.xsize), Int(basic.ysize))
      bits = Int(basic.bits_per_sample)
      isGray = basic.num_color_channels == 1
      hasAlpha = basic.alpha_bits > 0
      channelCount = Int(basic.num_color_channels) + Int(basic.num_extra_channels)
      orientation = Orientation(rawValue: Int(basic.orientation.rawValue)) ?? .up
      isAnimated = basic.have_animation != JXL_FALSE
      loopCount = isAnimated ? Int(basic.animation.num_loops) : 1
      let ticksPerSecond = Double(basic.animation.tps_numerator) / Double(max(basic.animation.tps_denominator, 1))
      tick = isAnimated && ticksPerSecond > 0 ? 1 / ticksPerSecond : 0
      profileName = decoder.profile(JXL_COLOR_PROFILE_TARGET_ORIGINAL)?.name
      profile = decoder.profile(JXL_COLOR_PROFILE_TARGET_DATA)
      if let profile, profile.convertsDeepPixels {
        // Colors of a lossy file are floats before they are rounded.
        isDeep = bits > 8 || profile.isHighRange || basic.uses_original_profile == JXL_FALSE
      } else {
        isDeep = false
      }
    }

    /// Refuses what would take more memory than images of the largest size allowed do.
    func check(_ limits: CodecLimits) throws(CodecError) {
      try limits.check(.jxl, width: width, height: height)
      if profile?.model == .cmyk { throw .unsupported(.jxl, feature: "an image of printing inks") }
      let (samples, overflow) = (width * height).multipliedReportingOverflow(by: channelCount)
      guard !overflow, samples / 8 <= limits.maximumPixelCount else {
        throw .unsupported(.jxl, feature: "an image of \(width)x\(height) pixels with \(channelCount) channels")
      }
    }

    var header: ImageHeader {
      var header = ImageHeader(format: .jxl, storedWidth: width, storedHeight: height)
      header.orientation = orientation
      header.colorModel = isGray ? .gray : .rgb
      header.bitsPerComponent = bits
      header.hasAlpha = hasAlpha
      header.profileName = profileName
      return header
    }

    /// libjxl keeps every channel as floats, twice where it filters, and 16 bits of ours come to that.
    var workingByteCount: Int { width * height * (channelCount * 8 + (isDeep ? 8 : 0)) }

    /// Decodes the next frame, upright; `nil` after the last one.
    func nextFrame(of decoder: JXLDecoder, orientation: Orientation) throws(CodecError) -> Bitmap? {
      let buffer = try PixelBuffer.allocate(.jxl, width: width, height: height)
      if isDeep, let profile {
        let isDecoded = try profile.convertDeep(to: buffer, .jxl) { deep throws(CodecError) in
          try decoder.decodeFrame(to: deep.base, byteCount: deep.byteCount, bits: 16)
        }
        guard isDecoded else { return nil }
      } else {
        guard try decoder.decodeFrame(to: buffer.base, byteCount: buffer.byteCount, bits: 8) else { return nil }
        profile?.convertToSRGB(buffer, isOpaque: !hasAlpha)
      }
      let isOpaque = hasAlpha ? buffer.premultiply() : true
      return try buffer.upright(orientation, isOpaque: isOpaque, .jxl)
    }
  }
#endif
