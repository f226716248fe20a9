internal import Foundation

extension Bitmap {
  /// Returns the structural similarity of the luma of two images (SSIM): 1 for equal images, less the more a viewer
  /// would notice a difference.
  ///
  /// The method is that of Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to
  /// structural similarity" (2004): windows of 11 x 11 pixels, weighted by a Gaussian with a standard deviation of 1.5,
  /// and constants of 0.01 and 0.03. As its authors recommend, images are first reduced by a whole factor, so that the
  /// shorter side has about 256 pixels. Transparent pixels count as white.
  ///
  /// - Returns: the mean of all windows; `nil` if the sizes differ, or memory cannot be allocated.
  public func structuralSimilarity(to other: Bitmap) -> Double? {
    guard (pixelWidth, pixelHeight) == (other.pixelWidth, other.pixelHeight), pixelWidth > 0 else { return nil }
    let factor = max(1, Int((Double(min(pixelWidth, pixelHeight)) / 256).rounded()))
    return LumaPlane(self, reducedBy: factor).similarity(to: LumaPlane(other, reducedBy: factor))
  }
}

/// The luma of an image, from 0 to 255 (ITU-R BT.601).
private struct LumaPlane {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// Averages squares of pixels. Pixels at the right and at the bottom that fill no square are dropped.
  init(_ image: Bitmap, reducedBy factor: Int) {
    let (width, height) = (image.pixelWidth / factor, image.pixelHeight / factor)
    let bytesPerRow = image.pixelWidth * 4
    var values = [Float](repeating: 0, count: width * height)
    image.withUnsafeBytes { bytes in
      for y in 0..<height * factor {
        let row = bytes.baseAddress! + y * bytesPerRow
        let line = y / factor * width
        for x in 0..<width * factor {
          let pixel = (row + x * 4).loadUnaligned(as: SIMD4<UInt8>.self)
          let luma = 0.299 * Float(pixel.x) + 0.587 * Float(pixel.y) + 0.114 * Float(pixel.z)
          values[line + x / factor] += luma + Float(255 - pixel.w)
        }
      }
    }
    let scale = 1 / Float(factor * factor)
    for index in values.indices { values[index] *= scale }
    self.init(width: width, height: height, values: values)
  }

  func similarity(to other: LumaPlane) -> Double {
    let window = Window(size: min(11, width, height))
    let (mean, otherMean) = (filtered(window), other.filtered(window))
    let square = product(self).filtered(window)
    let otherSquare = other.product(other).filtered(window)
    let both = product(other).filtered(window)
    let (c1, c2): (Double, Double) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
    var sum = 0.0
    for index in mean.values.indices {
      let (x, y) = (Double(mean.values[index]), Double(otherMean.values[index]))
      let covariance = Double(both.values[index]) - x * y
      let variances = Double(square.values[index]) - x * x + Double(otherSquare.values[index]) - y * y
      sum += (2 * x * y + c1) * (2 * covariance + c2) / ((x * x + y * y + c1) * (variances + c2))
    }
    return sum / Double(mean.values.count)
  }

  private func product(_ other: LumaPlane) -> LumaPlane {
    LumaPlane(width: width, height: height, values: zip(values, other.values).map { $0 * $1 })
  }

  /// Returns the weighted means of all windows that lie in the image.
  private func filtered(_ window: Window) -> LumaPlane {
    let size = window.weights.count
    let (width, height) = (self.width - size + 1, self.height - size + 1)
    var rows = [Float](repeating: 0, count: width * self.height)
    var result = [Float](repeating: 0, count: width * height)
    values.withUnsafeBufferPointer { values in
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<self.height {
          for (offset, weight) in window.weights.enumerated() {
            let (line, source) = (rows.baseAddress! + y * width, values.baseAddress! + y * self.width + offset)
            for x in 0..<width { line[x] += weight * source[x] }
          }
        }
      }
    }
    rows.withUnsafeBufferPointer { rows in
      result.withUnsafeMutableBufferPointer { result in
        for y in 0..<height {
          for (offset, weight) in window.weights.enumerated() {
            let (line, source) = (result.baseAddress! + y * width, rows.baseAddress! + (y + offset) * width)
            for x in 0..<width { line[x] += weight * source[x] }
          }
        }
      }
    }
    return LumaPlane(width: width, height: height, values: result)
  }
}

private struct Window {
  /// The weights in one direction. Their sum is 1.
  let weights: [Float]

  init(size: Int) {
    let gaussian = (0..<size).map { index in
      let distance = (Double(index) - Double(size - 1) / 2) / 1.5
      return exp(-distance * distance / 2)
    }
    let sum = gaussian.reduce(0, +)
    weights = gaussian.map { Float($0 / sum) }
  }
}
