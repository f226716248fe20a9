import Foundation

extension BuiltInFilter {
  /// Filters that replace cells with the mean of their premultiplied pixels.
  static let cells: [BuiltInFilter] = [
    BuiltInFilter(
      "CIHexagonalPixellate",
      """
      Replaces hexagonal cells with their mean color. The scale is the distance from a cell's center to its corners, \
      which point up and down. One cell is at the center.
      """,
      [center, .number("inputScale", 8, in: 1...1e6)]
    ) { values, image in
      let (center, side) = (values.center, values.scale)
      return image.averaged { point in
        // Coordinates along two sides of a hexagon; the third follows, because the sum is zero. The one with the
        // largest rounding error is corrected.
        let place = (point - center) / side
        let (q, r) = (place.x / 3.0.squareRoot() - place.y / 3, place.y * 2 / 3)
        let exact = SIMD3(q, r, -q - r)
        let whole = exact.rounded(.toNearestOrAwayFromZero)
        let (a, b, c) = (abs(whole.x - exact.x), abs(whole.y - exact.y), abs(whole.z - exact.z))
        if a > b, a > c { return ImagePoint(-whole.y - whole.z, whole.y) }
        return ImagePoint(whole.x, b > c ? -whole.x - whole.z : whole.y)
      }
    },
    BuiltInFilter(
      "CICrystallize",
      "Replaces cells with their mean color. A cell consists of the pixels with the same nearest seed. \(seeds)",
      [.number("inputRadius", 20, in: 1...1e6), center]
    ) { values, image in
      var grid = SeedGrid(values)
      return image.averaged { grid.nearest($0).cell }
    },
    BuiltInFilter(
      "CIPointillize",
      """
      Replaces cells with dots of their mean color, on white with the cell's mean alpha. A cell consists of the pixels \
      with the same nearest seed, and the radius of a dot is the radius. \(seeds)
      """,
      [.number("inputRadius", 20, in: 1...1e6), center]
    ) { values, image in
      var grid = SeedGrid(values)
      let radius = values.radius
      return image.averaged { grid.nearest($0).cell }?.recolored { color, place in
        grid.nearest(place).distance <= radius ? color : .one
      }
    },
  ]

  private static let seeds = """
    Seeds are in a grid of squares with twice the radius as side and a corner at the center. Each square has one seed, \
    moved from its center by up to 0.4 of the side in both directions by a hash (Wellons' lowbias32). The nine squares \
    around a pixel are searched. Our own formula.
    """
}

/// The seeds of cells, one in each square of a grid.
private struct SeedGrid {
  private let center: ImagePoint
  private let side: Double
  /// The most recent square, and the nine squares around it with their seeds.
  private var own = ImagePoint.nowhere
  private var around: [(cell: ImagePoint, seed: ImagePoint)] = []

  init(_ values: ImageFilterValues) {
    center = values.center
    side = 2 * values.radius
  }

  /// Returns the square with the nearest seed, and its distance in pixels.
  mutating func nearest(_ point: ImagePoint) -> (cell: ImagePoint, distance: Double) {
    let place = (point - center) / side
    if own != place.rounded(.down) {
      let own = place.rounded(.down)
      self.own = own
      around = (0..<9).map { index in
        let cell = own + ImagePoint(Double(index % 3 - 1), Double(index / 3 - 1))
        return (cell, cell + 0.5 + 0.8 * (ImagePoint(hashOf: cell) - 0.5))
      }
    }
    var best = (cell: own, distance: Double.infinity)
    for (cell, seed) in around {
      let offset = seed - place
      let distance = offset.dot(offset)
      if distance < best.distance { best = (cell, distance) }
    }
    return (best.cell, best.distance.squareRoot() * side)
  }
}

extension ImagePoint {
  /// Creates two pseudo-random numbers from 0 to 1 that depend only on the cell: the low and high 16 bits of Wellons'
  /// lowbias32 of x · 0x9E3779B9 + y · 0x85EBCA6B.
  init(hashOf cell: ImagePoint) {
    func whole(_ value: Double) -> UInt32 {
      let limit = 2_147_483_647.0
      return UInt32(bitPattern: Int32(value > -limit ? Swift.min(value, limit) : -limit))
    }
    var bits = whole(cell.x) &* 0x9e37_79b9 &+ whole(cell.y) &* 0x85eb_ca6b
    bits = (bits ^ bits >> 16) &* 0x7feb_352d
    bits = (bits ^ bits >> 15) &* 0x846c_a68b
    bits ^= bits >> 16
    self.init(Double(bits & 0xffff) / 65536, Double(bits >> 16) / 65536)
  }
}

extension Bitmap {
  /// Returns the image with the mean of all pixels that `cell` maps to the same cell. It receives the center of a
  /// pixel, with the origin at the lower left.
  fileprivate func averaged(_ cell: (ImagePoint) -> ImagePoint) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    var numbers: [ImagePoint: Int] = [:]
    var sums: [SIMD4<Int>] = []
    var counts: [Int] = []
    // The cell number of each run of pixels, and the end of the run.
    var runs: [(number: Int, end: Int)] = []
    for row in 0..<pixelHeight {
      let pixels = buffer.row(row)
      var last: (cell: ImagePoint, number: Int)?
      for column in 0..<pixelWidth {
        let found = cell(ImagePoint(Double(column) + 0.5, Double(pixelHeight - row) - 0.5))
        let number: Int
        if let last, last.cell == found {
          number = last.number
        } else {
          number = numbers[found] ?? sums.count
          if number == sums.count {
            numbers[found] = number
            sums.append(.zero)
            counts.append(0)
          }
          last = (found, number)
          runs.append((number, 0))
        }
        let place = column * 4
        sums[number] &+= SIMD4(
          Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]), Int(pixels[place + 3]))
        counts[number] += 1
        runs[runs.count - 1].end = row * pixelWidth + column + 1
      }
    }
    var start = 0
    let pixels = UnsafeMutableRawPointer(result.base).bindMemory(
      to: SIMD4<UInt8>.self, capacity: pixelWidth * pixelHeight)
    for run in runs {
      let mean = (sums[run.number] &+ counts[run.number] / 2) / SIMD4(repeating: counts[run.number])
      (pixels + start).update(repeating: SIMD4<UInt8>(truncatingIfNeeded: mean), count: run.end - start)
      start = run.end
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}
