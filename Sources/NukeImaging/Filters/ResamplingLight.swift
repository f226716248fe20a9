import CNukeKernels

/// The values that are averaged in a resize: sRGB or linear light.
package enum ResamplingLight: Hashable, Sendable {
  /// Premultiplied sRGB, as in browsers and other image libraries.
  case encoded
  /// Linear light, which keeps the brightness of fine patterns. Takes three to four times as long.
  case linear
}

/// The tables between sRGB bytes and linear light with 15 bits.
///
/// Immutable after creation. The kernels read them.
final class LightTables: @unchecked Sendable {
  static let shared = LightTables()

  private let linear = UnsafeMutablePointer<Int16>.allocate(capacity: 256)
  private let encoded = UnsafeMutablePointer<UInt16>.allocate(capacity: Int(nuke_light_one) + 1)
  var tables: nuke_light_tables { nuke_light_tables(linear: linear, encoded: encoded) }

  private init() {
    let one = Double(nuke_light_one)
    for byte in 0..<256 {
      (linear + byte).initialize(to: Int16((ToneCurve.sRGB.linear(Double(byte) / 255) * one).rounded()))
    }
    for light in 0...Int(nuke_light_one) {
      (encoded + light).initialize(to: UInt16((SRGB.encoded(Double(light) / one) * 255 * 256).rounded()))
    }
  }

  deinit {
    linear.deallocate()
    encoded.deallocate()
  }
}
