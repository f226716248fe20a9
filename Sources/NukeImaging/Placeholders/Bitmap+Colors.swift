import Foundation

extension Bitmap {
  /// The longest side of what colors are taken from.
  private static let sampledSide = 128

  /// The mean color by its light, weighed with alpha; its alpha is the mean alpha. `nil` without pixels.
  ///
  /// Of a larger image it is that of a copy reduced to 128 pixels in linear light.
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

  /// The color that fills most of the image, opaque; `nil` if there is none, as without pixels.
  ///
  /// See ``dominantColors(maxCount:)``, of which it is the first.
  public var dominantColor: Color? { dominantColors(maxCount: 1).first }

  /// The colors that fill most of the image, that of the largest part first; fewer where there are not so many.
  ///
  /// Of a copy of at most 128 pixels a side, pixels are counted by their place in Oklab, where equal distances look
  /// alike: in cells that are 0.06 wide, each together with its neighbors, so that it does not matter where a cell
  /// ends. A color is the mean of the fullest such neighborhood, whose pixels do not count for the next. Pixels weigh
  /// as much as they cover. It always gives the same.
  ///
  /// - Parameter maxCount: how many at most.
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
        // Of equal ones the same is taken at each run, whatever the order of the keys.
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

/// A cube of ``Oklab``.
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

  /// The cell and the 26 around it, always in the same order.
  var neighborhood: [OklabCell] {
    (-1...1).flatMap { l in
      (-1...1).flatMap { x in (-1...1).map { OklabCell(lightness: lightness + l, a: a + x, b: b + $0) } }
    }
  }

  static func < (lhs: OklabCell, rhs: OklabCell) -> Bool {
    (lhs.lightness, lhs.a, lhs.b) < (rhs.lightness, rhs.a, rhs.b)
  }

  /// Sums over pixels.
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
