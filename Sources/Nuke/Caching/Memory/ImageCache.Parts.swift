import NukeBase
import Synchronization

extension ImageCache {
  /// The parts of a cache. Each has its own lock on its own cache lines, so that threads with different images rarely
  /// contend.
  struct Parts: ~Copyable, @unchecked Sendable {
    static var count: Int { 16 }

    private struct LockedPart: ~Copyable, Sendable {
      let part = Lock(Part())
      /// The value of ``Part/oldestUse`` when the lock was last released.
      let oldestUse = Atomic<UInt64>(.max)
    }

    /// The distance between two parts, in bytes. Processors fetch cache lines of 64 bytes in pairs.
    private static var stride: Int { 128 }

    private let memory: UnsafeMutableRawPointer
    private let order: UnsafeMutablePointer<UseOrder>

    init() {
      memory = .allocate(byteCount: (Self.count + 1) * Self.stride, alignment: Self.stride)
      order = memory.bindMemory(to: UseOrder.self, capacity: 1)
      order.initialize(to: UseOrder())
      for index in 0..<Self.count {
        (memory + (index + 1) * Self.stride).bindMemory(to: LockedPart.self, capacity: 1).initialize(to: LockedPart())
      }
    }

    deinit {
      for index in 0..<Self.count { lockedPart(index).deinitialize(count: 1) }
      order.deinitialize(count: 1)
      memory.deallocate()
    }

    private func lockedPart(_ index: Int) -> UnsafeMutablePointer<LockedPart> {
      (memory + (index + 1) * Self.stride).assumingMemoryBound(to: LockedPart.self)
    }

    /// Returns the part of a hash. The position within the part depends on the lower bits.
    static func index(of hash: Int) -> Int {
      Int(UInt(bitPattern: hash) >> (UInt.bitWidth - count.trailingZeroBitCount))
    }

    /// The index of the part with the least recently used entry. Another thread may use that entry at the same time.
    var indexOfOldest: Int {
      var oldest = 0
      var use = UInt64.max
      for index in 0..<Self.count {
        let candidate = lockedPart(index).pointee.oldestUse.load(ordering: .relaxed)
        if candidate < use { (oldest, use) = (index, candidate) }
      }
      return oldest
    }

    /// Runs `body` with exclusive access to a part, and with the order of uses.
    @inline(__always)
    func withPart<Result>(_ index: Int, _ body: (inout Part, borrowing UseOrder) -> Result) -> Result {
      let lockedPart = lockedPart(index)
      return lockedPart.pointee.part.withLock { part in
        let result = body(&part, order.pointee)
        let oldest = part.oldestUse
        if lockedPart.pointee.oldestUse.load(ordering: .relaxed) != oldest {
          lockedPart.pointee.oldestUse.store(oldest, ordering: .relaxed)
        }
        return result
      }
    }
  }
}
