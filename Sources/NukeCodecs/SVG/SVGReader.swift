#if SVG
  public import Foundation
  import NukeBase
  public import NukeImaging

  /// Draws SVG images with librsvg, at their own size or any other: see ``DecodeOptions/targetSize``.
  ///
  /// The image's own size is given by its `width` and `height`, else by its `viewBox`, else it is 300 by 150, in CSS
  /// pixels (96 per inch). Colors are sRGB, and the background is transparent.
  ///
  /// No scripts are run, and no files, style sheets or images are loaded: what refers to them is ignored, and the rest is
  /// drawn. Only embedded JPEG, PNG, GIF and WebP images (`data:` URLs in Base64) are shown, within the limits. Embedded
  /// images that cannot be read are ignored too. Text is drawn with the system's fonts.
  ///
  /// The limits apply to the size at which a drawing is drawn, and not to its own. A drawing may be compressed by gzip, as
  /// in files with the extension `svgz`.
  ///
  /// A small file can take hours to draw, and librsvg cannot be stopped. Therefore, the document type is resolved
  /// first, and elements, references, selectors, and the lines of curves and dashes are counted as often as they are
  /// drawn. A drawing is rejected (``CodecError/tooComplex(_:_:)``) if it has more than 8 MB of text, elements nested
  /// more than 256 levels deep, font sizes above 1,000,000 pixels, or more than can be drawn in seconds at the requested
  /// size. The filters `feConvolveMatrix`, `feMorphology` and `feTile` are rejected too, because librsvg 2.54 may take
  /// minutes for them or end the program.
  public struct SVGReader: ImageReader {
    public static let format = ImageFormat.svg

    public let header: ImageHeader
    public var isVector: Bool { true }
    public var workingByteCount: Int { cost.layerByteCount(width: header.storedWidth, height: header.storedHeight) }
    private let text: [UInt8]
    private let cost: SVGCost
    private let limits: CodecLimits
    /// The parsed drawing, while no thread draws it.
    private let drawing: ParsedDrawing

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      var (markup, text) = try Self.text(of: data)
      try Self.check(markup.images, limits)
      try markup.applySheets()
      let parsed = try Self.onDeepStack(data.count) { () throws(CodecError) in
        let drawing = try SVGDrawing(text)
        return (drawing, try SVGCost(markup, width: drawing.width, height: drawing.height))
      }
      self.text = text
      self.limits = limits
      cost = parsed.1
      drawing = ParsedDrawing(parsed.0)
      // Very small drawings have one pixel, and very large sizes are clamped to a valid number.
      let sides = [parsed.0.width, parsed.0.height].map { max(1, Int(exactly: min($0.rounded(), 1e9)) ?? 1) }
      header = Self.header(width: sides[0], height: sides[1])
      try CodecLimits.statedByDrawing.check(.svg, width: sides[0], height: sides[1])
    }

    /// The size is in the first element, but librsvg can only parse the whole drawing. Throws nothing: more bytes may help
    /// against any error, because a drawing can be cut off in a comment, a reference or a style sheet.
    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      try? SVGReader(data: data, limits: .unlimited).header
    }

    private static func text(of data: Data) throws(CodecError) -> (SVGMarkup, [UInt8]) {
      guard ImageFormat(sniffing: data) == .svg else {
        throw .malformed(.svg, reason: "the first element is not <svg>", offset: 0)
      }
      let text = try SVGText(data)
      return (text.markup, text.output)
    }

    /// librsvg decodes embedded images without our limits, so their headers are checked before. An image that is too large
    /// is an error, because the drawing would lack something that can be drawn.
    private static func check(_ images: [ImageHeader], _ limits: CodecLimits) throws(CodecError) {
      var pixels = 0
      for image in images {
        try limits.check(image.format, width: image.storedWidth, height: image.storedHeight)
        try limits.check(image.format, frameCount: image.frameCount ?? 1)
        // Each of the two is at most `Int.max`.
        let (sum, isBeyondCounting) = pixels.addingReportingOverflow(image.storedWidth * image.storedHeight)
        pixels = sum
        guard !isBeyondCounting, pixels <= limits.maximumPixelCount else {
          throw .tooLarge(
            .svg, width: image.storedWidth, height: image.storedHeight, limit: .pixelCount(limits.maximumPixelCount))
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
        let taken = if let drawing = drawing.take() { drawing } else { try SVGDrawing(text) }
        try taken.draw(into: buffer)
        drawing.put(taken)
      }
      if options.isCancelled?() == true { throw .cancelled(.svg) }
      #if _endian(little)
        PixelKernels.best.swapRedBlue(buffer.base, to: buffer.base, count: width * height)
      #endif
      return try buffer.upright(options.orientation ?? .up, isOpaque: buffer.isOpaque(), .svg)
    }
  }

  /// A drawing that one thread at a time can take, so that a file is not parsed again for each image.
  private final class ParsedDrawing: Sendable {
    private let drawing: Lock<SVGDrawing?>

    init(_ drawing: sending SVGDrawing) { self.drawing = Lock(drawing) }

    /// Returns the drawing, or `nil` while another thread has it.
    func take() -> sending SVGDrawing? {
      drawing.withLock { drawing in
        defer { drawing = nil }
        return drawing
      }
    }

    func put(_ drawing: sending SVGDrawing) { self.drawing.withLock { $0 = drawing } }
  }
#endif
