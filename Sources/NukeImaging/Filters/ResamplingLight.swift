import CNukeKernels

/// The values that are averaged in a resize: sRGB or linear light.
package enum ResamplingLight: Hashable, Sendable {
  /// Premultiplied sRGB as it is, as browsers and other image libraries do.
  case encoded
  /// Light: fine patterns keep their brightness. Three to four times as dear.
  case linear
}

/// Between the bytes of sRGB and linear light in 15 bits.
///
/// Immutable once made; the kernels read it.
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
