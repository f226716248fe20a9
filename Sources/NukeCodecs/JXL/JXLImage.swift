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
    /// `true` if frames have durations. There may still be only one frame.
    let isAnimated: Bool
    let loopCount: Int
    /// The duration of a tick, in seconds.
    let tick: TimeInterval
    /// The name of the profile of the file.
    let profileName: String?
    /// The profile of the pixels that the decoder produces.
    private let profile: ColorProfile?
    private let isDeep: Bool
    private let channelCount: Int

    /// Decodes until the colors are known.
    ///
    /// - Parameter decoder: a new decoder that stops at basic information and colors.
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
        // Lossy files have floating point colors, which are rounded only after the conversion.
        isDeep = bits > 8 || profile.isHighRange || basic.uses_original_profile == JXL_FALSE
      } else {
        isDeep = false
      }
    }

    /// Throws if decoding would need more memory than images of the maximum size do.
    func check(_ limits: CodecLimits) throws(CodecError) {
      try limits.check(.jxl, width: width, height: height)
      if profile?.model == .cmyk { throw .unsupported(.jxl, feature: "an image with CMYK colors") }
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

    /// libjxl stores every channel as floats, twice while it filters. The 16-bit components are added.
    var workingByteCount: Int { width * height * (channelCount * 8 + (isDeep ? 8 : 0)) }

    /// Decodes the next frame in upright orientation; `nil` after the last one.
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
