#if TIFF
  import CNukeTIFF
  import Foundation
  import NukeImaging

  /// The layout of the stored pixels of a TIFF (TIFF 6.0).
  struct TIFFLayout: Sendable {
    enum Color: Sendable, Hashable {
      case gray(whiteIsZero: Bool)
      case rgb
      /// A palette with three bytes per color.
      case palette([UInt8])
      /// CMYK: the largest value is full ink.
      case cmyk
      /// CIE L*a*b* relative to D50.
      case lab(LabEncoding)
      /// Pixels that libtiff converts to RGB: YCbCr without JPEG compression.
      case convertedByLibrary
    }

    enum LabEncoding: Sendable, Hashable {
      /// a* and b* are signed (TIFF 6.0, section 23).
      case signed
      /// The encoding of ICC profiles of version 2 (TIFF Technical Note 4, "ICC L*a*b*").
      case icc
    }

    enum Alpha: Sendable, Hashable {
      case none, straight, premultiplied
    }

    let width: Int
    let height: Int
    let color: Color
    let alpha: Alpha
    /// The index of the alpha sample.
    let alphaIndex: Int
    let sampleCount: Int
    let bits: Int
    let isFloatingPoint: Bool
    /// `true` if each sample has separate strips or tiles.
    let isPlanar: Bool
    /// The width and height of a tile; `nil` if there are strips.
    let tile: (width: Int, height: Int)?
    let orientation: Orientation
    let isJPEG: Bool

    /// The decoders whose memory and time are proportional to what they decode.
    private static let compressions: [Int32] = [
      COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
      COMPRESSION_LZW, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS,
      COMPRESSION_ZSTD, COMPRESSION_WEBP,
    ]

    /// The maximum number of samples per pixel. Files with more contain measurements, not images.
    private static let mostSamples = 16

    init(_ file: TIFFFile, limits: CodecLimits) throws(CodecError) {
      width = file.number(TIFFTAG_IMAGEWIDTH)
      height = file.number(TIFFTAG_IMAGELENGTH)
      try limits.check(.tiff, width: width, height: height)
      let compression = file.small(TIFFTAG_COMPRESSION)
      guard Self.compressions.contains(Int32(compression)) else {
        throw .unsupported(.tiff, feature: "compression \(compression)")
      }
      isJPEG = compression == COMPRESSION_JPEG
      sampleCount = file.small(TIFFTAG_SAMPLESPERPIXEL)
      bits = file.small(TIFFTAG_BITSPERSAMPLE)
      isPlanar = file.small(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && sampleCount > 1
      orientation = Orientation(rawValue: file.small(TIFFTAG_ORIENTATION)) ?? .up
      guard (1...Self.mostSamples).contains(sampleCount) else {
        throw .unsupported(.tiff, feature: "\(sampleCount) samples per pixel")
      }
      let format = Int32(file.small(TIFFTAG_SAMPLEFORMAT))
      isFloatingPoint = format == SAMPLEFORMAT_IEEEFP
      guard isFloatingPoint ? [16, 32, 64].contains(bits) : [1, 2, 4, 8, 16, 32].contains(bits),
        isFloatingPoint || format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID
      else {
        let kind = isFloatingPoint ? " in floating point" : format == SAMPLEFORMAT_INT ? " with signed values" : ""
        throw .unsupported(.tiff, feature: "samples of \(bits) bits\(kind)")
      }

      let color =
        file.hasSmall(TIFFTAG_PHOTOMETRIC)
        ? try Self.color(of: file, bits: bits, isPlanar: isPlanar, isJPEG: isJPEG)
        : Self.color(ofSampleCount: sampleCount, compression: Int32(compression))
      self.color = color
      let colorCount = color.sampleCount
      if case .lab = color, bits != 8 && bits != 16 || isFloatingPoint {
        throw .unsupported(.tiff, feature: "L*a*b* of \(bits) bits\(isFloatingPoint ? " in floating point" : "")")
      }
      guard sampleCount >= colorCount else {
        throw .malformed(.tiff, reason: "\(sampleCount) samples per pixel are too few for its colors", offset: nil)
      }
      let kinds = file.extraSamples.map { Int32($0) }
      let index = kinds.firstIndex { $0 == EXTRASAMPLE_ASSOCALPHA || $0 == EXTRASAMPLE_UNASSALPHA }
      if let index, colorCount + index < sampleCount, color != .convertedByLibrary {
        alpha = kinds[index] == EXTRASAMPLE_ASSOCALPHA ? .premultiplied : .straight
        alphaIndex = colorCount + index
      } else if color == .rgb, sampleCount == 4, kinds.allSatisfy({ $0 == EXTRASAMPLE_UNSPECIFIED }) {
        // OpenCV does not say what the fourth sample is, and Photoshop that it is unspecified.
        alpha = .straight
        alphaIndex = 3
      } else {
        alpha = .none
        alphaIndex = 0
      }

      guard TIFFIsTiled(file.handle) != 0 else {
        tile = nil
        return
      }
      let (tileWidth, tileHeight) = (file.number(TIFFTAG_TILEWIDTH), file.number(TIFFTAG_TILELENGTH))
      guard tileWidth > 0, tileHeight > 0, TIFFTileSize64(file.handle) <= UInt64(TIFFFile.largestAllocation) else {
        throw .unsupported(.tiff, feature: "tiles of \(tileWidth)x\(tileHeight) pixels")
      }
      let tileCount = Double((width - 1) / tileWidth + 1) * Double((height - 1) / tileHeight + 1)
      try DecodeWork.tileBytes.check(
        tileCount * Double(isPlanar ? sampleCount : 1) * Double(TIFFTileSize64(file.handle)), .tiff)
      tile = (tileWidth, tileHeight)
    }

    /// The colors of a file that does not state them.
    private static func color(ofSampleCount count: Int, compression: Int32) -> Color {
      guard count < 3 else { return .rgb }
      let isFax = [
        COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
      ].contains(compression)
      return .gray(whiteIsZero: isFax)
    }

    private static func color(
      of file: TIFFFile, bits: Int, isPlanar: Bool, isJPEG: Bool
    ) throws(CodecError) -> Color {
      let photometric = Int32(file.small(TIFFTAG_PHOTOMETRIC))
      switch photometric {
      case PHOTOMETRIC_MINISWHITE: return .gray(whiteIsZero: true)
      case PHOTOMETRIC_MINISBLACK: return .gray(whiteIsZero: false)
      case PHOTOMETRIC_RGB: return .rgb
      case PHOTOMETRIC_SEPARATED:
        guard file.small(TIFFTAG_INKSET) == INKSET_CMYK else {
          throw .unsupported(.tiff, feature: "inks other than cyan, magenta, yellow and black")
        }
        return .cmyk
      case PHOTOMETRIC_PALETTE:
        guard bits <= 8, let palette = file.palette(count: 1 << bits) else {
          throw .malformed(.tiff, reason: "palette indices of \(bits) bits without a palette", offset: nil)
        }
        return .palette(palette)
      case PHOTOMETRIC_CIELAB: return .lab(.signed)
      case PHOTOMETRIC_ICCLAB: return .lab(.icc)
      case PHOTOMETRIC_YCBCR where isJPEG && !isPlanar:
        // libjpeg delivers RGB if it is configured to.
        _ = nuke_tiff_set(file.handle, UInt32(TIFFTAG_JPEGCOLORMODE), UInt32(JPEGCOLORMODE_RGB))
        return .rgb
      case PHOTOMETRIC_YCBCR:
        var words = [CChar](repeating: 0, count: 1024)
        guard TIFFRGBAImageOK(file.handle, &words) != 0 else {
          let reason = words.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
          throw .malformed(.tiff, reason: reason, offset: nil)
        }
        return .convertedByLibrary
      default:
        throw .unsupported(.tiff, feature: "color model \(photometric)")
      }
    }
  }

  extension TIFFLayout.Color {
    var sampleCount: Int {
      switch self {
      case .gray, .palette: 1
      case .rgb, .lab, .convertedByLibrary: 3
      case .cmyk: 4
      }
    }

    var model: ImageHeader.ColorModel {
      switch self {
      case .gray: .gray
      case .rgb, .lab, .convertedByLibrary: .rgb
      case .palette: .indexed
      case .cmyk: .cmyk
      }
    }
  }
#endif
