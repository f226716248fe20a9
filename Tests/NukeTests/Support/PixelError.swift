import Nuke

/// The difference between two images, in levels of 8 bits.
struct PixelError {
  /// The root of the mean square of all components.
  let rootMeanSquare: Double
  /// The largest difference of a component.
  let maximum: Int

  /// Compares images of the same size.
  init(_ first: PlatformImage, _ second: PlatformImage) {
    let (first, second) = (first.pixels, second.pixels)
    precondition(first.count == second.count)
    var (maximum, sum) = (0, 0)
    for index in first.indices {
      let difference = abs(Int(first[index]) - Int(second[index]))
      maximum = max(maximum, difference)
      sum += difference * difference
    }
    self.maximum = maximum
    rootMeanSquare = (Double(sum) / Double(max(1, first.count))).squareRoot()
  }
}
