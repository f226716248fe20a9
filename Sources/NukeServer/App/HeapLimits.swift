#if Server
  import Foundation

  /// Limits of the C library's heap.
  enum HeapLimits {
    /// Makes glibc return freed memory to the system.
    ///
    /// By default, it has up to eight arenas for each processor, and keeps in each of them what its threads have freed. A
    /// server that decodes and encodes on many threads would keep several times the memory that it uses. Other C libraries
    /// have no such function.
    static func apply() {
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let set = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
      // In the words of <malloc.h>: M_ARENA_MAX, M_TRIM_THRESHOLD and M_MMAP_THRESHOLD.
      for (parameter, value) in [(-8, 2), (-1, 128 << 10), (-3, 256 << 10)] as [(CInt, CInt)] {
        _ = set(parameter, value)
      }
    }
  }
#endif
