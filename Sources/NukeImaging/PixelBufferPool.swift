#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Keeps the memory of large pixel buffers for the next image, since fresh pages cost more than decoding a small one.
///
/// Blocks below ``smallest`` come from `malloc` alone. Of the larger ones at most ``limit`` bytes are kept, the oldest
/// let go first; ``drain()`` gives all of it back.
package final class PixelBufferPool: Sendable {
  package static let shared = PixelBufferPool()
  /// Bytes behind the pixels that a kernel may read.
  package static let padding = 64
  private static let hugePageSize = 2 << 20
  /// From this size in bytes on a block is kept.
  package static let smallest = 256 << 10

  package struct Block: @unchecked Sendable {
    package let base: UnsafeMutablePointer<UInt8>
    package let capacity: Int
  }

  private struct Kept {
    var blocks: [Block] = []
    var bytes = 0
  }

  private let kept = Lock(Kept())
  /// The most that is kept, in bytes.
  package let limit: Int

  package init(limit: Int = 32 << 20) { self.limit = limit }

  deinit { drain() }

  /// Bytes kept for later.
  package var keptByteCount: Int { kept.withLock { $0.bytes } }

  /// A block of at least `count` bytes and the padding, or `nil` if the system has no memory.
  package func take(_ count: Int) -> Block? {
    let needed = count + Self.padding
    if count >= Self.smallest {
      let reused: Block? = kept.withLock { kept in
        // A block twice too large would waste more than it saves.
        guard let index = kept.blocks.lastIndex(where: { $0.capacity >= needed && $0.capacity <= needed * 2 }) else {
          return nil
        }
        let block = kept.blocks.remove(at: index)
        kept.bytes -= block.capacity
        return block
      }
      if let reused { return reused }
    }
    // Rounded up to pages, so that images of nearly equal size can share a block.
    let capacity = count >= Self.smallest ? (needed + 4095) & ~4095 : needed
    var pointer: UnsafeMutableRawPointer?
    let isHuge = capacity >= Self.hugePageSize * 2
    guard posix_memalign(&pointer, isHuge ? Self.hugePageSize : 64, capacity) == 0, let pointer else { return nil }
    #if os(Linux)
      // Touching the fresh pages of 48 MB one by one costs as much as decoding a JPEG into them.
      if isHuge { madvise(pointer, capacity, MADV_HUGEPAGE) }
    #endif
    return Block(base: pointer.assumingMemoryBound(to: UInt8.self), capacity: capacity)
  }

  package func give(_ block: Block) {
    guard block.capacity >= Self.smallest, block.capacity <= limit else { return free(block.base) }
    let released: [Block] = kept.withLock { kept in
      kept.blocks.append(block)
      kept.bytes += block.capacity
      var released: [Block] = []
      while kept.bytes > limit {
        let oldest = kept.blocks.removeFirst()
        kept.bytes -= oldest.capacity
        released.append(oldest)
      }
      return released
    }
    for block in released { free(block.base) }
  }

  /// Gives everything kept back to the system.
  package func drain() {
    let released: [Block] = kept.withLock { kept in
      defer { kept = Kept() }
      return kept.blocks
    }
    for block in released { free(block.base) }
  }
}
