#if SVG
  import Foundation

  /// What it takes to draw a path: how long it is, how many points it has, and how large its curves are, in its own units.
  ///
  /// All values are upper bounds.
  struct SVGPathMeasure {
    private(set) var points = 0.0
    private(set) var length = 0.0
    private(set) var curveCount = 0.0
    /// The length of the longest curve.
    private(set) var largestCurve = 0.0
    /// The sum of the square roots of the lengths of all curves. The number of lines that a curve is divided into is
    /// proportional to the square root of its length.
    private(set) var curves = 0.0
    /// The largest coordinate.
    private(set) var extent = 0.0
    /// An estimate of the number of points at which the path crosses itself.
    private(set) var crossings = 0.0
    /// The lines and the chords of curves: two points each.
    private var lines: [SIMD4<Double>] = []

    private var position = SIMD2<Double>.zero
    private var start = SIMD2<Double>.zero
    /// The last control point of the curve before.
    private var control: SIMD2<Double>?

    init() {}

    /// Measures the points of a polygon, or as many as are valid.
    init(points text: ArraySlice<UInt8>) {
      var numbers = SVGNumbers(text)
      guard let first = Self.pair(&numbers) else { return }
      move(to: first)
      while let point = Self.pair(&numbers) { line(to: point) }
      line(to: start)
      crossings = estimatedCrossings()
      lines = []
    }

    /// Measures the commands of a path (SVG 1.1, section 8.3), or as many as are valid.
    init(path text: ArraySlice<UInt8>) {
      var numbers = SVGNumbers(text)
      while let command = numbers.letter() {
        var isFirst = true
        while step(command, isFirst, &numbers) { isFirst = false }
      }
      crossings = estimatedCrossings()
      lines = []
    }

    /// Adds an ellipse with a radius, or the corners of a rectangle.
    mutating func addRound(radius: Double) {
      for _ in 0..<4 { add(curve: 1.7 * radius) }
    }

    /// Adds straight lines.
    mutating func addLines(length: Double, points: Double, extent: Double) {
      self.length += length
      self.points += points
      self.extent = max(self.extent, extent)
    }

    private static func pair(_ numbers: inout SVGNumbers) -> SIMD2<Double>? {
      guard let x = numbers.number(), let y = numbers.number() else { return nil }
      return SIMD2(x, y)
    }

    private static func distance(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double {
      let difference = one - other
      return (difference.x * difference.x + difference.y * difference.y).squareRoot()
    }

    private mutating func move(to point: SIMD2<Double>) {
      (position, start, control) = (point, point, nil)
      points += 1
      extent = max(extent, abs(point.x), abs(point.y))
    }

    private mutating func line(to point: SIMD2<Double>) {
      length += Self.distance(position, point)
      points += 1
      lines.append(SIMD4(lowHalf: position, highHalf: point))
      (position, control) = (point, nil)
      extent = max(extent, abs(point.x), abs(point.y))
    }

    private mutating func add(curve length: Double) {
      self.length += length
      curves += length.squareRoot()
      largestCurve = max(largestCurve, length)
      curveCount += 1
      points += 1
    }

    /// Adds a curve with two control points, which are equal for a quadratic one.
    private mutating func curve(_ one: SIMD2<Double>, _ two: SIMD2<Double>, to point: SIMD2<Double>) {
      add(curve: Self.distance(position, one) + Self.distance(one, two) + Self.distance(two, point))
      for next in [one, two, point] { extent = max(extent, abs(next.x), abs(next.y)) }
      lines.append(SIMD4(lowHalf: position, highHalf: point))
      (position, control) = (point, two)
    }

    private mutating func arc(_ radii: SIMD2<Double>, isLarge: Bool, to point: SIMD2<Double>) {
      let chord = Self.distance(position, point)
      // Radii that are too small for the distance are enlarged.
      let radius = max(abs(radii.x), abs(radii.y), chord)
      let isRound = !isLarge && abs(radii.x) == abs(radii.y)
      for _ in 0..<4 { add(curve: isRound ? chord * .pi / 8 : radius * .pi / 2) }
      line(to: point)
      extent = max(extent, max(abs(point.x), abs(point.y)) + 2 * radius)
    }

    /// Reads the numbers of one command. Returns `false` if they do not follow.
    private mutating func step(_ command: UInt8, _ isFirst: Bool, _ numbers: inout SVGNumbers) -> Bool {
      let origin = command & 0x20 != 0 ? position : .zero
      switch command & ~0x20 {
      case UInt8(ascii: "M"):
        guard let point = Self.pair(&numbers) else { return false }
        if isFirst { move(to: origin + point) } else { line(to: origin + point) }
      case UInt8(ascii: "L"):
        guard let point = Self.pair(&numbers) else { return false }
        line(to: origin + point)
      case UInt8(ascii: "H"):
        guard let x = numbers.number() else { return false }
        line(to: SIMD2(origin.x + x, position.y))
      case UInt8(ascii: "V"):
        guard let y = numbers.number() else { return false }
        line(to: SIMD2(position.x, origin.y + y))
      case UInt8(ascii: "C"):
        guard let one = Self.pair(&numbers), let two = Self.pair(&numbers), let end = Self.pair(&numbers) else {
          return false
        }
        curve(origin + one, origin + two, to: origin + end)
      case UInt8(ascii: "S"):
        guard let two = Self.pair(&numbers), let end = Self.pair(&numbers) else { return false }
        curve(reflected, origin + two, to: origin + end)
      case UInt8(ascii: "Q"):
        guard let one = Self.pair(&numbers), let end = Self.pair(&numbers) else { return false }
        curve(origin + one, origin + one, to: origin + end)
      case UInt8(ascii: "T"):
        guard let end = Self.pair(&numbers) else { return false }
        curve(reflected, reflected, to: origin + end)
      case UInt8(ascii: "A"):
        guard let radii = Self.pair(&numbers), numbers.number() != nil, let isLarge = numbers.flag(),
          numbers.flag() != nil, let end = Self.pair(&numbers)
        else { return false }
        arc(radii, isLarge: isLarge, to: origin + end)
      case UInt8(ascii: "Z"):
        if isFirst { line(to: start) }
        return false
      default: return false
      }
      return true
    }

    /// Estimates how many pairs of lines cross, by trying some random pairs.
    private func estimatedCrossings() -> Double {
      guard lines.count > 1 else { return 0 }
      let (count, pairs) = (Double(lines.count), max(lines.count, min(10 * lines.count, 20_000)))
      // The same for the same path, but not known to who has not computed it for that path.
      var state = lines.reduce(UInt64(lines.count)) { ($0 ^ $1.w.bitPattern) &* 0x9E37_79B9_7F4A_7C15 }
      func next() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(lines.count))
      }
      let hits = (0..<pairs).count { _ in Self.cross(lines[next()], lines[next()]) }
      return count * count / 2 * Double(hits) / Double(pairs)
    }

    private static func cross(_ one: SIMD4<Double>, _ other: SIMD4<Double>) -> Bool {
      func side(_ point: SIMD2<Double>, _ line: SIMD4<Double>) -> Double {
        (line.z - line.x) * (point.y - line.y) - (line.w - line.y) * (point.x - line.x)
      }
      return side(one.lowHalf, other) * side(one.highHalf, other) < 0
        && side(other.lowHalf, one) * side(other.highHalf, one) < 0
    }

    private var reflected: SIMD2<Double> { control.map { position + position - $0 } ?? position }
  }
#endif
