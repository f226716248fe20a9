import CNukeKernels

/// The weights that resample one axis of an image to another number of pixels.
///
/// Immutable. It owns the memory that the C kernels read.
package final class ResamplingAxis: @unchecked Sendable {
  /// The parameters that the weights depend on.
  package struct Key: Hashable, Sendable {
    /// The number of source pixels along this axis.
    var inputCount: Int
    /// The start and length of the sampled part of the source, in its pixels.
    var start: Double
    var length: Double
    /// The number of pixels of the result.
    var outputCount: Int
    var filter: ResamplingFilter
    /// The number of weights per output pixel is a multiple of this: 4 for rows, 1 for columns.
    var alignment: Int

    package init(
      inputCount: Int, start: Double, length: Double, outputCount: Int, filter: ResamplingFilter, alignment: Int
    ) {
      self.inputCount = inputCount
      self.start = start
      self.length = length
      self.outputCount = outputCount
      self.filter = filter
      self.alignment = alignment
    }
  }

  private let axis: nuke_resampling_axis
  private let starts: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Int16>
  private static let one = 1 << nuke_weight_shift

  /// Returns the first source pixel of an output pixel, and the weight of each; the weights add up to 1 << 14.
  package func weights(of output: Int) -> (start: Int, weights: [Int16]) {
    let taps = Int(axis.taps)
    return (Int(starts[output]), Array(UnsafeBufferPointer(start: weights + output * taps, count: taps)))
  }

  /// The number of output pixels.
  var count: Int { Int(axis.count) }
  /// The number of weights per output pixel.
  var taps: Int { Int(axis.taps) }

  /// `true` if pixels are copied, with no weights.
  var copies: Bool { axis.copies }
  /// Returns the first source pixel of an output pixel.
  func start(of output: Int) -> Int { Int(starts[output]) }

  /// Calls `body` with the data that the kernels read for a range of output pixels.
  func withOutputs<Result>(
    _ outputs: Range<Int>, _ body: (UnsafePointer<nuke_resampling_axis>) -> Result
  ) -> Result {
    var part = axis
    part.count = Int32(outputs.count)
    part.starts += outputs.lowerBound
    part.weights += outputs.lowerBound * taps
    return withExtendedLifetime(self) { body(&part) }
  }

  /// The size of its memory, in bytes.
  var byteCount: Int { Int(axis.count) * (4 + 2 * Int(axis.taps)) }

  /// - Parameter key: the sampled part must be within the source, except for a Gaussian. Counts must be positive and
  ///   fit into 28 bits.
  package init(_ key: Key) {
    let footprint = Footprint(key)
    let copies = footprint.ratio == 1 && key.start == key.start.rounded() && !key.filter.blurs
    let widest = copies ? 1 : (0..<key.outputCount).reduce(1) { max($0, footprint.range($1).count) }
    // The weights of an axis that copies or picks pixels are not read.
    let taps = copies || key.filter == .nearest ? 1 : (widest + key.alignment - 1) / key.alignment * key.alignment
    // The first source pixel is early enough for all reads to stay within the source. Leading weights are zero.
    let lastStart = max(0, key.inputCount - taps)

    let starts = UnsafeMutablePointer<Int32>.allocate(capacity: key.outputCount)
    let weights = UnsafeMutablePointer<Int16>.allocate(capacity: key.outputCount * taps)
    weights.initialize(repeating: 0, count: key.outputCount * taps)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: widest) { exact in
      for output in 0..<key.outputCount {
        let range = copies ? Int(key.start) + output..<Int(key.start) + output + 1 : footprint.range(output)
        let first = min(range.lowerBound, lastStart)
        footprint.weigh(output, range, into: exact)
        Self.quantise(exact[..<range.count], to: weights + output * taps + (range.lowerBound - first))
        (starts + output).initialize(to: Int32(first))
      }
    }
    self.starts = starts
    self.weights = weights
    axis = nuke_resampling_axis(
      count: Int32(key.outputCount), taps: Int32(taps), starts: starts, weights: weights,
      copies: copies)
  }

  deinit {
    starts.deallocate()
    weights.deallocate()
  }

  /// Rounds weights to fixed point. Rounding errors are carried over to the next weight, so that the sum is exactly one
  /// and a uniform color is unchanged.
  private static func quantise(
    _ exact: Slice<UnsafeMutableBufferPointer<Double>>, to weights: UnsafeMutablePointer<Int16>
  ) {
    let factor = Double(one) / exact.reduce(0, +)
    var carry = 0.0
    var left = one
    var largest = 0
    for (index, weight) in exact.enumerated() {
      let wanted = weight * factor + carry
      let rounded = wanted.rounded(.toNearestOrEven)
      carry = wanted - rounded
      weights[index] = Int16(clamping: Int(rounded))
      left -= Int(weights[index])
      if weights[index] > weights[largest] { largest = index }
    }
    weights[largest] = Int16(clamping: Int(weights[largest]) + left)
  }
}

