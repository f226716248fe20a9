import Foundation

/// A curve from an encoded component, from 0 to 1, to linear light.
enum ToneCurve: Sendable {
  case gamma(Double)
  /// ICC.1:2010, 10.18, type 4: (ax + b)^gamma + e if x ≥ d, otherwise cx + f.
  case parametric(gamma: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// Equally spaced values with linear interpolation.
  case table([Float])

  /// IEC 61966-2-1.
  static let sRGB = ToneCurve.parametric(
    gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)

  /// Returns linear light from 0 to 1.
  func linear(_ x: Double) -> Double {
    let value: Double
    switch self {
    case .gamma(let gamma): value = pow(x, gamma)
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      value = x >= d ? pow(max(a * x + b, 0), gamma) + e : c * x + f
    case .table(let table):
      let position = x * Double(table.count - 1)
      let index = min(Int(position), table.count - 2)
      let (low, high) = (Double(table[index]), Double(table[index + 1]))
      value = low + (high - low) * (position - Double(index))
    }
    return value.isNaN ? 0 : min(max(value, 0), 1)
  }

  /// `true` if decoding any byte with this curve and encoding it with sRGB's changes it by at most one.
  var isSRGB: Bool {
    (0...255).allSatisfy { abs(Int(SRGB.encodedByte(linear(Double($0) / 255))) - $0) <= 1 }
  }
}

/// The encoding to sRGB, the target of every conversion.
enum SRGB {
  /// Returns the byte for linear light.
  static func encodedByte(_ linear: Double) -> UInt8 { UInt8((encoded(linear) * 255).rounded()) }

  /// Returns the encoded component, from 0 to 1, for linear light.
  static func encoded(_ linear: Double) -> Double {
    let value = min(max(linear, 0), 1)
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
  }

  /// The last index of ``encodeTable``. A step is less than a quarter of a step of the result, also near black, and the
  /// table fits into the L1 cache.
  static let encodeScale = 0x3FFF

  /// The bytes for linear light of 0, 1/16383 … 1.
  static let encodeTable: [UInt8] = (0...encodeScale).map { encodedByte(Double($0) / Double(encodeScale)) }
}
