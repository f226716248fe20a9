import NukeImaging

/// The form in which a PNG stores an image, and its rows in that form.
final class PNGLayout {
  /// By the numbers of the header (PNG specification, 11.2.2).
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
  /// Straight RGBA, those that are not opaque first, so that fewer alphas are stored.
  let palette: [SIMD4<UInt8>]

  private let pixels: UnsafeBufferPointer<UInt32>
  private let width: Int
  /// The indices of the palette: of all pixels where colors were reduced, else found as rows are asked for.
  private var indices: [UInt8] = []
  private var table = ColorTable()
  /// Where each color of the table is in the palette.
  private var places: [UInt8] = []
  /// One row of straight RGBA, or of samples that are not packed yet.
  private var scratch: [UInt8]

  /// The smallest form that stores every pixel exactly.
  ///
  /// - Parameter pixels: premultiplied RGBA, which must outlive the layout.
  init(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) {
    self.pixels = pixels
    self.width = width
    scratch = [UInt8](repeating: 0, count: width * 4)
    let bytes = UnsafeRawPointer(pixels.baseAddress!).assumingMemoryBound(to: UInt8.self)
    let isOpaque = PixelKernels.best.isOpaque(bytes, count: pixels.count)
    let grayBits = Self.grayBits(pixels, width: width)
    let plain: ColorType = grayBits != nil ? (isOpaque ? .gray : .grayAlpha) : (isOpaque ? .rgb : .rgbAlpha)
    let plainBits = plain == .gray ? grayBits ?? 8 : 8 * Int(plain.sampleCount)
    // A palette of a color that is opaque takes three bytes, of another four, and two chunks around them.
    if plainBits > 1, let table = ColorTable(pixels, limit: 256, countsTransparent: true) {
      let bits = Self.indexBits(table.colors.count)
      let rowCount = pixels.count / width
      let saved = rowCount * ((width * plainBits + 7) / 8 - (width * bits + 7) / 8)
      let translucent = table.colors.count { $0 >> 24 < 255 }
      let cost = 12 + 3 * table.colors.count + (translucent > 0 ? 12 + translucent : 0)
      if saved > cost {
        self.table = table
        let order = Self.order(table.colors)
        (colorType, bitDepth) = (.indexed, UInt8(bits))
        palette = order.map { Self.straight(table.colors[$0]) }
        places = [UInt8](repeating: 0, count: order.count)
        for (place, color) in order.enumerated() { places[color] = UInt8(place) }
        return
      }
    }
    (colorType, bitDepth) = (plain, plain == .gray ? UInt8(plainBits) : 8)
    palette = []
  }

  /// A palette of at most `colorCount` colors, 2...256, which the pixels become.
  init(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, colorCount: Int, isDithered: Bool) {
    self.pixels = pixels
    self.width = width
    scratch = [UInt8](repeating: 0, count: width * 4)
    let premultiplied = Array(pixels)
    let hasTransparent = premultiplied.contains(0)
    var chosen = ColorPalette(for: premultiplied, limit: colorCount - (hasTransparent ? 1 : 0))
    // What is transparent has an index of its own, behind the others.
    let transparent = UInt8(truncatingIfNeeded: chosen.colors.count)
    indices = chosen.indices(of: premultiplied, width: width, transparent: transparent, isDithered: isDithered)
    let colors = chosen.colors + (hasTransparent ? [0] : [])
    let order = Self.order(colors)
    (colorType, bitDepth) = (.indexed, UInt8(Self.indexBits(colors.count)))
    palette = order.map { Self.straight(colors[$0]) }
    var places = [UInt8](repeating: 0, count: colors.count)
    for (place, color) in order.enumerated() { places[color] = UInt8(place) }
    for index in indices.indices { indices[index] = places[Int(indices[index])] }
  }

  /// The fewest bits that hold all pixels as gray; `nil` where there is color.
  private static func grayBits(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) -> Int? {
    // What two channels differ in, and what each pixel lacks of being 17, 85 and 255 times something.
    var differences: UInt32 = 0
    var occurs = [Bool](repeating: false, count: 256)
    for start in stride(from: 0, to: pixels.count, by: width) {
      for pixel in pixels[start..<start + width] { differences |= pixel ^ pixel >> 8 }
      guard differences & 0xFFFF == 0 else { return nil }
      for pixel in pixels[start..<start + width] { occurs[Int(pixel & 255)] = true }
    }
    let values = occurs.indices.filter { occurs[$0] }
    return [1, 2, 4].first { bits in values.allSatisfy { $0 % (255 / (1 << bits - 1)) == 0 } } ?? 8
  }

  private static func indexBits(_ count: Int) -> Int { count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8 }

  /// The order of colors in the palette: by alpha, then as they came.
  private static func order(_ colors: [UInt32]) -> [Int] {
    let isTranslucent = { (index: Int) in colors[index] >> 24 < 255 }
    return colors.indices.filter(isTranslucent) + colors.indices.filter { !isTranslucent($0) }
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

  /// Writes the row at `y` as the file stores it, before filters.
  func fill(_ row: UnsafeMutablePointer<UInt8>, y: Int) {
    let source = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
    let bytes = UnsafeRawPointer(source.baseAddress!).assumingMemoryBound(to: UInt8.self)
    scratch.withUnsafeMutableBufferPointer { scratch in
      let scratch = scratch.baseAddress!
      switch colorType {
      case .gray:
        let samples = bitDepth == 8 ? row : scratch
        for x in 0..<width { samples[x] = bytes[x &* 4] >> (8 &- bitDepth) }
      case .grayAlpha:
        PixelKernels.best.unpremultiply(bytes, to: scratch, count: width)
        for x in 0..<width {
          row[x &* 2] = scratch[x &* 4]
          row[x &* 2 &+ 1] = scratch[x &* 4 &+ 3]
        }
      case .rgb:
        PixelKernels.dropAlpha(bytes, to: row, count: width)
      case .rgbAlpha:
        PixelKernels.best.unpremultiply(bytes, to: row, count: width)
      case .indexed:
        fillIndices(bitDepth == 8 ? row : scratch, source, y: y)
      }
      if bitDepth < 8 { pack(scratch, to: row) }
    }
  }

  private func fillIndices(_ samples: UnsafeMutablePointer<UInt8>, _ source: UnsafeBufferPointer<UInt32>, y: Int) {
    guard indices.isEmpty else {
      for x in 0..<width { samples[x] = indices[y * width + x] }
      return
    }
    // Most pixels are like the one before.
    var (last, place) = (source[0], places[Int(table[source[0]] ?? 0)])
    for x in 0..<width {
      if source[x] != last {
        last = source[x]
        place = places[Int(table[last] ?? 0)]
      }
      samples[x] = place
    }
  }

  /// Packs samples of less than a byte, the first in the highest bits.
  private func pack(_ samples: UnsafeMutablePointer<UInt8>, to row: UnsafeMutablePointer<UInt8>) {
    let bits = Int(bitDepth)
    let perByte = 8 / bits
    for index in 0..<(width + perByte - 1) / perByte {
      var byte: UInt8 = 0
      for position in 0..<perByte where index * perByte + position < width {
        byte |= samples[index * perByte + position] << UInt8(8 - bits * (position + 1))
      }
      row[index] = byte
    }
  }
}
