import Synchronization

/// Numbers the uses of a cache with several locked parts, to determine which part contains the least recently used
/// entry.
///
/// Successive uses get increasing numbers, on whichever threads they happen. If several threads incremented the counter
/// at the same time, its cache line would move between processors, and that would take longer than the rest of a
/// look-up. So when a part detects contention on the counter, its next hits reuse the current number, until there is a
/// write or a limit is reached. Such hits count as simultaneous among the parts, and keep their order within the part.
struct UseOrder: ~Copyable, Sendable {
  /// Detects whether other threads are using the counter at the same time.
  struct Overlap {
    fileprivate var hits: Int32 = 0
    fileprivate var writes: UInt64 = 0
  }

  private static let uncountedHits: Int32 = 512

  private let last = Atomic<UInt64>(0)
  private let writes = Atomic<UInt64>(0)

  /// Returns the number for a write.
  func write() -> UInt64 {
    writes.add(1, ordering: .relaxed)
    return last.add(1, ordering: .relaxed).newValue
  }

  /// Returns the number for a hit. It is not smaller than earlier numbers of the same part.
  func hit(_ overlap: inout Overlap) -> UInt64 {
    let number = last.load(ordering: .relaxed)
    if overlap.hits > 0 {
      if overlap.writes == writes.load(ordering: .relaxed) {
        overlap.hits -= 1
        return number
      }
      overlap.hits = 0
    }
    if last.compareExchange(expected: number, desired: number + 1, ordering: .relaxed).exchanged { return number + 1 }
    overlap = Overlap(hits: Self.uncountedHits, writes: writes.load(ordering: .relaxed))
    return number
  }
}
