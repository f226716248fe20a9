#if TIFF
  import CNukeTIFF
  public import Foundation
  public import NukeImaging

  /// Reads TIFF through libtiff: gray, RGB, palettes, CMYK, L*a*b* and YCbCr, samples of 1 to 32 bits or floating point,
  /// in strips, tiles and planes.
  ///
  /// The first image of a file is read; further ones are pages, not frames. It comes upright by its orientation, in
  /// sRGB by its profile, with its alpha, be it stored straight or premultiplied. Samples of more than 8 bits are
  /// converted before they are rounded.
  ///
  /// Gray and RGB of floating point without a profile are linear light with sRGB's primaries, as programs take them that
  /// render and composite such images. Their white is 1, and what is above it is clipped: the file does not say how much
  /// brighter it is meant to be shown. L*a*b* is that of D50.
  ///
  /// Read are files that are stored as they are or compressed by CCITT's codes, LZW, Deflate, PackBits, JPEG, Zstandard
  /// or WebP. Others, such as LZMA and the JPEG of before 1995, are ``CodecError/unsupported(_:feature:)``: what they can
  /// take of memory cannot be told before.
  public struct TIFFReader: ImageReader {
    public static let format = ImageFormat.tiff

    public let header: ImageHeader
    let data: Data
    let layout: TIFFLayout
    let profile: ColorProfile?
    public let workingByteCount: Int

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      let (layout, embedded, header, working) = try data.reading { bytes throws(CodecError) in
        guard try Self.isComplete(bytes) else { throw .truncated(.tiff, byteCount: data.count) }
        return try Self.open(bytes, data, limits)
      }
      self.layout = layout
      let profile = embedded ?? layout.assumedProfile
      self.profile = profile.flatMap { $0.isSRGB ? nil : $0 }
      self.header = header
      self.data = data
      let isDeep = layout.isDeep(with: self.profile)
      workingByteCount = working + (isDeep ? layout.width * layout.height * 8 : 0)
    }

    /// Known once the first directory is there with all that belongs to it, which in most files stands behind the pixels.
    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      try data.reading { bytes throws(CodecError) in
        guard try isComplete(bytes) else { return nil }
        return try open(bytes, data, .unlimited).2
      }
    }

    private static func isComplete(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Bool {
      guard bytes.count >= 4 else { return false }
      try format.checkSignature(Data(bytes.prefix(4)))
      return try TIFFDirectory(bytes).isComplete
    }

    private static func open(
      _ bytes: UnsafeRawBufferPointer, _ data: Data, _ limits: CodecLimits
    ) throws(CodecError) -> (TIFFLayout, ColorProfile?, ImageHeader, Int) {
      let file = try TIFFFile(reading: bytes)
      let layout = try TIFFLayout(file, limits: limits)
      let profile = layout.profile(file.data(TIFFTAG_ICCPROFILE))
      var header = ImageHeader(format: .tiff, storedWidth: layout.width, storedHeight: layout.height)
      header.orientation = layout.orientation
      header.colorModel = layout.color.model
      header.bitsPerComponent = layout.bits
      header.hasAlpha = layout.alpha != .none
      header.profileName = profile?.name
      header.duration = 0
      // A TIFF is itself what other formats embed as EXIF.
      if var exif = EXIF(tiff: data) {
        let orientation = exif.orientation
        exif.orientation = nil
        if exif != EXIF() {
          exif.orientation = orientation
          header.exif = exif
        }
      }
      let working = layout.tile != nil ? TIFFTileSize64(file.handle) : TIFFScanlineSize64(file.handle)
      return (layout, profile, header, Int(clamping: working))
    }

    /// Of the fields of the file itself the texts: who made it, by what and when.
    public var metadata: ImageMetadata {
      var metadata = ImageMetadata(hasColorProfile: header.profileName != nil)
      metadata.exif = EXIFBlock.texts(in: data, EXIFTag.ofTIFF).flatMap(EXIFBlock.block)
      metadata.xmp = data.withUnsafeBytes { bytes in (try? TIFFFile(reading: bytes))?.data(TIFFTAG_XMLPACKET) }
      return metadata
    }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      let buffer = try PixelBuffer.allocate(.tiff, width: layout.width, height: layout.height)
      let isOpaque = try data.reading { bytes throws(CodecError) in
        let decoding = try TIFFDecoding(
          bytes, layout: layout, profile: profile, buffer: buffer, isCancelled: options.isCancelled)
        return try decoding.run()
      }
      return try buffer.upright(options.orientation ?? header.orientation, isOpaque: isOpaque, .tiff)
    }
  }

  extension TIFFLayout {
    /// The embedded profile, if it is sound and fits.
    fileprivate func profile(_ data: Data?) -> ColorProfile? {
      if case .lab = color { return nil }
      return data.flatMap { ColorProfile(iccData: $0) }.flatMap { $0.fits(color.model) ? $0 : nil }
    }

    /// The profile of a file that embeds none; `nil` for sRGB, and for colors that need none.
    fileprivate var assumedProfile: ColorProfile? {
      let isLinear = isFloatingPoint && (color.model == .gray || color.model == .rgb)
      return isLinear ? .codePoints(CodePoints(primaries: 1, transfer: 8)) : nil
    }

    /// `true` if samples are converted to sRGB from 16 bits, and rounded to 8 after that.
    func isDeep(with profile: ColorProfile?) -> Bool {
      switch color {
      case .lab: true
      case .cmyk: bits > 8
      case .gray, .rgb: bits > 8 && profile != nil
      case .palette, .convertedByLibrary: false
      }
    }
  }
#endif
