import Foundation

extension Bitmap {
  /// The longest side of the copy that colors are computed from.
  private static let sampledSide = 128

  /// The mean color in linear light, weighted by alpha. Its alpha is the mean alpha. `nil` for an empty image.
  ///
  /// A large image is first reduced to 128 pixels in linear light.
  public var averageColor: Color? {
    guard let small = try? reduced(to: Self.sampledSide, light: .linear) else { return nil }
    let light = (0..<256).map { ToneCurve.sRGB.linear(Double($0) / 255) }
    var (sums, covered) = (RGBWave(), 0.0)
    small.forEachStraightPixel { red, green, blue, alpha in
      let weight = Double(alpha)
      sums += RGBWave(red: light[Int(red)], green: light[Int(green)], blue: light[Int(blue)]) * weight
      covered += weight
    }
    guard covered > 0 else { return .clear }
    return Color(
      red: SRGB.encoded(sums.red / covered), green: SRGB.encoded(sums.green / covered),
      blue: SRGB.encoded(sums.blue / covered), alpha: covered / Double(255 * small.pixelWidth * small.pixelHeight))
  }

  /// The most common color of the image, without transparency; `nil` if the image is empty or fully transparent.
  ///
  /// It is the first of ``dominantColors(maxCount:)``.
  public var dominantColor: Color? { dominantColors(maxCount: 1).first }

  /// Returns the most common colors of the image, most common first. There may be fewer than requested.
  ///
  /// Computed from a copy with at most 128 pixels per side. Pixels are counted by their position in Oklab, where equal
  /// distances look equally different, in cells with a side of 0.06. Each cell is counted together with its neighbors,
  /// so that cell boundaries do not matter. A color is the mean of the fullest neighborhood, whose pixels are ignored
  /// for the next color. Pixels are weighted by their alpha. The result is deterministic.
  ///
  /// - Parameter maxCount: the maximum number of colors.
  public func dominantColors(maxCount: Int) -> [Color] {
    guard maxCount > 0, let small = try? reduced(to: Self.sampledSide, light: .linear) else { return [] }
    var cells: [OklabCell: OklabCell.Content] = [:]
    let light = (0..<256).map { ToneCurve.sRGB.linear(Double($0) / 255) }
    small.forEachStraightPixel { red, green, blue, alpha in
      guard alpha > 0 else { return }
      let color = Oklab(red: light[Int(red)], green: light[Int(green)], blue: light[Int(blue)])
      cells[OklabCell(color), default: .init()].add(color, weight: Double(alpha))
    }
    var colors: [Color] = []
    while colors.count < maxCount {
      var best: (cell: OklabCell, content: OklabCell.Content)?
      for cell in cells.keys {
        let content = cell.neighborhood.reduce(into: OklabCell.Content()) { sum, near in
          if let other = cells[near] { sum.add(other) }
        }
        // A tie is resolved by the cell, so that the result does not depend on the order of the dictionary.
        if let found = best, (found.content.weight, found.cell) >= (content.weight, cell) { continue }
        best = (cell, content)
      }
      guard let best else { return colors }
      colors.append(best.content.mean.color)
      for near in best.cell.neighborhood { cells[near] = nil }
    }
    return colors
  }

  private func forEachStraightPixel(_ body: (UInt8, UInt8, UInt8, UInt8) -> Void) {
    var row = [UInt8](repeating: 0, count: bytesPerRow)
    withUnsafeBytes { bytes in
      guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      for y in 0..<pixelHeight {
        PixelKernels.best.unpremultiply(base + y * bytesPerRow, to: &row, count: pixelWidth)
        for place in stride(from: 0, to: bytesPerRow, by: 4) {
          body(row[place], row[place + 1], row[place + 2], row[place + 3])
        }
      }
    }
  }
}

/// A cell in ``Oklab``.
private struct OklabCell: Hashable, Comparable {
  static let width = 0.06
  var lightness: Int
  var a: Int
  var b: Int

  init(lightness: Int, a: Int, b: Int) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  init(_ color: Oklab) {
    func index(_ value: Double) -> Int { Int((value / Self.width).rounded(.down)) }
    self.init(lightness: index(color.lightness), a: index(color.a), b: index(color.b))
  }

  /// The cell and the 26 cells around it, always in the same order.
  var neighborhood: [OklabCell] {
    (-1...1).flatMap { l in
      (-1...1).flatMap { x in (-1...1).map { OklabCell(lightness: lightness + l, a: a + x, b: b + $0) } }
    }
  }

  static func < (lhs: OklabCell, rhs: OklabCell) -> Bool {
    (lhs.lightness, lhs.a, lhs.b) < (rhs.lightness, rhs.a, rhs.b)
  }

  /// Sums over the pixels of a cell.
  struct Content {
    var sum = Oklab(lightness: 0, a: 0, b: 0)
    var weight = 0.0

    mutating func add(_ color: Oklab, weight: Double) {
      sum.lightness += color.lightness * weight
      sum.a += color.a * weight
      sum.b += color.b * weight
      self.weight += weight
    }

    mutating func add(_ other: Content) {
      sum.lightness += other.sum.lightness
      sum.a += other.sum.a
      sum.b += other.sum.b
      weight += other.weight
    }

    var mean: Oklab { Oklab(lightness: sum.lightness / weight, a: sum.a / weight, b: sum.b / weight) }
  }
}
