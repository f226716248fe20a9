#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension RoundedShape {
  /// The pixels of a row that are covered.
  package struct Row: Hashable, Sendable {
    /// The first pixel that is at least partly covered.
    package var begin: Int
    /// The completely covered pixels, which may be none. The other pixels between `begin` and `end` are partly covered.
    package var whole: Range<Int>
    /// The end of the pixels that are at least partly covered.
    package var end: Int
  }

  /// `true` if the shape is symmetric horizontally, so that only one half must be computed.
  private var isMirroredAcross: Bool {
    corners.topLeft == corners.topRight && corners.bottomLeft == corners.bottomRight
  }

  /// `true` if the shape is symmetric vertically.
  package var isMirroredDown: Bool {
    corners.topLeft == corners.bottomLeft && corners.topRight == corners.bottomRight
  }

  /// Writes the coverage of each partly covered pixel of row `y`, where 255 is complete coverage.
  ///
  /// - Parameter coverage: one byte per pixel of the row, from the left. Bytes of other pixels are not written.
  package func cover(row y: Int, into coverage: UnsafeMutableBufferPointer<UInt8>) -> Row {
    let count = coverage.count
    let (upper, lower) = (max(Double(y), top), min(Double(y + 1), bottom))
    guard lower > upper else { return Row(begin: count, whole: count..<count, end: count) }
    var leftSide = Side(
      EllipseRow(corners.topLeft, from: upper, to: lower, above: top + corners.topLeft.height),
      EllipseRow(corners.bottomLeft, from: upper, to: lower, below: bottom - corners.bottomLeft.height))
    var rightSide =
      isMirroredAcross
      ? leftSide
      : Side(
        EllipseRow(corners.topRight, from: upper, to: lower, above: top + corners.topRight.height),
        EllipseRow(corners.bottomRight, from: upper, to: lower, below: bottom - corners.bottomRight.height))

    // A row that is partly covered vertically has no completely covered pixel.
    let isWhole = lower - upper == 1
    // Pixels completely outside the curve need no computation.
    let begin = min(Int((left + leftSide.outside).rounded(.down)), count)
    let end = max(Int((right - rightSide.outside).rounded(.up)), begin)
    let first = isWhole ? Int((left + leftSide.depth).rounded(.up)) : count
    let last = isWhole ? Int((right - rightSide.depth).rounded(.down)) : count
    let whole = first < last ? first..<last : end..<end

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
        coverage[x] = UInt8(min(max(area, 0), 1) * 255 + 0.5)
      }
    }
    if isMirroredAcross {
      let half = begin..<max(min(whole.lowerBound, (count + 1) / 2), begin)
      write(half)
      for x in half { coverage[count - 1 - x] = coverage[x] }
    } else {
      write(begin..<whole.lowerBound)
      write(whole.upperBound..<end)
    }
    return Row(begin: begin, whole: whole, end: end)
  }
}

/// The area that the two corners of one side cut out of a row. Distances are from that side of the rectangle.
private struct Side {
  private var upper: EllipseRow?
  private var lower: EllipseRow?
  /// The distance up to which something is cut out.
  let depth: Double
  /// The distance up to which everything is cut out.
  let outside: Double

  init(_ upper: EllipseRow?, _ lower: EllipseRow?) {
    self.upper = upper
    self.lower = lower
    depth = max(upper?.depth ?? 0, lower?.depth ?? 0)
    // If both corners share the row, neither cuts out all of it.
    outside =
      switch (upper, lower) {
      case (let one?, nil), (nil, let one?): one.outside
      default: 0
      }
  }

  mutating func cutOut(from begin: Double, to end: Double) -> Double {
    (upper?.cutOut(from: begin, to: end) ?? 0) + (lower?.cutOut(from: begin, to: end) ?? 0)
  }
}

/// The area that a corner cuts out of a row. The curve is v = height · √(1 − (u / width)²), with u and v from the
/// center of the ellipse.
private struct EllipseRow {
  private let width: Double
  private let height: Double
  private let nearest: Double
  private let farthest: Double
  /// The positions where the curve leaves the row: at its far end from the center, and at its near end.
  private let leaves: Double
  private let enters: Double
  private let isWholeRow: Bool

  init?(_ corner: RoundedShape.Corner, from upper: Double, to lower: Double, above center: Double) {
    self.init(corner, nearest: center - lower, farthest: center - upper)
  }

  init?(_ corner: RoundedShape.Corner, from upper: Double, to lower: Double, below center: Double) {
    self.init(corner, nearest: upper - center, farthest: lower - center)
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

  /// The most recent integral. A pixel begins where its neighbor ended, so it is used again.
  private var known = (u: -1.0, integral: 0.0)

  /// Returns the area that is cut out between two distances from the side.
  mutating func cutOut(from begin: Double, to end: Double) -> Double {
    // Distances from the center of the ellipse.
    let (near, far) = (max(width - end, 0), min(width - begin, width))
    guard far > near, far > leaves else { return 0 }
    let (full, none) = (min(max(leaves, near), far), min(max(enters, near), far))
    let upTo = none == known.u ? known.integral : integral(none)
    known = (full, integral(full))
    let under = (full - near) * (farthest - nearest) + upTo - known.integral - nearest * (none - full)
    return (far - near) * (farthest - nearest) - under
  }

  private func integral(_ u: Double) -> Double {
    let t = min(u / width, 1)
    return width * height * (t * (1 - t * t).squareRoot() + asin(t)) / 2
  }
}
