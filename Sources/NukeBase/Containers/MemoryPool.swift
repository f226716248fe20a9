#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pool of memory blocks for pixels and bodies. Fresh memory pages cost more time than decoding a small image, or than
/// receiving a body.
///
/// Blocks smaller than ``smallest`` come directly from `malloc`. The pool keeps at most ``limit`` bytes of larger
/// blocks, and releases the oldest first. ``drain()`` releases all of them.
package final class MemoryPool: Sendable {
  package static let shared = MemoryPool()
  /// The number of bytes after the requested size that a block has in addition. Pixel kernels may read them.
  package static let padding = 64
  private static let hugePageSize = 2 << 20
  /// The size in bytes from which blocks are pooled.
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
  /// The maximum size of all pooled blocks, in bytes.
  package let limit: Int

  package init(limit: Int = 32 << 20) { self.limit = limit }

  deinit { drain() }

  /// The size of all pooled blocks, in bytes.
  package var keptByteCount: Int { kept.withLock { $0.bytes } }

  /// Returns a block of at least `count` bytes plus the padding; `nil` if memory cannot be allocated.
  package func take(_ count: Int) -> Block? {
    let needed = count + Self.padding
    if count >= Self.smallest {
      let reused: Block? = kept.withLock { kept in
        // A block of more than twice the size would waste more than it saves.
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
      // Faulting in 48 MB page by page takes as long as decoding a JPEG into it.
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

  /// Releases all pooled blocks to the system.
  package func drain() {
    let released: [Block] = kept.withLock { kept in
      defer { kept = Kept() }
      return kept.blocks
    }
    for block in released { free(block.base) }
  }
}
