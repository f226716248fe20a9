/// An index of slots for existing hashes: a hash table with open addressing and linear probing.
///
/// A `Dictionary` would hash the hash again, and would compare keys with code that must not run under a lock.
struct HashIndex: ~Copyable {
  struct Slot {
    var hash = 0
    /// The key's identity. The entry in the cache retains it, so comparing it needs no retain.
    var identity: Unmanaged<RequestIdentity.Buffer>?
    var processorCount: Int32 = 0
    /// The place of the entry; -1 for a free slot.
    var place: Int32 = -1
  }

  private(set) var count = 0
  private var slots: UnsafeMutableBufferPointer<Slot>

  init() { slots = Self.free(8) }

  deinit { slots.deallocate() }

  private static func free(_ count: Int) -> UnsafeMutableBufferPointer<Slot> {
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: count)
    slots.initialize(repeating: Slot())
    return slots
  }

  /// Returns the index at which probing begins.
  func first(_ hash: Int) -> Int { hash & (slots.count - 1) }
  /// Returns the next index to probe.
  func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  /// The slot at an index from ``first(_:)`` or ``next(_:)``; `nil` if the search is over.
  subscript(index: Int) -> Slot? {
    let slot = slots[index]
    return slot.place < 0 ? nil : slot
  }

  mutating func insert(_ slot: Slot) {
    // At most half of the slots are in use, so that probing is short.
    if count * 2 >= slots.count { grow() }
    put(slot)
    count += 1
  }

  private func put(_ slot: Slot) {
    var index = first(slot.hash)
    while slots[index].place >= 0 { index = next(index) }
    slots[index] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = Self.free(old.count * 2)
    for slot in old where slot.place >= 0 { put(slot) }
    old.deallocate()
  }

  /// Frees the slot of `place`, and moves later slots that could no longer be found.
  mutating func remove(_ hash: Int, place: Int32) {
    var index = first(hash)
    while slots[index].place != place { index = next(index) }
    count -= 1
    var hole = index
    while true {
      index = next(index)
      guard slots[index].place >= 0 else { break }
      // A slot whose probe sequence begins after the free slot stays.
      let distance = (index - first(slots[index].hash)) & (slots.count - 1)
      if distance >= (index - hole) & (slots.count - 1) {
        slots[hole] = slots[index]
        hole = index
      }
    }
    slots[hole] = Slot()
  }
}
