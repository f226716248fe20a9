/// Memory for the pixels of one image: RGBA8, rows without gaps, from the pool.
///
/// It is written by whoever made it and never again once a ``Bitmap`` holds it.
package final class PixelBuffer: @unchecked Sendable {
  package let width: Int
  package let height: Int
  /// Bytes from one row to the next: four a pixel.
  package var bytesPerRow: Int { width * 4 }
  package var byteCount: Int { width * height * 4 }
  /// The first byte of the upper left pixel, aligned to 64 bytes. At least ``PixelBufferPool/padding`` bytes behind
  /// the last pixel may be read (not written) by kernels.
  package let base: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private let pool: PixelBufferPool

  /// Memory that is not cleared. Fails where the size overflows or the system has no memory.
  package init?(width: Int, height: Int, pool: PixelBufferPool = .shared) {
    guard width > 0, height > 0 else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= Int.max / 8 else { return nil }
    guard let block = pool.take(pixels * 4) else { return nil }
    self.width = width
    self.height = height
    self.pool = pool
    base = block.base
    capacity = block.capacity
  }

  deinit { pool.give(.init(base: base, capacity: capacity)) }

  /// The first byte of row `y`.
  package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * bytesPerRow }

  package var bytes: UnsafeMutableRawBufferPointer { .init(start: base, count: byteCount) }

  /// All pixels transparent black.
  package func clear() { base.update(repeating: 0, count: byteCount) }
}
