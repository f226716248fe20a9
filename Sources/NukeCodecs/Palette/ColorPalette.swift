/// A palette of colors, and the mapping from pixels to them.
///
/// Pixels are premultiplied. 0 is transparent and is not in the palette. Opaque pixels map to opaque colors.
package struct ColorPalette {
  /// The colors: red in the lowest byte, then green, blue and alpha, premultiplied.
  package let colors: [UInt32]
  /// `true` if the palette contains the color of every pixel it was created for.
  let isExact: Bool
  private let table: ColorTable
  /// The nearest color to the center of each cell (``ColorCell``), computed on first use; -1 before.
  private var nearest: [Int16] = []

  /// Creates a palette for all pixels that are not 0: their colors if there are at most `limit`, otherwise the best
  /// colors.
  package init(for pixels: [UInt32], limit: Int) {
    if let table = ColorTable(pixels, limit: limit) {
      self.table = table
      colors = table.colors
      isExact = true
    } else {
      var quantizer = ColorQuantizer(pixels)
      colors = quantizer.colors(limit: limit)
      table = ColorTable(colors, limit: colors.count) ?? ColorTable()
      isExact = false
    }
  }

  /// Returns `true` if the palette contains the colors of all pixels that are not 0.
  func holds(_ pixels: [UInt32]) -> Bool { pixels.allSatisfy { $0 == 0 || table[$0] != nil } }

  /// Returns the index of each pixel's color; `transparent` for 0.
  ///
  /// Colors that are not in the palette become the nearest one. With `isDithered`, the difference is distributed to the
  /// following neighbors (Floyd and Steinberg, "An adaptive algorithm for spatial greyscale", 1976), in alternating
  /// directions.
  package mutating func indices(of pixels: [UInt32], width: Int, transparent: UInt8, isDithered: Bool) -> [UInt8] {
    var result = [UInt8](repeating: transparent, count: pixels.count)
    if isExact || !isDithered {
      for index in pixels.indices where pixels[index] != 0 {
        result[index] = table[pixels[index]] ?? nearest(to: Self.channels(pixels[index]))
      }
      return result
    }
    // The diffused errors of this row and the next one, in sixteenths, with an extra entry at both ends.
    var errors = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    var nextErrors = errors
    for y in 0..<pixels.count / width {
      let forward = y % 2 == 0
      let step = forward ? 1 : -1
      for column in 0..<width {
        let x = forward ? column : width - 1 - column
        let index = y * width + x
        guard pixels[index] != 0 else { continue }
        var wanted = (Self.channels(pixels[index]) &+ (errors[x + 1] &>> 4)).clamped(
          lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        wanted.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: wanted.w))
        let found = nearest(to: wanted)
        result[index] = found
        let error = wanted &- Self.channels(colors[Int(found)])
        errors[x + 1 + step] &+= error &* 7
        nextErrors[x + 1 - step] &+= error &* 3
        nextErrors[x + 1] &+= error &* 5
        nextErrors[x + 1 + step] &+= error
      }
      swap(&errors, &nextErrors)
      for x in nextErrors.indices { nextErrors[x] = .zero }
    }
    return result
  }

  private static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
    SIMD4(Int32(pixel & 255), Int32(pixel >> 8 & 255), Int32(pixel >> 16 & 255), Int32(pixel >> 24))
  }

  private mutating func nearest(to color: SIMD4<Int32>) -> UInt8 {
    if nearest.isEmpty { nearest = [Int16](repeating: -1, count: ColorCell.count) }
    let cell = ColorCell(UInt32(color.x), UInt32(color.y), UInt32(color.z), alpha: UInt32(color.w))
    if nearest[cell.index] >= 0 { return UInt8(nearest[cell.index]) }
    let middle = cell.middle
    var (best, least) = (0, Int32.max)
    for index in colors.indices {
      let difference = Self.channels(colors[index]) &- middle
      let distance = (difference &* difference).wrappedSum()
      if distance < least { (best, least) = (index, distance) }
    }
    nearest[cell.index] = Int16(best)
    return UInt8(best)
  }
}

/// The indices of up to 256 colors, by open addressing.
struct ColorTable {
  private(set) var colors: [UInt32] = []
  private var slots = [Int16](repeating: -1, count: 1024)

  init() {}

  /// Creates a table of the colors of all pixels in order of appearance; `nil` if there are more than `limit`. 0 is
  /// included only with `countsTransparent`.
  init?(_ pixels: some Sequence<UInt32>, limit: Int, countsTransparent: Bool = false) {
    guard add(pixels, limit: limit, countsTransparent: countsTransparent) else { return nil }
  }

  /// Adds the colors that are not in the table yet. Returns `false` if there are more than `limit` colors; the table is
  /// incomplete then.
  mutating func add(_ pixels: some Sequence<UInt32>, limit: Int, countsTransparent: Bool = false) -> Bool {
    // Most pixels equal the previous one.
    var last: UInt32? = countsTransparent ? nil : 0
    for pixel in pixels where pixel != last && (countsTransparent || pixel != 0) {
      last = pixel
      let slot = slot(of: pixel)
      guard slots[slot] < 0 else { continue }
      guard colors.count < limit else { return false }
      slots[slot] = Int16(colors.count)
      colors.append(pixel)
    }
    return true
  }

  subscript(_ pixel: UInt32) -> UInt8? {
    let index = slots[slot(of: pixel)]
    return index < 0 ? nil : UInt8(index)
  }

  private func slot(of pixel: UInt32) -> Int {
    var slot = Int((pixel &* 0x9E37_79B1) >> 22)
    while slots[slot] >= 0, colors[Int(slots[slot])] != pixel { slot = (slot + 1) & 1023 }
    return slot
  }
}
