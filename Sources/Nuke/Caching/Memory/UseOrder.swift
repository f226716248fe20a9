import Synchronization

/// Numbers the uses of a cache whose parts have locks of their own, so that it is known which part was used first.
///
/// Uses that come one after the other, on whichever threads, get rising numbers. Counting for two threads at the same time
/// would cost more than all else of a look-up, since the counter's cache line wanders between the processors. So when a
/// part meets another thread at the counter, its next hits get the number of the hit before, until there is a write or
/// there have been many: among the parts they stand as used at the same time, within the part they keep their order.
struct UseOrder: ~Copyable, Sendable {
  /// Estimates how many other threads use the cache now.
  struct Overlap {
    fileprivate var hits: Int32 = 0
    fileprivate var writes: UInt64 = 0
  }

  private static let uncountedHits: Int32 = 512

  private let last = Atomic<UInt64>(0)
  private let writes = Atomic<UInt64>(0)

  /// The number of a write.
  func write() -> UInt64 {
    writes.add(1, ordering: .relaxed)
    return last.add(1, ordering: .relaxed).newValue
  }

  /// The number of a hit; no smaller than those that the part got before.
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
