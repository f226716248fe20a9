import CNukeKernels
import NukeBase

/// A neighbor of each pixel, and its weight.
package struct WeighedNeighbor: Hashable, Sendable {
  /// The distance to the right in pixels.
  package var x: Int
  /// The distance down in pixels.
  package var y: Int
  package var weight: Double

  package init(x: Int, y: Int, weight: Double) {
    self.x = x
    self.y = y
    self.weight = weight
  }
}

extension Bitmap {
  /// Returns the sum of neighbors times their weights, plus the bias, for each premultiplied channel. Results are
  /// clamped to 0...1, and colors to alpha. Edge pixels extend outside the image. Sums are computed in single precision
  /// in the given order.
  ///
  /// - Parameters:
  ///   - neighbors: the neighbors, at most 32,767 pixels away.
  ///   - bias: the number to add, where 1 is the maximum of a channel.
  ///   - keepsAlpha: `true` to keep the alpha of each pixel.
  ///   - kernels: the kernels to use. All variants produce the same pixels.
  package func weighed(
    _ neighbors: [WeighedNeighbor], bias: Double = 0, keepsAlpha: Bool = false, kernels: PixelKernels = .best
  ) -> Bitmap? {
    let neighbors = neighbors.filter { $0.weight != 0 }
    if bias == 0, neighbors == [WeighedNeighbor(x: 0, y: 0, weight: 1)] { return self }
    let reach = neighbors.reduce(0) { max($0, abs($1.x)) }
    guard let buffer, let rows = PaddedRows(self, margin: reach),
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    let weights = neighbors.map { Float($0.weight) }
    let table = kernels.table.pointee
    for y in 0..<pixelHeight {
      let taps: [UnsafePointer<UInt8>?] = neighbors.map { rows.row(y + $0.y, from: $0.x) }
      let row = result.row(y)
      table.neighbors.pointee.weigh(row, taps, weights, weights.count, Float(bias * 255), bytesPerRow)
      if keepsAlpha {
        let own = buffer.row(y)
        for alpha in stride(from: 3, to: bytesPerRow, by: 4) { row[alpha] = own[alpha] }
      }
      table.clamp_to_alpha(row, pixelWidth)
    }
    let staysOpaque = isOpaque && (keepsAlpha || result.isOpaque())
    return withExtendedLifetime((self, rows)) { Bitmap(result, scale: scale, isOpaque: staysOpaque) }
  }

