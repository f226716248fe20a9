import CNukeKernels
import Foundation

/// The transfer functions of images that are brighter than a screen of sRGB, and how their light comes into its range.
///
/// Light is counted in candelas a square metre. White of paper is at 203 (ITU-R BT.2408, 2.2), which becomes the
/// largest value of sRGB; an image reaches its peak, 1000 where its file does not say another, since most are mastered
/// at that. Between the two lies the curve of ITU-R BT.2390, 5.4.1, over the largest of red, green and blue: with a peak
/// of 1000 what is darker than 90 stays as it is, and brighter light is rolled off, so that 203 becomes 160, and 1000
/// and all above the 203 that sRGB can show. All three are multiplied alike, which keeps the hue.
enum HighRange: Sendable {
  /// ITU-R BT.2100, table 4: light of the screen. The peak is from ``white`` to 10,000.
  case pq(peak: Double)
  /// ITU-R BT.2100, table 5: light of the scene, which a screen of 1000 shows with an exponent of 1.2.
  case hlg

  /// The light that becomes the largest value of sRGB.
  static let white = 203.0
  /// The light that an image reaches whose file does not say so.
  static let usualPeak = 1000.0

  /// The light that the image reaches.
  var peak: Double {
    switch self {
    case .pq(let peak): peak
    case .hlg: Self.usualPeak
    }
  }

  /// Linear light of a component from 0 to 1, in units of ``peak``; of HLG the light of the scene.
  func linear(_ x: Double) -> Double {
    switch self {
    case .pq(let peak): return Self.light(ofPQ: x) / peak
    case .hlg:
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return x <= 0.5 ? x * x / 3 : (exp((x - c) / a) + b) / 12
    }
  }

  /// What the light of the scene is multiplied with to be that of the screen, by luminance; `nil` if it is that
  /// already.
  var sceneTable: [Float]? {
    switch self {
    case .pq: nil
    case .hlg: Self.table { pow($0, 0.2) }
    }
  }

  /// What light in units of ``peak`` is multiplied with to be light in units of ``white``, by its largest component.
  var toneTable: [Float] { peak == Self.usualPeak ? Self.usualToneTable : Self.toneTable(peak: peak) }

  private static let usualToneTable = toneTable(peak: usualPeak)

  private static func toneTable(peak: Double) -> [Float] {
    table { value in rolledOff(value * peak, peak: peak) / white / value }
  }

  /// The light after BT.2390's curve, whose formulas work on values of PQ divided by that of the peak.
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

  /// The light that a value of PQ from 0 to 1 stands for.
  static func light(ofPQ value: Double) -> Double {
    let power = pow(max(value, 0), 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// The value of PQ that stands for light.
  static func pq(ofLight light: Double) -> Double {
    let power = pow(max(light, 0) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  /// `value` of each light that an entry stands for.
  private static func table(_ value: (Double) -> Double) -> [Float] {
    (0..<Int(nuke_light_entries)).map { entry in
      // Those of an octave lie at equal distances.
      let (octave, step) = (entry / 256, entry % 256)
      return Float(value(exp2(Double(octave - 16)) * (1 + Double(step) / 256)))
    }
  }
}
