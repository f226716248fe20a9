/// Work that a small file can ask for very often: by repeating, nesting or referring to something, or by stating large
/// numbers. Readers count it, and stop at the limit with ``CodecError/tooComplex(_:_:)``.
///
/// The limits are far above what real images need, and are reached within seconds and a few hundred megabytes.
public struct DecodeWork: Sendable, Hashable {
  /// What is counted, in the plural, such as "elements".
  public let name: String
  /// The amount of this work that one image may require.
  public let limit: Int

  private init(_ name: String, limit: Int) {
    self.name = name
    self.limit = limit
  }

  /// Throws ``CodecError/tooComplex(_:_:)`` if an amount is not within the limit. NaN is not.
  func check(_ amount: Double, _ format: ImageFormat) throws(CodecError) {
    guard amount <= Double(limit) else { throw .tooComplex(format, self) }
  }
}

extension DecodeWork {
  /// The pixels of all frames of an animation: each frame is a whole canvas. 60 seconds of video in 4K have 15 billion at
  /// 30 frames per second.
  package static let framePixels = DecodeWork("pixels of all frames", limit: 20_000_000_000)

  /// The steps to find the delays of the frames of an AVIF. Each takes about 1 ns.
  package static let delaySteps = DecodeWork("steps to find the delays of all frames", limit: 1_000_000_000)
  /// The pixels that are decoded for one HEIC image, which may consist of other images, and these again of others.
  package static let derivedPixels = DecodeWork("pixels of the images that an image consists of", limit: 20_000_000_000)

  /// The pixels of the layers of a JPEG XL, each of which is blended into the whole image. Each takes about 60 ns.
  package static let blendedPixels = DecodeWork("pixels of layers that are blended", limit: 500_000_000)

  /// The bytes of all tiles of a TIFF, which may be far larger than the image. An image of 100 megapixels with four
  /// floating-point samples has 1.6 billion.
  package static let tileBytes = DecodeWork("bytes of tiles", limit: 8_000_000_000)

  /// Throws if an animation has too many pixels.
  static func checkFrames(_ header: ImageHeader, count: Int) throws(CodecError) {
    try framePixels.check(
      Double(header.storedWidth) * Double(header.storedHeight) * Double(count), header.format)
  }
}

extension DecodeWork {
  // The times are of librsvg 2.54 on a processor of 3 GHz. It cannot be stopped, neither while it reads nor while it draws.

  /// The elements of a drawing. Each takes 2 KB in librsvg.
  package static let elements = DecodeWork("elements", limit: 200_000)
  /// The levels of nested elements. libxml2 has this limit too, and librsvg recurses.
  package static let levels = DecodeWork("levels of nested elements", limit: 256)
  /// The attributes of one element. libxml2 2.9 compares each with each.
  package static let attributes = DecodeWork("attributes of an element", limit: 1000)
  /// The bytes of a drawing, with its entities replaced.
  package static let markup = DecodeWork("bytes of markup", limit: 8 << 20)
  /// The style rules. Each is copied here.
  package static let styleRules = DecodeWork("style rules", limit: 10_000)
  /// The elements of a drawing times the selectors that are compared with each. A comparison takes about 20 ns.
  package static let selectorMatches = DecodeWork("comparisons of selectors with elements", limit: 100_000_000)
  /// The references between elements. Each takes 8 bytes here, and one search.
  package static let references = DecodeWork("references between elements", limit: 1_000_000)
  /// The elements that are drawn, as often as they are referred to. Each takes 2 to 4 µs.
  package static let drawnElements = DecodeWork("elements to draw", limit: 1_000_000)
  /// The lines of which all outlines consist: curves, round corners, dashes and large letters are divided into lines.
  /// Each takes about 0.1 µs and 36 bytes.
  package static let outlineLines = DecodeWork("lines in outlines", limit: 10_000_000)
  /// A font size in CSS pixels. From 2²¹, librsvg 2.54 aborts.
  package static let fontSize = DecodeWork("pixels of a font size", limit: 1_000_000)
  /// The pixels that are written for all elements.
  package static let drawnPixels = DecodeWork("pixels to draw", limit: 50_000_000_000)
  /// The pixels of layers, which are allocated, cleared and blended.
  package static let layerPixels = DecodeWork("pixels of layers", limit: 8_000_000_000)
  /// The length of all outlines in pixels. Each line takes about 14 ns in each row of pixels.
  package static let outlineLength = DecodeWork("pixels of outlines", limit: 200_000_000)
  /// The points at which a path crosses itself. Each takes 0.4 µs, and twice that if it is stroked.
  package static let crossings = DecodeWork("points at which paths cross themselves", limit: 4_000_000)
  /// The squared lengths of texts, in bytes. Pango's time for a text is proportional to it.
  package static let textLayout = DecodeWork("squared bytes of texts", limit: 25_000_000)
}
