/// An index of slots by existing hashes: a table with open addressing and linear probing.
///
/// A dictionary would hash the hash once more, and would compare keys with code that must not run under a lock.
struct HashIndex: ~Copyable {
  struct Slot {
    var hash = 0
    /// The key's identity, which the entry at the place keeps alive: comparing it is not to cost a retain.
    var identity: Unmanaged<RequestIdentity.Buffer>?
    var processorCount: Int32 = 0
    /// -1 for a slot that is free.
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

  /// Returns the slot at which probing begins.
  func first(_ hash: Int) -> Int { hash & (slots.count - 1) }
  /// The slot that is looked at next.
  func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  /// The slot at an index that ``first(_:)`` or ``next(_:)`` gave; `nil` if the search is over.
  subscript(index: Int) -> Slot? {
    let slot = slots[index]
    return slot.place < 0 ? nil : slot
  }

  mutating func insert(_ slot: Slot) {
    // Half full at most, so that few slots are looked at.
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

  /// Frees the slot of `place`, and moves those behind it that would not be found any more.
  mutating func remove(_ hash: Int, place: Int32) {
    var index = first(hash)
    while slots[index].place != place { index = next(index) }
    count -= 1
    var hole = index
    while true {
      index = next(index)
      guard slots[index].place >= 0 else { break }
      // One that begins its search behind the hole stays.
      let distance = (index - first(slots[index].hash)) & (slots.count - 1)
      if distance >= (index - hole) & (slots.count - 1) {
        slots[hole] = slots[index]
        hole = index
      }
    }
    slots[hole] = Slot()
  }
}
