#if SVG
  public import Foundation
  public import NukeImaging

  /// Draws SVG through librsvg, at its own size or at any other: see ``DecodeOptions/targetSize``.
  ///
  /// Its own size is what its `width` and `height` say, else that of its `viewBox`, else 300 by 150, in pixels of CSS,
  /// 96 to the inch. Colors are sRGB, and what is not drawn on is transparent.
  ///
  /// A drawing stands for itself: no script is run, and nothing is fetched, be it a file, a style sheet or an image.
  /// Only JPEG, PNG, GIF and WebP that are embedded (`data:` URLs in Base64) are shown, within the limits. Text is
  /// drawn with the fonts of the system.
  ///
  /// Drawings can be small and cost hours. Before librsvg, which cannot be stopped, gets one, its document type is resolved,
  /// its elements are counted as often as they are drawn, and it is refused (``CodecError/unsupported(_:feature:)``) where
  /// it has more than 8 MB of text, elements more than 256 deep, or more than can be drawn in seconds at the size that is
  /// asked for. Refused are also two filters, `feConvolveMatrix` and `feMorphology`.
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
      // Small drawings have a pixel, and sizes beyond any limit are still numbers.
      let sides = [width, height].map { max(1, Int(exactly: min($0, 1e9)) ?? 1) }
      header = Self.header(width: sides[0], height: sides[1])
      try limits.check(.svg, width: sides[0], height: sides[1])
    }

    /// A drawing says its size in its first element, but only all of it can be read.
    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      try unlessTruncated { () throws(CodecError) in try SVGReader(data: data, limits: .unlimited).header }
    }

    private static func text(of data: Data) throws(CodecError) -> SVGText {
      guard ImageFormat(sniffing: data) == .svg else {
        throw .malformed(.svg, reason: "the first element is no drawing", offset: 0)
      }
      return try SVGText(data)
    }

    /// Embedded images are decoded by others, without our limits: they are looked at before.
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

    /// - Parameter body: runs on a thread of its own, while the caller waits.
    private static func onDeepStack<Value>(
      _ byteCount: Int, _ body: () throws(CodecError) -> Value
    ) throws(CodecError) -> Value {
      let result = DeepStack.run { Result { () throws(CodecError) in try body() } }
      guard let result else { throw .outOfMemory(.svg, byteCount: byteCount) }
      return try result.get()
    }

    /// Not stopped once it draws: cancellation is asked for before and after.
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
