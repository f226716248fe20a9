#if HEIC
  public import Foundation
  public import NukeImaging

  /// Reads HEIC images, the format of phone cameras, with libheif: 8, 10 and 12 bits, tiles, and alpha.
  ///
  /// Colors are converted to sRGB from the ICC profile or the code points of the file. PQ and HLG are tone mapped
  /// (ITU-R BT.2390, with reference white at 203 cd/m² and a peak of 1000 cd/m²). libheif crops and rotates the image
  /// according to its properties, so the header contains the upright size. An orientation in EXIF is reported but not
  /// applied, as the standard requires. If a file contains several images, the primary one is read.
  /// The thumbnail is a thumbnail item of the primary image, or else the one in EXIF. Decoding uses one thread and cannot
  /// be stopped.
  public struct HEICReader: ImageReader {
    public static var format: ImageFormat { .heic }

    public let header: ImageHeader
    private let data: Data
    private let limits: CodecLimits
    private let profile: ColorProfile?
    /// `true` if the components have more than 8 bits. libheif would round them before it converts them to RGB (1.23), and
    /// be wrong by up to 3.
    private let isDeep: Bool
    /// `true` if the colors are converted before the components are rounded to 8 bits.
    private let convertsDeepPixels: Bool
    private let isPremultiplied: Bool
    /// The ID of the item to read; `nil` for the primary image.
    private let item: UInt32?

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      try Self.checkSignature(data)
      try self.init(data, try HEIFContext(data, limits: limits), limits: limits)
    }

    /// Creates a reader for a thumbnail.
    ///
    /// - Parameter profile: the profile of the image, used if the thumbnail has none.
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
      isDeep = context.bits > 8
      convertsDeepPixels = isDeep && !isPremultiplied && profile?.convertsDeepPixels == true
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

    public var metadata: ImageMetadata {
      let context = try? context()
      return ImageMetadata(
        exif: context?.exif().flatMap(EXIF.tiff(item:)).flatMap(ImageMetadata.block),
        xmp: context?.xmp().flatMap(ImageMetadata.block), hasColorProfile: header.profileName != nil)
    }

    /// The thumbnail in EXIF. `nil` if the image is rotated, since the orientation of the thumbnail is not known then.
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

    /// The planes of the decoder, and its pixels before they are copied.
    public var workingByteCount: Int {
      header.storedWidth * header.storedHeight * (isDeep ? 6 + 8 : 3 + 4)
    }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      if options.isCancelled?() == true { throw .cancelled(.heic) }
      let image = try context().decode(isDeep: isDeep, isUpright: options.orientation == nil, limits: limits)
      if options.isCancelled?() == true { throw .cancelled(.heic) }
      let (width, height) = (image.width, image.height)
      // The sizes in the boxes were checked before; this is the size of the coded image.
      try limits.check(.heic, width: width, height: height)
      if options.orientation == nil, width != header.storedWidth || height != header.storedHeight {
        throw .malformed(
          .heic,
          reason: "an image of \(width)x\(height) pixels instead of \(header.storedWidth)x\(header.storedHeight)",
          offset: nil)
      }
      let buffer = try PixelBuffer.allocate(.heic, width: width, height: height)
      try fill(buffer, from: image)
      if isPremultiplied {
        PixelKernels.best.unpremultiply(buffer.base, to: buffer.base, count: width * height)
      }
      if !convertsDeepPixels { profile?.convertToSRGB(buffer, isOpaque: !header.hasAlpha) }
      let isOpaque = header.hasAlpha ? buffer.premultiply() : true
      return try buffer.upright(options.orientation ?? .up, isOpaque: isOpaque, .heic)
    }

    /// Copies the rows, and converts components with more than 8 bits.
    private func fill(_ buffer: PixelBuffer, from image: HEIFImage) throws(CodecError) {
      let rowByteCount = buffer.bytesPerRow * (isDeep ? 2 : 1)
      guard let (base, stride) = image.rows, stride >= rowByteCount, !isDeep || (8...16).contains(image.bits) else {
        throw .malformed(.heic, reason: "libheif returned no pixels", offset: nil)
      }
      let rounding = isDeep ? ComponentRounding(bits: image.bits) : nil
      for y in 0..<buffer.height {
        let source = base + y * stride
        if let rounding {
          source.withMemoryRebound(to: UInt16.self, capacity: buffer.width * 4) { components in
            if convertsDeepPixels, let profile {
              profile.convertDeepToSRGB(components, bits: image.bits, to: buffer.row(y), pixelCount: buffer.width)
            } else {
              rounding.round(components, to: buffer.row(y), count: buffer.width * 4)
            }
          }
        } else {
          buffer.row(y).update(from: source, count: buffer.bytesPerRow)
        }
      }
      if !header.hasAlpha { PixelKernels.best.setOpaque(buffer.base, count: buffer.width * buffer.height) }
    }
  }
#endif
