package import NukeBase

/// The memory of one image's pixels: RGBA8 rows without padding, from the pool.
///
/// It may only be written to until a ``Bitmap`` holds it.
package final class PixelBuffer: @unchecked Sendable {
  package let width: Int
  package let height: Int
  /// The number of bytes in a row, four per pixel.
  package var bytesPerRow: Int { width * 4 }
  package var byteCount: Int { width * height * 4 }
  /// The address of the upper left pixel, aligned to 64 bytes. Kernels may read (but not write) at least
  /// ``MemoryPool/padding`` bytes after the last pixel.
  package let base: UnsafeMutablePointer<UInt8>
  private let block: MemoryPool.Block
  private let pool: MemoryPool

  /// Allocates memory without clearing it. Returns `nil` if the size overflows or memory cannot be allocated.
  package init?(width: Int, height: Int, pool: MemoryPool = .shared) {
    guard width > 0, height > 0 else { return nil }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= Int.max / 8 else { return nil }
    guard let block = pool.take(pixels * 4) else { return nil }
    self.width = width
    self.height = height
    self.pool = pool
    base = block.base
    self.block = block
  }

  deinit { pool.give(block) }

  /// Returns the address of row `y`.
  package func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { base + y * bytesPerRow }

  package var bytes: UnsafeMutableRawBufferPointer { .init(start: base, count: byteCount) }

  /// Sets all pixels to transparent black.
  package func clear() { base.update(repeating: 0, count: byteCount) }
}
