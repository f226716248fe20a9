#if TIFF
  import CNukeTIFF
  public import Foundation
  public import NukeImaging

  /// Reads TIFF images with libtiff: gray, RGB, palettes, CMYK, L*a*b* and YCbCr, with 1 to 32 bits or floating point,
  /// in strips, tiles and planes.
  ///
  /// The first image of a file is read; others are pages, not frames. The result is upright according to its
  /// orientation, in sRGB according to its profile, with its alpha, whether it is stored straight or premultiplied.
  /// Samples with more than 8 bits are converted before they are rounded.
  ///
  /// Gray and RGB of floating point without a profile are linear light with sRGB's primaries, as in programs that
  /// render and composite such images. White is 1, and larger values are clipped: the file does not state how bright
  /// they should be displayed. L*a*b* is relative to D50.
  ///
  /// A fourth sample of RGB is straight alpha, unless the file states that it is something else. Many programs write alpha
  /// as an extra sample without a kind, or without saying that there is one. Colors that a file does not state follow from
  /// its samples: gray for one or two, with white as the largest value except in fax compressions, and RGB for more.
  ///
  /// Supported compressions are none, CCITT, LZW, Deflate, PackBits, JPEG, Zstandard and WebP. Others, such as LZMA and
  /// the old JPEG compression from before 1995, are ``CodecError/unsupported(_:feature:)``, because their memory use is
  /// not known in advance.
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
      workingByteCount = working + layout.alphaPlaneByteCount + (isDeep ? layout.width * layout.height * 8 : 0)
    }

    /// Available when the first directory and its values have arrived. In most files, they follow the pixels.
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
      // A TIFF is what other formats embed as EXIF.
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

    /// The texts in the fields of the file, such as its author, program and date.
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
    /// Returns the embedded profile, if it is valid and fits the pixels.
    fileprivate func profile(_ data: Data?) -> ColorProfile? {
      if case .lab = color { return nil }
      return data.flatMap { ColorProfile(iccData: $0) }.flatMap { $0.fits(color.model) ? $0 : nil }
    }

    /// The profile for a file without an embedded one; `nil` for sRGB, and for colors that need none.
    fileprivate var assumedProfile: ColorProfile? {
      let isLinear = isFloatingPoint && (color.model == .gray || color.model == .rgb)
      return isLinear ? .codePoints(CodePoints(primaries: 1, transfer: 8)) : nil
    }

    /// Returns `true` if samples are converted to sRGB with 16 bits and rounded to 8 afterwards.
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
