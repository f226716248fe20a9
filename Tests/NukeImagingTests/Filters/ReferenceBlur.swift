import Foundation

/// A Gaussian blur in double precision, straight from the formula; beyond the edges pixels repeat.
enum ReferenceBlur {
  static func blur(_ source: [UInt8], _ width: Int, _ height: Int, sigma: Double) -> [Double] {
    let across = weights(width, sigma)
    let down = weights(height, sigma)
    var rows = [Double](repeating: 0, count: source.count)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<4 {
          rows[(y * width + x) * 4 + c] = (0..<width).reduce(0) {
            $0 + across[x][$1] * Double(source[(y * width + $1) * 4 + c])
          }
        }
      }
    }
    var result = rows
    for y in 0..<height {
      for i in 0..<width * 4 {
        result[y * width * 4 + i] = (0..<height).reduce(0) { $0 + down[y][$1] * rows[$1 * width * 4 + i] }
      }
    }
    return result
  }

  /// For each output the weight of each input.
  private static func weights(_ count: Int, _ sigma: Double) -> [[Double]] {
    let reach = Int((sigma * 8).rounded(.up))
    let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = bell.reduce(0, +)
    return (0..<count).map { center in
      var weights = [Double](repeating: 0, count: count)
      for (index, weight) in bell.enumerated() {
        weights[min(max(center + index - reach, 0), count - 1)] += weight / sum
      }
      return weights
    }
  }
}