  /// Returns the median of each channel over squares of 3 x 3 pixels. Edge pixels extend outside the image.
  package func median(kernels: PixelKernels = .best) -> Bitmap? {
    guard let rows = PaddedRows(self, margin: 1), let result = PixelBuffer(width: pixelWidth, height: pixelHeight)
    else { return nil }
    let median = kernels.table.pointee.neighbors.pointee.median!
    for y in 0..<pixelHeight {
      median(result.row(y), [rows.row(y - 1), rows.row(y), rows.row(y + 1)], bytesPerRow)
    }
    return withExtendedLifetime(rows) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}

/// The pixels whose centers are inside a shape around a pixel, as the reach to both sides in each row.
package struct PixelNeighborhood: Hashable, Sendable {
  /// The reaches of the rows from -``height`` to ``height``.
  let reaches: [Int]
  var height: Int { reaches.count / 2 }
  var reach: Int { reaches.max() ?? 0 }
  var count: Int { reaches.reduce(0) { $0 + 2 * $1 + 1 } }

  /// Creates the neighborhood of all pixels within `radius`.
  package init(discOfRadius radius: Double) {
    let height = Int(radius)
    reaches = (-height...height).map { Int((radius * radius - Double($0 * $0)).squareRoot()) }
  }

  /// Creates a rectangle of `width` x `height` pixels. Even sides are increased by one.
  package init(width: Int, height: Int) {
    reaches = [Int](repeating: width / 2, count: height / 2 * 2 + 1)
  }
}

extension Bitmap {
  /// Returns the mean of each channel over a neighborhood. Edge pixels extend outside the image.
  package func mean(of shape: PixelNeighborhood, kernels: PixelKernels = .best) -> Bitmap? {
    if shape.count == 1 { return self }
    let margin = shape.reach
    // The sums of a row are kept for as many rows as the shape is high.
    let (kept, stride) = (shape.reaches.count, (pixelWidth + 2 * margin + 1) * 4)
    let pool = MemoryPool.shared
    guard let rows = PaddedRows(self, margin: margin),
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight), let memory = pool.take(kept * stride * 4)
    else { return nil }
    defer { pool.give(memory) }
    let sums = UnsafeMutableRawPointer(memory.base).bindMemory(to: UInt32.self, capacity: kept * stride)
    let loops = kernels.table.pointee.neighbors.pointee
    var total = [UInt32](repeating: 0, count: bytesPerRow)
    func place(_ y: Int) -> UnsafeMutablePointer<UInt32> { sums + (y + kept) % kept * stride }
    for y in -shape.height..<shape.height {
      loops.accumulate(place(y), rows.row(y, from: -margin), pixelWidth + 2 * margin)
    }
    for y in 0..<pixelHeight {
      loops.accumulate(place(y + shape.height), rows.row(y + shape.height, from: -margin), pixelWidth + 2 * margin)
      for index in total.indices { total[index] = 0 }
      for (index, reach) in shape.reaches.enumerated() {
        let row = place(y + index - shape.height)
        loops.add_span(&total, row + (margin + reach + 1) * 4, row + (margin - reach) * 4, bytesPerRow)
      }
      loops.mean(result.row(y), total, 1 / Float(shape.count), bytesPerRow)
    }
    return withExtendedLifetime(rows) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns the largest or smallest value of each channel over a neighborhood. Edge pixels extend outside the image.
  package func extreme(_ largest: Bool, of shape: PixelNeighborhood, kernels: PixelKernels = .best) -> Bitmap? {
    if shape.count == 1 { return self }
    let margin = shape.reach
    let loops = kernels.table.pointee.neighbors.pointee
    let pick = (largest ? loops.larger : loops.smaller)!
    // For each row, the extremes of 1, 2, 4, … pixels starting at each pixel. Two of them cover any reach.
    let levels = (2 * margin + 1).bitWidth - (2 * margin + 1).leadingZeroBitCount
    let strip = min(pixelWidth, 512)
    let (kept, stride) = (shape.reaches.count, (strip + 2 * margin) * 4)
    let pool = MemoryPool.shared
    guard let rows = PaddedRows(self, margin: margin),
      let result = PixelBuffer(width: pixelWidth, height: pixelHeight), let memory = pool.take(kept * levels * stride)
    else { return nil }
    defer { pool.give(memory) }
    func level(_ level: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
      memory.base + ((y + kept) % kept * levels + level) * stride
    }
    for left in Swift.stride(from: 0, to: pixelWidth, by: strip) {
      let columns = min(strip, pixelWidth - left)
      let bytes = (columns + 2 * margin) * 4
      func prepare(_ y: Int) {
        level(0, y).update(from: rows.row(y, from: left - margin), count: bytes)
        for index in 1..<max(levels, 1) {
          let (span, shorter) = (1 << index, level(index - 1, y))
          pick(level(index, y), shorter, shorter + span / 2 * 4, bytes - (span - 1) * 4)
        }
      }
      for y in -shape.height..<shape.height { prepare(y) }
      let black = [UInt8](repeating: 0, count: columns * 4)
      var (best, ofRow, next) = (black, black, black)
      for y in 0..<pixelHeight {
        prepare(y + shape.height)
        for (index, reach) in shape.reaches.enumerated() {
          let width = 2 * reach + 1
          let power = width.bitWidth - width.leadingZeroBitCount - 1
          let row = level(power, y + index - shape.height)
          pick(&ofRow, row + (margin - reach) * 4, row + (margin + reach + 1 - (1 << power)) * 4, columns * 4)
          if index == 0 {
            swap(&best, &ofRow)
          } else {
            pick(&next, best, ofRow, columns * 4)
            swap(&best, &next)
          }
        }
        (result.row(y) + left * 4).update(from: best, count: columns * 4)
      }
    }
    return withExtendedLifetime(rows) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}
