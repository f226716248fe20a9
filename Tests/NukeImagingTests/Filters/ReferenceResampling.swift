import Foundation
import NukeImaging

/// Resampling written straight from the formulas, in double precision, one pixel after the other.
///
/// As the kernels do it keeps channels within 0...255 between the two passes, and color below alpha at the end; unlike
/// them it rounds nothing.
enum ReferenceResampling {
  static func resize(_ source: [UInt8], _ geometry: ResizeGeometry, _ filter: ResamplingFilter) -> [Double] {
    resize(source.map(Double.init), geometry, filter)
  }

  /// The same in linear light.
  static func resizeInLinearLight(
    _ source: [UInt8], _ geometry: ResizeGeometry, _ filter: ResamplingFilter
  ) -> [Double] {
    let light = resize(converted(source.map(Double.init), decoded), geometry, filter)
    return converted(light, encoded)
  }

  /// Premultiplied pixels whose straight colors, from 0 to 1, go through `curve`.
  private static func converted(_ pixels: [Double], _ curve: (Double) -> Double) -> [Double] {
    var result = pixels
    for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] > 0 {
      let alpha = pixels[pixel + 3]
      for channel in pixel..<pixel + 3 { result[channel] = curve(pixels[channel] / alpha) * alpha }
    }
    return result
  }

  /// IEC 61966-2-1.
  private static func decoded(_ x: Double) -> Double { x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4) }
  private static func encoded(_ x: Double) -> Double { x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055 }

  private static func resize(_ source: [Double], _ geometry: ResizeGeometry, _ filter: ResamplingFilter) -> [Double] {
    let (width, height) = (geometry.sourceWidth, geometry.sourceHeight)
    let across = weights(width, geometry.region.x, geometry.region.width, geometry.outputWidth, filter)
    let down = weights(height, geometry.region.y, geometry.region.height, geometry.outputHeight, filter)
    var narrow = [Double](repeating: 0, count: geometry.outputWidth * height * 4)
    for y in 0..<height {
      for (x, taps) in across.enumerated() {
        for c in 0..<4 {
          let sum = taps.reduce(0.0) { $0 + $1.weight * source[(y * width + $1.pixel) * 4 + c] }
          narrow[(y * geometry.outputWidth + x) * 4 + c] = min(max(sum, 0), 255)
        }
      }
    }
    var result = [Double](repeating: 0, count: geometry.outputWidth * geometry.outputHeight * 4)
    for (y, taps) in down.enumerated() {
      for x in 0..<geometry.outputWidth {
        var pixel = (0..<4).map { c in
          taps.reduce(0.0) { $0 + $1.weight * narrow[($1.pixel * geometry.outputWidth + x) * 4 + c] }
        }
        pixel = pixel.map { min(max($0, 0), 255) }
        for c in 0..<4 { result[(y * geometry.outputWidth + x) * 4 + c] = min(pixel[c], pixel[3]) }
      }
    }
    return result
  }

  private static func weights(
    _ input: Int, _ start: Double, _ length: Double, _ output: Int, _ filter: ResamplingFilter
  ) -> [[(pixel: Int, weight: Double)]] {
    let ratio = length / Double(output)
    return (0..<output).map { index in
      let (begin, end) = (start + Double(index) * ratio, start + Double(index + 1) * ratio)
      let taps = (0..<input).compactMap { pixel -> (pixel: Int, weight: Double)? in
        let weight: Double
        switch filter {
        case .lanczos3:
          let x = (Double(pixel) + 0.5 - (begin + end) / 2) / max(ratio, 1)
          weight = abs(x) >= 3 ? 0 : sinc(x) * sinc(x / 3)
        case .area:
          weight = max(0, min(Double(pixel + 1), end) - max(Double(pixel), begin))
        case .triangle:
          weight = max(0, 1 - abs(Double(pixel) + 0.5 - (begin + end) / 2) / max(ratio, 1))
        case .nearest:
          let middle = start + (Double(index) + 0.5) * length / Double(output)
          weight = Double(pixel) == middle.rounded(.down) ? 1 : 0
        case .gaussian:
          fatalError("the reference for blurs is ReferenceBlur")
        }
        return weight == 0 ? nil : (pixel, weight)
      }
      let sum = taps.reduce(0) { $0 + $1.weight }
      return taps.map { ($0.pixel, $0.weight / sum) }
    }
  }

  private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
}
