extension PixelBuffer {
  /// Premultiplies all pixels in place.
  ///
  /// - Returns: `true` if every pixel is opaque.
  @discardableResult
  package func premultiply() -> Bool { PixelKernels.best.premultiply(base, count: width * height) }

  /// Returns `true` if every pixel is opaque.
  package func isOpaque() -> Bool { PixelKernels.best.isOpaque(base, count: width * height) }
}
