#if HEIC
  public import Foundation
  public import NukeImaging

  /// Reads HEIC images, as phones' cameras write them, through libheif: 8, 10 and 12 bits, tiles, alpha.
  ///
  /// Colors come to sRGB by the file's ICC profile or its code points; PQ and HLG are brought into its range (ITU-R
  /// BT.2390, with white of paper at 203 candelas a square metre and a peak of 1000). libheif cuts and turns the image
  /// as its properties say, so that the header tells the upright size; an orientation in EXIF is told but not applied,
  /// as the standard asks. Of a file with several images the primary one is given. Decoding takes one thread and cannot
  /// be stopped. The thumbnail is the image that the file says is one of the primary, else that in EXIF.
  public struct HEICReader: ImageReader {
    public static var format: ImageFormat { .heic }

    public let header: ImageHeader
    private let data: Data
    private let limits: CodecLimits
    private let profile: ColorProfile?
    /// `true` if components of more than 8 bits are taken from libheif, since their colors are to be converted.
    private let isDeep: Bool
    private let isPremultiplied: Bool
    /// The item that is read; `nil` for the primary image.
    private let item: UInt32?

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      try Self.checkSignature(data)
      try self.init(data, try HEIFContext(data, limits: limits), limits: limits)
    }

    /// A reader of a thumbnail.
    ///
    /// - Parameter profile: that of the image, which the thumbnail has unless it has its own.
    private init(
      data: Data, thumbnail: UInt32, profile: ColorProfile?, limits: CodecLimits
    ) throws(CodecError) {
      let context = try HEIFContext(data, thumbnail: thumbnail, limits: limits)
      try self.init(data, context, item: thumbnail, profile: profile, limits: limits)
    }

    private init(
      _ data: Data, _ context: HEIFContext, item: UInt32? = nil, profile: ColorProfile? = nil, limits: CodecLimits
    ) throws(CodecError) {
      let (coded, size) = (context.codedSize, context.size)
      if coded.width > 0, coded.height > 0 { try limits.check(.heic, width: coded.width, height: coded.height) }
      try limits.check(.heic, width: size.width, height: size.height)
      self.data = data
      self.limits = limits
      self.item = item
      let profile = context.profile() ?? profile
      self.profile = profile.flatMap { $0.isSRGB || $0.model == .cmyk ? nil : $0 }
      isPremultiplied = context.hasAlpha && context.isPremultiplied
      isDeep = context.bits > 8 && !isPremultiplied && profile?.convertsDeepPixels == true
      header = Self.header(context, profile)
    }

    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      guard data.count >= 16 else { return nil }
      try checkSignature(data)
      return try HEIFContext.prefix(data).map { header($0, $0.profile()) }
    }

    private static func checkSignature(_ data: Data) throws(CodecError) {
      guard data.count >= 16 else { throw .truncated(.heic, byteCount: data.count) }
      try ImageFormat.heic.checkSignature(data)
    }

    private static func header(_ context: HEIFContext, _ profile: ColorProfile?) -> ImageHeader {
      var header = ImageHeader(format: .heic, storedWidth: context.size.width, storedHeight: context.size.height)
      header.bitsPerComponent = max(context.bits, 8)
      header.hasAlpha = context.hasAlpha
      header.profileName = profile?.name
      header.duration = 0
      header.exif = context.exif().flatMap { EXIF(item: $0) }
      return header
    }

    /// The thumbnail in EXIF, unless the image is turned: the thumbnail need not be in the same way.
    public var embeddedThumbnail: Data? {
      guard [nil, .up].contains(header.exif?.orientation), let context = try? context(), context.isShownAsCoded,
        let tiff = context.exif().flatMap(EXIF.tiff(item:))
      else { return nil }
      return EXIF.embeddedThumbnail(tiff: tiff)
    }

    public func thumbnailReader(limits: CodecLimits) -> (any ImageReader)? {
      if item == nil, let id = (try? context())?.thumbnail,
        let reader = try? HEICReader(data: data, thumbnail: id, profile: profile, limits: limits)
      {
        return reader
      }
      return embeddedThumbnail.flatMap { try? ImageReaders.reader(for: $0, limits: limits) }
    }

    private func context() throws(CodecError) -> HEIFContext {
      guard let item else { return try HEIFContext(data, limits: limits) }
      return try HEIFContext(data, thumbnail: item, limits: limits)
    }

    /// The decoder's planes, and its pixels before they are copied.
    public var workingByteCount: Int {
      header.storedWidth * header.storedHeight * (header.bitsPerComponent > 8 ? 6 + (isDeep ? 8 : 4) : 3 + 4)
    }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      if options.isCancelled?() == true { throw .cancelled(.heic) }
      let image = try context().decode(isDeep: isDeep, isUpright: options.orientation == nil, limits: limits)
      if options.isCancelled?() == true { throw .cancelled(.heic) }
      let (width, height) = (image.width, image.height)
      // The boxes were checked against the limits; what was coded is checked now.
      try limits.check(.heic, width: width, height: height)
      if options.orientation == nil, width != header.storedWidth || height != header.storedHeight {
        throw .malformed(
          .heic, reason: "an image of \(width)x\(height) where \(header.storedWidth)x\(header.storedHeight) is due",
          offset: nil)
      }
      let buffer = try PixelBuffer.allocate(.heic, width: width, height: height)
      try fill(buffer, from: image)
      if isPremultiplied {
        PixelKernels.best.unpremultiply(buffer.base, to: buffer.base, count: width * height)
      }
      if !isDeep { profile?.convertToSRGB(buffer, isOpaque: !header.hasAlpha) }
      let isOpaque = header.hasAlpha ? buffer.premultiply() : true
      return try buffer.upright(options.orientation ?? .up, isOpaque: isOpaque, .heic)
    }

    /// Copies the rows, converted where they are deep.
    private func fill(_ buffer: PixelBuffer, from image: HEIFImage) throws(CodecError) {
      let rowByteCount = buffer.bytesPerRow * (isDeep ? 2 : 1)
      guard let (base, stride) = image.rows, stride >= rowByteCount, !isDeep || (8...16).contains(image.bits) else {
        throw .malformed(.heic, reason: "libheif gave no pixels", offset: nil)
      }
      for y in 0..<buffer.height {
        let source = base + y * stride
        if isDeep, let profile {
          source.withMemoryRebound(to: UInt16.self, capacity: buffer.width * 4) { components in
            profile.convertDeepToSRGB(components, bits: image.bits, to: buffer.row(y), pixelCount: buffer.width)
          }
        } else {
          buffer.row(y).update(from: source, count: buffer.bytesPerRow)
        }
      }
      if !header.hasAlpha { PixelKernels.best.setOpaque(buffer.base, count: buffer.width * buffer.height) }
    }
  }
#endif