/// The source pixels of an output pixel, and their weights.
private struct Footprint {
  let key: ResamplingAxis.Key
  /// The number of source pixels per output pixel.
  let ratio: Double
  /// The radius of the filter, in source pixels.
  private let reach: Double
  /// The factor by which the filter is widened.
  private let stretch: Double

  init(_ key: ResamplingAxis.Key) {
    self.key = key
    ratio = key.length / Double(key.outputCount)
    stretch = max(ratio, 1)
    reach =
      switch key.filter {
      case .lanczos3: Lanczos3.support * stretch
      case .area: ratio / 2
      case .triangle: stretch
      case .nearest: 0
      case .gaussian(let sigma): Gaussian.support * sigma
      }
  }

  private func center(_ output: Int) -> Double { key.start + (Double(output) + 0.5) * ratio }

  /// The source pixels with a weight, at least one.
  func range(_ output: Int) -> Range<Int> {
    let center = center(output)
    let lower: Double
    let upper: Double
    switch key.filter {
    case .lanczos3, .triangle, .gaussian:
      // Pixels whose center is within reach. At the end of the reach, weights are zero or nearly zero.
      lower = (center - reach - 0.5).rounded(.down) + 1
      upper = (center + reach - 0.5).rounded(.up)
    case .area:
      lower = (center - reach).rounded(.down)
      upper = (center + reach).rounded(.up)
    case .nearest:
      // Multiplied first, so that a center between two pixels is computed exactly.
      lower = (key.start + (Double(output) + 0.5) * key.length / Double(key.outputCount)).rounded(.down)
      upper = lower + 1
    }
    let first = Int(min(max(lower, 0), Double(key.inputCount - 1)))
    return first..<max(first + 1, Int(min(upper, Double(key.inputCount))))
  }

  /// Writes the weights of `range`, whose sum need not be one.
  func weigh(_ output: Int, _ range: Range<Int>, into weights: UnsafeMutableBufferPointer<Double>) {
    let center = center(output)
    var sum = 0.0
    switch key.filter {
    case .lanczos3:
      Lanczos3.table.withUnsafeBufferPointer { table in
        let scale = Lanczos3.entriesPerUnit / stretch
        for (index, pixel) in range.enumerated() {
          let position = min(abs(Double(pixel) + 0.5 - center) * scale, Double(table.count - 2))
          let entry = Int(position)
          let weight = table[entry] + (table[entry + 1] - table[entry]) * (position - Double(entry))
          weights[index] = weight
          sum += weight
        }
      }
    case .area:
      for (index, pixel) in range.enumerated() {
        let covered = min(Double(pixel + 1), center + reach) - max(Double(pixel), center - reach)
        weights[index] = max(covered, 0)
        sum += weights[index]
      }
    case .triangle:
      for (index, pixel) in range.enumerated() {
        weights[index] = max(1 - abs(Double(pixel) + 0.5 - center) / stretch, 0)
        sum += weights[index]
      }
    case .nearest:
      weights[0] = 1
      return
    case .gaussian(let sigma):
      for (index, pixel) in range.enumerated() {
        weights[index] = Gaussian.value((Double(pixel) + 0.5 - center) / sigma)
      }
      // Edge pixels are repeated outside of the image.
      weights[0] += Gaussian.sum(beyond: center - Double(range.lowerBound), reach: reach, sigma: sigma)
      weights[range.count - 1] += Gaussian.sum(beyond: Double(range.upperBound) - center, reach: reach, sigma: sigma)
      return
    }
    // With extreme ratios, rounding can leave no weight. Then the first pixel is used.
    guard sum > 1e-9 else {
      weights.update(repeating: 0)
      weights[0] = 1
      return
    }
  }
}
