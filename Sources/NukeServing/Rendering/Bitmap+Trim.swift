import NukeImaging

extension Bitmap {
  /// Returns the region without borders of one color. A pixel belongs to a border if no channel of the median of its
  /// surrounding 3 x 3 pixels differs by more than the threshold, so that single speckles count as border, too. Returns
  /// `nil` if there is no border, or nothing else.
  ///
  /// Transparent pixels count as magenta, so that a URL can name them as a color. Only the borders are read.
  func withoutBorder(_ trim: ImageOptions.Trim) -> (x: Int, y: Int, width: Int, height: Int)? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
      let (width, height) = (pixelWidth, pixelHeight)
      let border = Border(trim, base, width: width, height: height)
      func isBorder(row y: Int) -> Bool { border.length(inRow: y, fromRight: false, limit: width) == nil }
      guard var top = (0..<height).first(where: { !isBorder(row: $0) }),
        var bottom = (0..<height).last(where: { !isBorder(row: $0) }).map({ height - 1 - $0 })
      else { return nil }
      var (left, right) = (width, width)
      for y in top..<height - bottom {
        left = border.length(inRow: y, fromRight: false, limit: left) ?? left
        right = border.length(inRow: y, fromRight: true, limit: right) ?? right
      }
      if trim.isEqualHorizontally { (left, right) = (min(left, right), min(left, right)) }
      if trim.isEqualVertically { (top, bottom) = (min(top, bottom), min(top, bottom)) }
      if (left, right, top, bottom) == (0, 0, 0, 0) { return nil }
      return (left, top, width - left - right, height - top - bottom)
    }
  }
}

/// The color of a border, and the tolerated difference.
private struct Border {
  private let pixels: UnsafePointer<UInt8>
  private let width: Int
  private let height: Int
  private let color: SIMD4<Int16>
  private let threshold: Int16

  /// - Parameter pixels: the pixels of the image. The upper left one determines the color if the options name none.
  init(_ trim: ImageOptions.Trim, _ pixels: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
    threshold = Int16(trim.threshold > 0 ? min(trim.threshold, 255) : 0)
    if let (red, green, blue, _) = trim.color?.straightRGBA8 {
      color = SIMD4(Int16(red), Int16(green), Int16(blue), 255)
    } else {
      color = Self.opaque(pixels)
    }
  }

  /// Returns the number of border pixels at one end of a row; `nil` if there are at least `limit`.
  func length(inRow y: Int, fromRight: Bool, limit: Int) -> Int? {
    func differences(_ step: Int) -> Differences {
      let step = min(step, width - 1)
      return self.differences(inColumn: fromRight ? width - 1 - step : step, aroundRow: y)
    }
    // Beyond the edge, the pixels of the edge are repeated.
    var (before, here) = (differences(0), differences(0))
    for step in 0..<limit {
      let after = differences(step + 1)
      if Differences(before, here, after).hasMajority { return step }
      (before, here) = (here, after)
    }
    return nil
  }

  private func differences(inColumn x: Int, aroundRow y: Int) -> Differences {
    var differences = Differences()
    for row in y - 1...y + 1 {
      let pixel = pixels + (min(max(row, 0), height - 1) * width + x) * 4
      differences.add(Self.opaque(pixel) &- color, threshold)
    }
    return differences
  }

  /// Returns the pixel blended over the color that represents transparency.
  private static func opaque(_ pixel: UnsafePointer<UInt8>) -> SIMD4<Int16> {
    let alpha = Int16(pixel[3])
    let missing = 255 - alpha
    return SIMD4(Int16(pixel[0]) + missing, Int16(pixel[1]), Int16(pixel[2]) + missing, 255)
  }
}

/// The number of pixels whose channels differ from the border's color by more than the threshold.
private struct Differences {
  private var above = SIMD4<Int16>.zero
  private var below = SIMD4<Int16>.zero

  init() {}

  init(_ one: Self, _ two: Self, _ three: Self) {
    above = one.above &+ two.above &+ three.above
    below = one.below &+ two.below &+ three.below
  }

  /// `true` if the median of nine pixels differs in any channel.
  var hasMajority: Bool { above.max() >= 5 || below.max() >= 5 }

  mutating func add(_ difference: SIMD4<Int16>, _ threshold: Int16) {
    above.replace(with: above &+ 1, where: difference .> threshold)
    below.replace(with: below &+ 1, where: difference .< -threshold)
  }
}
