import CNukeKernels

/// The pixel loops for the instruction set of this processor.
///
/// Unless a name says otherwise, pixels are four bytes: red, green, blue and alpha. Counts are in pixels. Nothing
/// outside the given pixels is read or written. Source and destination may be identical if their pixels have equal
/// size; they must not overlap otherwise. All variants produce the same bytes.
package struct PixelKernels: @unchecked Sendable {
  /// The supported instruction sets.
  package enum Variant: CaseIterable, Sendable {
    case scalar, sse41, avx2, avx512, neon
  }

  /// The fastest variant that this processor supports.
  package static let best = PixelKernels(table: nuke_kernels_best())

  // A constant of the C module.
  let table: UnsafePointer<nuke_kernels>

  private init(table: UnsafePointer<nuke_kernels>) { self.table = table }

  /// Creates the loops of a variant; `nil` if this processor does not support it.
  package init?(_ variant: Variant) {
    let number =
      switch variant {
      case .scalar: nuke_kernel_variant_scalar
      case .sse41: nuke_kernel_variant_sse41
      case .avx2: nuke_kernel_variant_avx2
      case .avx512: nuke_kernel_variant_avx512
      case .neon: nuke_kernel_variant_neon
      }
    guard let table = nuke_kernels_for(number) else { return nil }
    self.init(table: table)
  }

  package var variant: Variant {
    switch table.pointee.variant {
    case nuke_kernel_variant_sse41: .sse41
    case nuke_kernel_variant_avx2: .avx2
    case nuke_kernel_variant_avx512: .avx512
    case nuke_kernel_variant_neon: .neon
    default: .scalar
    }
  }

  /// Premultiplies pixels, rounding to the nearest value.
  ///
  /// - Returns: `true` if every alpha is 255.
  @discardableResult
  package func premultiply(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) -> Bool {
    table.pointee.premultiply(destination, source, count)
  }

  /// Premultiplies pixels in place, rounding to the nearest value.
  ///
  /// - Returns: `true` if every alpha is 255.
  @discardableResult
  package func premultiply(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    table.pointee.premultiply(pixels, pixels, count)
  }

  /// Divides colors by alpha, rounding to the nearest value, at most 255. Transparent pixels become zero.
  package func unpremultiply(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.unpremultiply(destination, source, count)
  }

  /// Swaps the first and third channels: RGBA to BGRA and back.
  package func swapRedBlue(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.swap_red_blue(destination, source, count)
  }

  /// Expands RGB to opaque RGBA.
  package func expandRGB(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.rgb_to_rgba(destination, source, count)
  }

  /// Expands gray to opaque RGBA.
  package func expandGray(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.gray_to_rgba(destination, source, count)
  }

  /// Expands gray with alpha to RGBA, without premultiplying.
  package func expandGrayAlpha(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.gray_alpha_to_rgba(destination, source, count)
  }

  /// Sets every alpha to 255.
  package func setOpaque(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    table.pointee.set_opaque(pixels, count)
  }

  /// Returns `true` if every alpha is 255.
  package func isOpaque(_ pixels: UnsafePointer<UInt8>, count: Int) -> Bool {
    table.pointee.is_opaque(pixels, count)
  }
}
