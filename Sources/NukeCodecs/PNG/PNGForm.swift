import NukeImaging

/// The format in which a PNG stores pixels: a color type, a depth and a palette.
struct PNGForm {
  /// The values are those of the header (PNG specification, 11.2.2).
  enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case indexed = 3
    case grayAlpha = 4
    case rgbAlpha = 6

    var sampleCount: UInt8 {
      switch self {
      case .gray, .indexed: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgbAlpha: 4
      }
    }
  }

  let colorType: ColorType
  let bitDepth: UInt8
  /// The palette as straight RGBA. Colors that are not opaque come first, so that fewer alpha values are stored.
  let palette: [SIMD4<UInt8>]
  private var table = ColorTable()
  /// The palette index of each color, by its index in ``table``.
  private var places: [UInt8] = []

  /// Creates the smallest format that stores every pixel exactly.
  ///
  /// - Parameters:
  ///   - contents: the contents of all pixels.
  ///   - width: the number of pixels in a row.
  ///   - rowCount: the number of rows in all frames.
  init(_ contents: Contents, width: Int, rowCount: Int) {
    let grayBits = contents.grayBits
    let plain: ColorType =
      grayBits != nil ? (contents.isOpaque ? .gray : .grayAlpha) : (contents.isOpaque ? .rgb : .rgbAlpha)
    let plainBits = plain == .gray ? grayBits ?? 8 : 8 * Int(plain.sampleCount)
    // A palette needs three bytes for an opaque color, four for another one, and two chunks.
    if plainBits > 1, let table = contents.table {
      let bits = Self.indexBits(table.colors.count)
      let saved = rowCount * ((width * plainBits + 7) / 8 - (width * bits + 7) / 8)
      let translucent = table.colors.count { $0 >> 24 < 255 }
      let cost = 12 + 3 * table.colors.count + (translucent > 0 ? 12 + translucent : 0)
      if saved > cost {
        self.table = table
        (colorType, bitDepth) = (.indexed, UInt8(bits))
        (palette, places) = Self.palette(table.colors)
        return
      }
    }
    (colorType, bitDepth) = (plain, plain == .gray ? UInt8(plainBits) : 8)
    palette = []
  }

  /// Creates a format of 8 bits a sample without a palette.
  init(_ contents: RowContents) {
    (colorType, bitDepth, palette) = (
      contents.isGray ? (contents.isOpaque ? .gray : .grayAlpha) : (contents.isOpaque ? .rgb : .rgbAlpha), 8, []
    )
  }

  /// Creates a palette of the given colors, at most 256. ``place(of:)`` converts indices of `colors`.
  init(colors: [UInt32]) {
    (colorType, bitDepth) = (.indexed, UInt8(Self.indexBits(colors.count)))
    (palette, places) = Self.palette(colors)
  }

  /// `true` if the format can store a transparent pixel.
  var holdsTransparent: Bool {
    switch colorType {
    case .gray, .rgb: false
    case .grayAlpha, .rgbAlpha: true
    case .indexed: table[0] != nil
    }
  }

  /// Returns the palette index of the color at `index` of the given colors.
  func place(of index: UInt8) -> UInt8 { places[Int(index)] }

  /// Returns the palette index of a pixel whose color is in the palette.
  func index(of pixel: UInt32) -> UInt8 { places[Int(table[pixel] ?? 0)] }

  fileprivate static func indexBits(_ count: Int) -> Int { count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8 }

  /// Sorts colors by alpha, and otherwise keeps their order. Returns the palette and the new index of each color.
  private static func palette(_ colors: [UInt32]) -> ([SIMD4<UInt8>], places: [UInt8]) {
    let isTranslucent = { (index: Int) in colors[index] >> 24 < 255 }
    let order = colors.indices.filter(isTranslucent) + colors.indices.filter { !isTranslucent($0) }
    var places = [UInt8](repeating: 0, count: colors.count)
    for (place, color) in order.enumerated() { places[color] = UInt8(place) }
    return (order.map { straight(colors[$0]) }, places)
  }

  private static func straight(_ pixel: UInt32) -> SIMD4<UInt8> {
    var color = SIMD4<UInt8>.zero
    withUnsafeBytes(of: pixel.littleEndian) { source in
      withUnsafeMutableBytes(of: &color) { color in
        PixelKernels.best.unpremultiply(
          source.assumingMemoryBound(to: UInt8.self).baseAddress!,
          to: color.assumingMemoryBound(to: UInt8.self).baseAddress!, count: 1)
      }
    }
    return color
  }
}

extension PNGForm {
  /// The contents that a format must be able to store: opacity, gray levels or colors.
  struct Contents {
    private(set) var isOpaque = true
    /// The colors; `nil` if there are more than 256.
    private(set) var table: ColorTable? = ColorTable()
    /// The gray levels in use; `nil` if there are other colors.
    private var grays: [Bool]? = [Bool](repeating: false, count: 256)

    /// `true` if further pixels cannot change the format.
    var isAnything: Bool { !isOpaque && table == nil && grays == nil }

    /// - Parameter pixels: premultiplied RGBA pixels in rows of `width`.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) {
      let bytes = UnsafeRawPointer(pixels.baseAddress!).assumingMemoryBound(to: UInt8.self)
      isOpaque = isOpaque && PixelKernels.best.isOpaque(bytes, count: pixels.count)
      addGrays(pixels, width: width)
      if table?.add(pixels, limit: 256, countsTransparent: true) == false { table = nil }
    }

    /// Adds a transparent pixel to the palette if that does not need more bits per index.
    ///
    /// - Parameter withChannel: `true` to add an alpha channel if there is no palette.
    mutating func allowTransparent(withChannel: Bool) {
      if let count = table?.colors.count, PNGForm.indexBits(count + 1) == PNGForm.indexBits(count), count < 256 {
        _ = table?.add([0], limit: 256, countsTransparent: true)
      }
      if withChannel, table == nil { isOpaque = false }
    }

    private mutating func addGrays(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) {
      guard var occurs = grays else { return }
      grays = nil
      // The differences between color channels.
      var differences: UInt32 = 0
      for start in stride(from: 0, to: pixels.count, by: width) {
        for pixel in pixels[start..<start + width] { differences |= pixel ^ pixel >> 8 }
        guard differences & 0xFFFF == 0 else { return }
        for pixel in pixels[start..<start + width] { occurs[Int(pixel & 255)] = true }
      }
      grays = occurs
    }

    /// The minimum bit depth for all pixels as gray; `nil` if there are other colors.
    fileprivate var grayBits: Int? {
      guard let grays else { return nil }
      let values = grays.indices.filter { grays[$0] }
      return [1, 2, 4].first { bits in values.allSatisfy { $0 % (255 / (1 << bits - 1)) == 0 } } ?? 8
    }
  }
}
