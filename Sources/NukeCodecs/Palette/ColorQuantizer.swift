/// Chooses a small number of colors for an image.
///
/// Colors are premultiplied and counted in cells (``ColorCell``). The cells are divided into boxes as in median cut
/// (Heckbert, "Color image quantization for frame buffer display", 1982). Each time, the box with the largest squared
/// error is divided, across the channel and at the position that leave the smallest error (after Wu, "Efficient
/// statistical computations for optimal color quantization", 1991). Then each color is moved to the mean of the cells
/// that are nearest to it, twice (Lloyd).
struct ColorQuantizer {
  /// The mean color of the pixels in one cell, and their number.
  private struct Sample {
    var color: SIMD4<Float>
    var weight: Float
  }

  private struct Box {
    var range: Range<Int>
    /// The channel along which the colors differ most.
    var channel: Int
    /// The sum of squared distances from the mean along that channel.
    var error: Float
  }

  private var samples: [Sample] = []

  /// Counts the colors of all pixels that are not 0.
  init(_ pixels: [UInt32]) {
    var sums = [SIMD4<UInt64>](repeating: .zero, count: ColorCell.count)
    var counts = [UInt64](repeating: 0, count: ColorCell.count)
    pixels.withUnsafeBufferPointer { pixels in
      sums.withUnsafeMutableBufferPointer { sums in
        counts.withUnsafeMutableBufferPointer { counts in
          for pixel in pixels where pixel != 0 {
            let (red, green, blue, alpha) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24)
            let cell = ColorCell(red, green, blue, alpha: alpha).index
            sums[cell] &+= SIMD4(UInt64(red), UInt64(green), UInt64(blue), UInt64(alpha))
            counts[cell] &+= 1
          }
        }
      }
    }
    samples = sums.indices.compactMap { cell in
      guard counts[cell] > 0 else { return nil }
      let weight = Float(counts[cell])
      return Sample(color: SIMD4<Float>(sums[cell]) / weight, weight: weight)
    }
  }

  /// Returns at most `limit` colors, as pixels.
  mutating func colors(limit: Int) -> [UInt32] {
    guard !samples.isEmpty else { return [] }
    var boxes = [box(0..<samples.count)]
    while boxes.count < limit {
      guard let index = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }), boxes[index].error > 0 else {
        break
      }
      let (first, second) = divide(boxes[index])
      boxes[index] = box(first)
      boxes.append(box(second))
    }
    var means = boxes.map { mean($0.range) }
    for _ in 0..<2 { moveToMiddle(&means) }
    return means.map { mean in
      let rounded = mean.rounded(.toNearestOrAwayFromZero)
      return UInt32(rounded.x) | UInt32(rounded.y) << 8 | UInt32(rounded.z) << 16 | UInt32(rounded.w) << 24
    }
  }

  private func mean(_ range: Range<Int>) -> SIMD4<Float> {
    var (sum, weight) = (SIMD4<Float>.zero, Float(0))
    for sample in samples[range] {
      sum += sample.color * sample.weight
      weight += sample.weight
    }
    return sum / weight
  }

  private func box(_ range: Range<Int>) -> Box {
    let mean = mean(range)
    var errors = SIMD4<Float>.zero
    for sample in samples[range] {
      let distance = sample.color - mean
      errors += distance * distance * sample.weight
    }
    let channel = (0..<4).max { errors[$0] < errors[$1] } ?? 0
    return Box(range: range, channel: channel, error: range.count > 1 ? errors[channel] : 0)
  }

  /// Divides a box of at least two samples so that the sum of both squared errors is minimal.
  private mutating func divide(_ box: Box) -> (Range<Int>, Range<Int>) {
    let channel = box.channel
    samples[box.range].sort { $0.color[channel] < $1.color[channel] }
    var (allSum, allWeight) = (Double(0), Double(0))
    for sample in samples[box.range] {
      allSum += Double(sample.color[channel] * sample.weight)
      allWeight += Double(sample.weight)
    }
    // The errors are the sum of squares, which is constant, minus these gains.
    var (best, bestGain) = (box.range.lowerBound + 1, -Double.infinity)
    var (sum, weight) = (Double(0), Double(0))
    for index in box.range.dropLast() {
      sum += Double(samples[index].color[channel] * samples[index].weight)
      weight += Double(samples[index].weight)
      let gain = sum * sum / weight + (allSum - sum) * (allSum - sum) / (allWeight - weight)
      if gain > bestGain { (best, bestGain) = (index + 1, gain) }
    }
    return (box.range.lowerBound..<best, best..<box.range.upperBound)
  }

  private func moveToMiddle(_ means: inout [SIMD4<Float>]) {
    var sums = [SIMD4<Float>](repeating: .zero, count: means.count)
    var weights = [Float](repeating: 0, count: means.count)
    for sample in samples {
      var (nearest, least) = (0, Float.infinity)
      for index in means.indices {
        let difference = sample.color - means[index]
        let distance = (difference * difference).sum()
        if distance < least { (nearest, least) = (index, distance) }
      }
      sums[nearest] += sample.color * sample.weight
      weights[nearest] += sample.weight
    }
    for index in means.indices where weights[index] > 0 { means[index] = sums[index] / weights[index] }
  }
}

/// A cell of similar colors: 8 levels of each channel for opaque colors, and 16 levels of each channel and of alpha for
/// others.
struct ColorCell {
  static let count = 1 << 15 + 1 << 16

  let index: Int
  /// The channels of the color at the center, alpha last.
  let middle: SIMD4<Int32>

  init(_ red: UInt32, _ green: UInt32, _ blue: UInt32, alpha: UInt32) {
    let color = SIMD4(Int32(red), Int32(green), Int32(blue), Int32(alpha))
    if alpha == 255 {
      index = Int((red & 0xF8) << 7 | (green & 0xF8) << 2 | blue >> 3)
      middle = (color & SIMD4(~7, ~7, ~7, 255)) &+ SIMD4(4, 4, 4, 0)
    } else {
      index = 1 << 15 + Int((red & 0xF0) << 8 | (green & 0xF0) << 4 | blue & 0xF0 | alpha >> 4)
      middle = (color & SIMD4(repeating: ~15)) &+ SIMD4(repeating: 8)
    }
  }
}
