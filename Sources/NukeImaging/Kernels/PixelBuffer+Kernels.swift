extension PixelBuffer {
  /// Multiplies colour with alpha in place.
  ///
  /// - Returns: whether every pixel is opaque.
  @discardableResult
  package func premultiply() -> Bool { PixelKernels.best.premultiply(base, count: width * height) }

  /// Whether every pixel is opaque.
  package func isOpaque() -> Bool { PixelKernels.best.isOpaque(base, count: width * height) }
}
