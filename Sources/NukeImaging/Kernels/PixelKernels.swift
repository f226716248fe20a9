import CNukeKernels

/// The pixel loops, for the instruction set of this processor.
///
/// Pixels are four bytes, red, green, blue, alpha, unless a name says otherwise; counts are pixels. Nothing outside the
/// given pixels is read or written. A source may be its destination where both have pixels of equal size; they must not
/// overlap in another way. Every variant gives the same bytes.
package struct PixelKernels: @unchecked Sendable {
  /// The instruction sets the loops are written for.
  package enum Variant: CaseIterable, Sendable {
    case scalar, sse41, avx2, avx512, neon
  }

  /// The fastest variant that this processor runs.
  package static let best = PixelKernels(table: nuke_kernels_best())

  // A constant of the C module.
  let table: UnsafePointer<nuke_kernels>

  private init(table: UnsafePointer<nuke_kernels>) { self.table = table }

  /// The loops of one variant, or `nil` if this processor lacks its instructions.
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

  /// Multiplies color with alpha, rounded to nearest.
  ///
  /// - Returns: `true` if every alpha was 255.
  @discardableResult
  package func premultiply(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) -> Bool {
    table.pointee.premultiply(destination, source, count)
  }

  /// Multiplies color with alpha in place, rounded to nearest.
  ///
  /// - Returns: `true` if every alpha was 255.
  @discardableResult
  package func premultiply(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    table.pointee.premultiply(pixels, pixels, count)
  }

  /// Divides color by alpha, rounded to nearest, at most 255; transparent pixels become zero.
  package func unpremultiply(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.unpremultiply(destination, source, count)
  }

  /// Exchanges the first and third channel: RGBA to BGRA and back.
  package func swapRedBlue(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.swap_red_blue(destination, source, count)
  }

  /// Three bytes a pixel to four, opaque.
  package func expandRGB(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.rgb_to_rgba(destination, source, count)
  }

  /// One byte of gray a pixel to four, opaque.
  package func expandGray(
    _ source: UnsafePointer<UInt8>, to destination: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    table.pointee.gray_to_rgba(destination, source, count)
  }

  /// Gray and alpha to four bytes a pixel; nothing is multiplied.
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
