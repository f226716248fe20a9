/// A copy of an image with a margin, in which the edge pixels are repeated.
final class PaddedRows {
  let width: Int
  let height: Int
  private let buffer: PixelBuffer
  private let margin: Int

  /// - Parameter margin: the width of the margin in pixels. Returns `nil` if the image is empty or memory cannot be
  ///   allocated.
  init?(_ image: Bitmap, margin: Int) {
    guard let source = image.buffer, let buffer = PixelBuffer(width: source.width + 2 * margin, height: source.height)
    else { return nil }
    (width, height) = (source.width, source.height)
    self.buffer = buffer
    self.margin = margin
    for y in 0..<height {
      let (from, to) = (source.row(y), buffer.row(y))
      (to + margin * 4).update(from: from, count: width * 4)
      for x in 0..<margin {
        (to + x * 4).update(from: from, count: 4)
        (to + (margin + width + x) * 4).update(from: from + (width - 1) * 4, count: 4)
      }
    }
    withExtendedLifetime(image) {}
  }

  /// Returns the row `y`, starting at pixel `x`. Rows outside the image are the first or last one.
  func row(_ y: Int, from x: Int = 0) -> UnsafePointer<UInt8> {
    UnsafePointer(buffer.row(min(max(y, 0), height - 1)) + (margin + x) * 4)
  }
}
