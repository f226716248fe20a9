#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension RoundedShape {
  /// Writes how much of each pixel of row `y` is covered, 255 being all.
  ///
  /// - Parameter coverage: one byte a pixel of the row, from the left.
  /// - Returns: pixels in the middle that are covered as a whole, perhaps none. Their bytes are not written.
  package func cover(row y: Int, into coverage: UnsafeMutableBufferPointer<UInt8>) -> Range<Int> {
    let count = coverage.count
    let (upper, lower) = (max(Double(y), top), min(Double(y + 1), bottom))
    guard lower > upper else {
      coverage.update(repeating: 0)
      return count..<count
    }
    let leftSide = Side(
      EllipseRow(corners.topLeft, from: upper, to: lower, above: top + corners.topLeft.height),
      EllipseRow(corners.bottomLeft, from: upper, to: lower, below: bottom - corners.bottomLeft.height))
    let rightSide = Side(
      EllipseRow(corners.topRight, from: upper, to: lower, above: top + corners.topRight.height),
      EllipseRow(corners.bottomRight, from: upper, to: lower, below: bottom - corners.bottomRight.height))

    // A row that is itself covered in part has no pixel that is covered as a whole.
    let isWhole = lower - upper == 1
    var first = isWhole ? Int((left + leftSide.depth).rounded(.up)) : count
    var last = isWhole ? Int((right - rightSide.depth).rounded(.down)) : count
    if first >= last { (first, last) = (count, count) }

    func write(_ range: Range<Int>) {
      for x in range {
        let (begin, end) = (max(Double(x), left), min(Double(x + 1), right))
        guard end > begin else {
          coverage[x] = 0
          continue
        }
        var area = (end - begin) * (lower - upper)
        area -= leftSide.cutOut(from: begin - left, to: end - left)
        area -= rightSide.cutOut(from: right - end, to: right - begin)
        coverage[x] = UInt8(min(max(area * 255, 0), 255).rounded())
      }
    }
    // What lies wholly outside of the curve needs no arithmetic.
    let leftOutside = min(Int((left + leftSide.outside).rounded(.down)), first)
    let rightOutside = max(Int((right - rightSide.outside).rounded(.up)), last)
    UnsafeMutableBufferPointer(rebasing: coverage[..<leftOutside]).update(repeating: 0)
    if rightOutside > leftOutside, first < last {
      write(leftOutside..<first)
      write(last..<rightOutside)
    } else {
      write(leftOutside..<max(rightOutside, leftOutside))
    }
    UnsafeMutableBufferPointer(rebasing: coverage[max(rightOutside, leftOutside)...]).update(repeating: 0)
    return first..<last
  }
}

/// What the two corners of one side cut out of one row. Distances are from that side of the rectangle.
private struct Side {
  private let upper: EllipseRow?
  private let lower: EllipseRow?
  /// How far in something is cut out.
  let depth: Double
  /// How far in everything is cut out.
  let outside: Double

  init(_ upper: EllipseRow?, _ lower: EllipseRow?) {
    self.upper = upper
    self.lower = lower
    depth = max(upper?.depth ?? 0, lower?.depth ?? 0)
    // Where both corners share the row neither cuts out all of it.
    outside =
      switch (upper, lower) {
      case (let one?, nil), (nil, let one?): one.outside
      default: 0
      }
  }

  func cutOut(from begin: Double, to end: Double) -> Double {
    (upper?.cutOut(from: begin, to: end) ?? 0) + (lower?.cutOut(from: begin, to: end) ?? 0)
  }
}

/// What a corner cuts out of one row. The curve is v = height · √(1 − (u / width)²), from the centre of the ellipse.
private struct EllipseRow {
  private let width: Double
  private let height: Double
  private let nearest: Double
  private let farthest: Double
  /// Where the curve leaves the row at its end away from the centre, and where at the end towards it.
  private let leaves: Double
  private let enters: Double
  private let isWholeRow: Bool

  init?(_ corner: RoundedShape.Corner, from upper: Double, to lower: Double, above centre: Double) {
    self.init(corner, nearest: centre - lower, farthest: centre - upper)
  }

  init?(_ corner: RoundedShape.Corner, from upper: Double, to lower: Double, below centre: Double) {
    self.init(corner, nearest: upper - centre, farthest: lower - centre)
  }

  private init?(_ corner: RoundedShape.Corner, nearest: Double, farthest: Double) {
    guard corner.width > 0, corner.height > 0, farthest > 0 else { return nil }
    width = corner.width
    height = corner.height
    self.nearest = max(nearest, 0)
    self.farthest = min(farthest, height)
    isWholeRow = nearest >= 0 && farthest <= height
    func along(_ v: Double) -> Double {
      let share = v / corner.height
      return corner.width * max(1 - share * share, 0).squareRoot()
    }
    leaves = along(self.farthest)
    enters = along(self.nearest)
  }

  var depth: Double { width - leaves }
  var outside: Double { isWholeRow ? width - enters : 0 }

  /// The area cut out between two distances from the side.
  func cutOut(from begin: Double, to end: Double) -> Double {
    // From the centre outwards.
    let (near, far) = (max(width - end, 0), min(width - begin, width))
    guard far > near, far > leaves else { return 0 }
    let (full, none) = (min(max(leaves, near), far), min(max(enters, near), far))
    let under = (full - near) * (farthest - nearest) + integral(none) - integral(full) - nearest * (none - full)
    return (far - near) * (farthest - nearest) - under
  }

  private func integral(_ u: Double) -> Double {
    let t = min(u / width, 1)
    return width * height * (t * (1 - t * t).squareRoot() + asin(t)) / 2
  }
}
