import NukeImaging

/// The relation between ``EncodeOptions/quality``, which is a quality of JPEG, and the qualities of other formats' libraries.
/// Equal numbers of two libraries do not look alike.
///
/// Source: the mean SSIM of the luminance of twenty photographs, measured by `Benchmarks/Peers/quality.py`. Values below 30
/// and above 90 are interpolated.
package enum QualityScale {
  private static let jpeg: [Double] = [0, 30, 40, 50, 60, 70, 80, 90, 95, 100]
  private static let others: [ImageFormat: [Double]] = [
    .webp: [0, 24, 36, 50, 64, 77, 84, 92, 96, 100],
    .avif: [0, 30, 38, 43, 48, 54, 63, 81, 91, 100],
    .jxl: [0, 33, 49, 67, 74, 81, 87, 94, 97, 100],
  ]

  /// Returns the quality of the format's library that looks like a quality of JPEG. Both are from 0 to 1.
  package static func quality(of format: ImageFormat, likeJPEG quality: Double) -> Double {
    guard let scale = others[format] else { return quality }
    return interpolated(quality, from: jpeg, to: scale)
  }

  /// Returns the quality of JPEG that looks like a quality of the format's library. Both are from 0 to 1.
  package static func qualityOfJPEG(like quality: Double, of format: ImageFormat) -> Double {
    guard let scale = others[format] else { return quality }
    return interpolated(quality, from: scale, to: jpeg)
  }

  /// - Parameters:
  ///   - value: clamped to 0...1. NaN stays.
  ///   - inputs: increasing values, from 0 to 100.
  private static func interpolated(_ value: Double, from inputs: [Double], to outputs: [Double]) -> Double {
    if value.isNaN { return value }
    let percent = min(max(value, 0), 1) * 100
    let upper = inputs.firstIndex { $0 > percent } ?? inputs.count - 1
    let share = (percent - inputs[upper - 1]) / (inputs[upper] - inputs[upper - 1])
    let result = outputs[upper - 1] + share * (outputs[upper] - outputs[upper - 1])
    // So that a quality that is converted there and back stays.
    return (result * 1000).rounded() / 100_000
  }
}

extension ImageFormat {
  /// `true` if a lower ``EncodeOptions/quality`` produces smaller files.
  package var hasQuality: Bool { [.jpeg, .webp, .avif, .jxl].contains(self) }
}
