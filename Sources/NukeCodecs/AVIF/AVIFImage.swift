#if AVIF
  internal import CNukeAVIF
  import Foundation
  import NukeImaging

  /// The properties in the boxes of an AVIF file, and the conversion of decoded planes to an image.
  struct AVIFImage: Sendable {
    let codedWidth: Int
    let codedHeight: Int
    /// The visible region, in coded pixels.
    let area: PixelRect
    let orientation: Orientation
    let bits: Int
    let hasAlpha: Bool
    /// The size of the decoded planes, in bytes.
    private let planeByteCount: Int
    let profile: ColorProfile?

    init(_ decoder: AVIFDecoder) {
      let image = decoder.image
      (codedWidth, codedHeight) = (Int(image.width), Int(image.height))
      bits = Int(image.depth)
      hasAlpha = decoder.fields.alphaPresent != AVIF_FALSE
      area = Self.area(image)
      orientation = Self.orientation(image)
      profile = Self.profile(image)
      let samples =
        switch image.yuvFormat {
        case AVIF_PIXEL_FORMAT_YUV400: 2
        case AVIF_PIXEL_FORMAT_YUV420: 3
        case AVIF_PIXEL_FORMAT_YUV422: 4
        default: 6
        }
      planeByteCount = codedWidth * codedHeight * (samples + (hasAlpha ? 2 : 0)) / 2 * (image.depth > 8 ? 2 : 1)
    }

    /// Returns the clean aperture; the whole image if it is invalid.
    private static func area(_ image: avifImage) -> PixelRect {
      let all = PixelRect(x: 0, y: 0, width: Int(image.width), height: Int(image.height))
      guard image.transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 else { return all }
      var (clap, rect, diagnostics) = (image.clap, avifCropRect(), avifDiagnostics())
      guard
        avifCropRectConvertCleanApertureBox(&rect, &clap, image.width, image.height, image.yuvFormat, &diagnostics)
          != AVIF_FALSE
      else { return all }
      let area = PixelRect(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
      return area.isEmpty || area.clipped(toWidth: all.width, height: all.height) != area ? all : area
    }

    /// Returns the rotation followed by mirroring (ISO/IEC 23008-12, 6.5.10 and 6.5.12) as an EXIF orientation.
    private static func orientation(_ image: avifImage) -> Orientation {
      let turns = image.transformFlags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(image.irot.angle & 3) : 0
      guard image.transformFlags & AVIF_TRANSFORM_IMIR.rawValue != 0 else {
        // Quarter turns are counterclockwise.
        return [.up, .left, .down, .right][turns]
      }
      return nuke_avif_mirror_axis(image.imir) == 0
        ? [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored][turns]
        : [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][turns]
    }

    private static func profile(_ image: avifImage) -> ColorProfile? {
      let model = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? ImageHeader.ColorModel.gray : .rgb
      if let profile = image.icc.bytes.flatMap({ ColorProfile(iccData: $0) }), profile.fits(model) { return profile }
      return ColorProfile.codePoints(
        CodePoints(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics)))
    }

    /// `true` if libavif delivers components with more than 8 bits.
    private var isDeep: Bool { convertsDeepPixels || roundsDeepPixels }

    /// `true` if the colors are converted before the components are rounded to 8 bits.
    private var convertsDeepPixels: Bool {
      guard let profile, profile.convertsDeepPixels else { return false }
      return bits > 8 || profile.isHighRange
    }

    /// `true` for 12 bits, which libavif 1.2 would round before it converts them to RGB, and be wrong by up to 3.
    private var roundsDeepPixels: Bool { bits > 10 }

    var workingByteCount: Int { planeByteCount + (isDeep ? codedWidth * codedHeight * 8 : 0) }

    /// Returns the most recently decoded frame as an image.
    func bitmap(of decoder: AVIFDecoder, orientation: Orientation) throws(CodecError) -> Bitmap {
      let image = decoder.image
      // The sizes in the boxes were checked against the limits, and memory is allocated for them.
      guard Int(image.width) == codedWidth, Int(image.height) == codedHeight else {
        throw .malformed(
          .avif, reason: "an image of \(image.width)x\(image.height) pixels instead of \(codedWidth)x\(codedHeight)",
          offset: nil)
      }
      let buffer = try PixelBuffer.allocate(.avif, width: codedWidth, height: codedHeight)
      if convertsDeepPixels, let profile {
        _ = try profile.convertDeep(to: buffer, .avif) { deep throws(CodecError) in
          try decoder.convert(to: deep.base, bytesPerRow: deep.bytesPerRow, bits: 16)
          return true
        }
      } else if roundsDeepPixels {
        let deep = try PixelBuffer.allocateDeep(.avif, width: codedWidth, height: codedHeight)
        try decoder.convert(to: deep.base, bytesPerRow: deep.bytesPerRow, bits: 16)
        ComponentRounding(bits: 16).round(deep.components, to: buffer.base, count: codedWidth * codedHeight * 4)
        profile?.convertToSRGB(buffer, isOpaque: image.alphaPlane == nil)
      } else {
        try decoder.convert(to: buffer.base, bytesPerRow: buffer.bytesPerRow, bits: 8)
        profile?.convertToSRGB(buffer, isOpaque: image.alphaPlane == nil)
      }
      let isOpaque = image.alphaPlane == nil ? true : buffer.premultiply()
      let shown = try cut(buffer)
      return try shown.upright(orientation, isOpaque: isOpaque || shown.isOpaque(), .avif)
    }

    private func cut(_ buffer: PixelBuffer) throws(CodecError) -> PixelBuffer {
      guard area.width < buffer.width || area.height < buffer.height else { return buffer }
      let part = try PixelBuffer.allocate(.avif, width: area.width, height: area.height)
      for y in 0..<area.height {
        part.row(y).update(from: buffer.row(area.y + y) + area.x * 4, count: part.bytesPerRow)
      }
      return part
    }
  }

  extension avifRWData {
    /// A copy of the bytes; `nil` if there are none.
    var bytes: Data? { data == nil || size == 0 ? nil : Data(bytes: data, count: size) }
  }
#endif
