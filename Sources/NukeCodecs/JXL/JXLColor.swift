#if JPEGXL
  internal import CNukeJXL
  import Foundation
  import NukeImaging

  extension JXLDecoder {
    /// Returns the profile of the file, or of the pixels that the decoder produces, which can differ.
    func profile(_ target: JxlColorProfileTarget) -> ColorProfile? {
      var encoding = JxlColorEncoding()
      if nuke_jxl_color_encoding(decoder, target, &encoding) == JXL_DEC_SUCCESS {
        return encoding.profile
      }
      var size = 0
      guard nuke_jxl_icc_size(decoder, target, &size) == JXL_DEC_SUCCESS, size > 0, size <= Self.profileLimit else {
        return nil
      }
      var icc = Data(count: size)
      let status = icc.withUnsafeMutableBytes {
        nuke_jxl_icc(decoder, target, $0.assumingMemoryBound(to: UInt8.self).baseAddress, size)
      }
      return status == JXL_DEC_SUCCESS ? ColorProfile(iccData: icc) : nil
    }

    /// The maximum size of a profile, in bytes. Profiles of cameras and printers are much smaller.
    private static let profileLimit = 4 << 20
  }

  extension JxlColorEncoding {
    /// The profile; `nil` if the encoding is unknown.
    fileprivate var profile: ColorProfile? {
      guard color_space == JXL_COLOR_SPACE_RGB || color_space == JXL_COLOR_SPACE_GRAY else { return nil }
      guard let chromaticities else { return nil }
      guard transfer_function == JXL_TRANSFER_FUNCTION_GAMMA else {
        // JPEG XL uses the same numbers as H.273 for transfer functions and most primaries.
        let transfer = Int(transfer_function.rawValue)
        let name = CodePoints(primaries: codePoint, transfer: transfer).name
        return ColorProfile(chromaticities, transfer: transfer, name: codePoint == 0 ? nil : name)
      }
      return ColorProfile(gamma: gamma, chromaticities: chromaticities)
    }

    private var whitePoint: SIMD2<Double> {
      switch white_point {
      case JXL_WHITE_POINT_CUSTOM: .init(white_point_xy.0, white_point_xy.1)
      case JXL_WHITE_POINT_E: .init(1.0 / 3, 1.0 / 3)
      case JXL_WHITE_POINT_DCI: .init(0.314, 0.351)
      default: .init(0.3127, 0.3290)
      }
    }

    private var chromaticities: Chromaticities? {
      // Gray has no primaries, and is adapted to the white point anyway.
      if color_space == JXL_COLOR_SPACE_GRAY { return .sRGB }
      var result: Chromaticities
      switch primaries {
      case JXL_PRIMARIES_SRGB: result = .sRGB
      case JXL_PRIMARIES_2100: result = .bt2020
      case JXL_PRIMARIES_P3: result = .p3(white: whitePoint)
      case JXL_PRIMARIES_CUSTOM:
        result = Chromaticities(
          white: whitePoint, red: .init(primaries_red_xy.0, primaries_red_xy.1),
          green: .init(primaries_green_xy.0, primaries_green_xy.1),
          blue: .init(primaries_blue_xy.0, primaries_blue_xy.1))
      default: return nil
      }
      result.white = whitePoint
      return result
    }

    /// The H.273 code point of the primaries; 0 if there is none.
    private var codePoint: Int {
      if color_space == JXL_COLOR_SPACE_GRAY { return 1 }
      return switch (primaries, white_point) {
      case (JXL_PRIMARIES_SRGB, JXL_WHITE_POINT_D65): 1
      case (JXL_PRIMARIES_2100, JXL_WHITE_POINT_D65): 9
      case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_D65): 12
      case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_DCI): 11
      default: 0
      }
    }
  }
#endif
