#if SVG
  public import Foundation
  public import NukeImaging

  /// Draws SVG images with librsvg, at their own size or any other: see ``DecodeOptions/targetSize``.
  ///
  /// The image's own size is given by its `width` and `height`, else by its `viewBox`, else it is 300 by 150, in CSS
  /// pixels (96 per inch). Colors are sRGB, and the background is transparent.
  ///
  /// No scripts are run, and no files, style sheets or images are loaded. Only embedded JPEG, PNG, GIF and WebP images
  /// (`data:` URLs in Base64) are shown, within the limits. Text is drawn with the system's fonts.
  ///
  /// A small file can take hours to draw, and librsvg cannot be stopped. Therefore, the document type is resolved
  /// first, and the elements are counted as often as they are drawn. A drawing is rejected
  /// (``CodecError/unsupported(_:feature:)``) if it has more than 8 MB of text, elements nested more than 256 levels
  /// deep, or more than can be drawn in seconds at the requested size. The filters `feConvolveMatrix` and
  /// `feMorphology` are rejected too.
  public struct SVGReader: ImageReader {
    public static let format = ImageFormat.svg

    public let header: ImageHeader
    public var isVector: Bool { true }
    public var workingByteCount: Int { cost.layerByteCount(width: header.storedWidth, height: header.storedHeight) }
    private let text: [UInt8]
    private let cost: SVGCost
    private let limits: CodecLimits

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      let text = try Self.text(of: data)
      try Self.check(text.markup.images, limits)
      self.text = text.output
      self.limits = limits
      let (cost, width, height) = try Self.onDeepStack(data.count) { () throws(CodecError) in
        let cost = try SVGCost(text.markup)
        let drawing = try SVGDrawing(text.output, byteCount: data.count)
        return (cost, drawing.width.rounded(), drawing.height.rounded())
      }
      self.cost = cost
      // Very small drawings have one pixel, and very large sizes are clamped to a valid number.
      let sides = [width, height].map { max(1, Int(exactly: min($0, 1e9)) ?? 1) }
      header = Self.header(width: sides[0], height: sides[1])
      try limits.check(.svg, width: sides[0], height: sides[1])
    }

    /// The size is in the first element, but librsvg can only parse the whole drawing.
    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      try unlessTruncated { () throws(CodecError) in try SVGReader(data: data, limits: .unlimited).header }
    }

    private static func text(of data: Data) throws(CodecError) -> SVGText {
      guard ImageFormat(sniffing: data) == .svg else {
        throw .malformed(.svg, reason: "the first element is no drawing", offset: 0)
      }
      return try SVGText(data)
    }

    /// librsvg decodes embedded images without our limits, so their headers are checked before.
    private static func check(_ images: [Data], _ limits: CodecLimits) throws(CodecError) {
      var pixels = 0
      for image in images {
        guard let format = ImageFormat(sniffing: image), [.jpeg, .png, .gif, .webp].contains(format) else {
          throw .unsupported(.svg, feature: "an embedded image that is no JPEG, PNG, GIF or WebP")
        }
        let header = try ImageReaders.reader(for: image, limits: limits).header
        pixels += header.storedWidth * header.storedHeight
        guard pixels <= limits.maximumPixelCount else {
          throw .tooLarge(
            .svg, width: header.storedWidth, height: header.storedHeight, limit: .pixelCount(limits.maximumPixelCount))
        }
      }
    }

    private static func header(width: Int, height: Int) -> ImageHeader {
      var header = ImageHeader(format: .svg, storedWidth: width, storedHeight: height)
      header.hasAlpha = true
      header.duration = 0
      return header
    }

    /// - Parameter body: runs on a separate thread, while the caller waits.
    private static func onDeepStack<Value>(
      _ byteCount: Int, _ body: () throws(CodecError) -> Value
    ) throws(CodecError) -> Value {
      let result = DeepStack.run { Result { () throws(CodecError) in try body() } }
      guard let result else { throw .outOfMemory(.svg, byteCount: byteCount) }
      return try result.get()
    }

    /// Drawing cannot be stopped. Cancellation is checked before and after it.
    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      let width = options.targetSize?.width ?? header.storedWidth
      let height = options.targetSize?.height ?? header.storedHeight
      try limits.check(.svg, width: width, height: height)
      try cost.check(width: width, height: height)
      if options.isCancelled?() == true { throw .cancelled(.svg) }
      let buffer = try PixelBuffer.allocate(.svg, width: width, height: height)
      try Self.onDeepStack(text.count) { () throws(CodecError) in
        try SVGDrawing(text, byteCount: text.count).draw(into: buffer)
      }
      if options.isCancelled?() == true { throw .cancelled(.svg) }
      #if _endian(little)
        PixelKernels.best.swapRedBlue(buffer.base, to: buffer.base, count: width * height)
      #endif
      return try buffer.upright(options.orientation ?? .up, isOpaque: buffer.isOpaque(), .svg)
    }
  }
#endif
