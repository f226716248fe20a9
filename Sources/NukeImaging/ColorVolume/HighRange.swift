import CNukeKernels
import Foundation

/// The transfer functions of high dynamic range images, and their tone mapping to the range of sRGB.
///
/// Luminance is in cd/m². Reference white is at 203 (ITU-R BT.2408, 2.2) and becomes the maximum of sRGB. The peak of
/// an image is 1000 unless its file states another, because most images are mastered for that.
///
/// Tone mapping applies the curve of ITU-R BT.2390, 5.4.1, to the largest of red, green and blue. With a peak of 1000,
/// luminances below 90 are unchanged. Higher ones are compressed: 203 becomes 160, and 1000 becomes 203, the maximum of
/// sRGB. All three channels are multiplied by the same factor, which keeps the hue.
enum HighRange: Sendable {
  /// PQ (ITU-R BT.2100, table 4), which describes display light. The peak is from ``white`` to 10,000.
  case pq(peak: Double)
  /// HLG (ITU-R BT.2100, table 5), which describes scene light. A display with 1000 cd/m² applies an exponent of 1.2.
  case hlg

  /// The luminance that becomes the maximum of sRGB.
  static let white = 203.0
  /// The peak luminance of images whose files do not state one.
  static let usualPeak = 1000.0

  /// The peak luminance of the image.
  var peak: Double {
    switch self {
    case .pq(let peak): peak
    case .hlg: Self.usualPeak
    }
  }

  /// Returns the linear light of a component from 0 to 1, in units of ``peak``; for HLG, the scene light.
  func linear(_ x: Double) -> Double {
    switch self {
    case .pq(let peak): return Self.light(ofPQ: x) / peak
    case .hlg:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return x <= 0.5 ? x * x / 3 : (exp((x - c) / a) + b) / 12
    }
  }

  /// The factors from scene light to display light, by luminance; `nil` if the function describes display light.
  var sceneTable: [Float]? {
    switch self {
    case .pq: nil
    case .hlg: Self.table { pow($0, 0.2) }
    }
  }

  /// The factors that tone map light in units of ``peak`` to units of ``white``, by the largest component.
  var toneTable: [Float] { peak == Self.usualPeak ? Self.usualToneTable : Self.toneTable(peak: peak) }

  private static let usualToneTable = toneTable(peak: usualPeak)

  private static func toneTable(peak: Double) -> [Float] {
    table { value in rolledOff(value * peak, peak: peak) / white / value }
  }

  /// Returns the luminance after BT.2390's curve, which is defined on PQ values divided by the PQ value of the peak.
  private static func rolledOff(_ light: Double, peak: Double) -> Double {
    let (top, limit) = (pq(ofLight: peak), pq(ofLight: white) / pq(ofLight: peak))
    let knee = 1.5 * limit - 0.5
    let value = min(pq(ofLight: light) / top, 1)
    guard value > knee else { return light }
    let t = (value - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let result = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * limit
    return self.light(ofPQ: result * top)
  }

  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  /// Returns the luminance of a PQ value from 0 to 1.
  static func light(ofPQ value: Double) -> Double {
    let power = pow(max(value, 0), 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// Returns the PQ value of a luminance.
  static func pq(ofLight light: Double) -> Double {
    let power = pow(max(light, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  /// Returns `value` for the light of each table entry.
  private static func table(_ value: (Double) -> Double) -> [Float] {
    (0..<Int(nuke_light_entries)).map { entry in
      // Entries within an octave are equally spaced.
      let (octave, step) = (entry / 256, entry % 256)
      return Float(value(exp2(Double(octave - 16)) * (1 + Double(step) / 256)))
    }
  }
}
