import Foundation

extension ImageCache {
  /// The entries of one part of the cache, in order of use. What part a key belongs to, its hash says.
  ///
  /// It compares no processors, since that runs code of the program's. Where these decide, it asks: the answer is found
  /// outside of the lock, and the search is made again with it.
  struct Part: ~Copyable {
    struct Entry {
      var key: ImageCacheKey
      var container: ImageContainer
      var cost: Int
      var expires: TimeInterval
      /// The number of its last use.
      var used: UInt64
    }

    /// The result of a search.
    enum Finding {
      case absent
      case place(RecencyList<Entry>.Place)
      /// A Boolean value that indicates whether the key asked for is that of this identity is to be said.
      case question(RequestIdentity)
    }

    private var places = HashIndex()
    private var entries = RecencyList<Entry>()
    private var overlap = UseOrder.Overlap()

    /// The number of the use that lies back furthest; the greatest of all numbers where there is no entry.
    var oldestUse: UInt64 { entries.oldest.map { entries[$0].used } ?? .max }

    func container(_ place: RecencyList<Entry>.Place) -> ImageContainer { entries[place].container }
    func expires(_ place: RecencyList<Entry>.Place) -> TimeInterval { entries[place].expires }

    func find(_ key: ImageCacheKey, hash: Int, answers: Answers) -> Finding {
      var index = places.first(hash)
      while let slot = places[index] {
        if slot.hash == hash, slot.processorCount == key.processorCount {
          let likeness = slot.identity!._withUnsafeGuaranteedRef {
            RequestIdentity.likeness($0, key.identity.buffer, processorCount: key.processorCount)
          }
          switch likeness {
          case .same: return .place(slot.place)
          case .different: break
          case .unsure:
            let stored = entries[slot.place].key.identity
            guard let isSame = answers[stored] else { return .question(stored) }
            if isSame { return .place(slot.place) }
          }
        }
        index = places.next(index)
      }
      return .absent
    }

    /// Notes a look-up that found the entry.
    mutating func use(_ place: RecencyList<Entry>.Place, _ order: borrowing UseOrder) {
      entries.use(place)
      entries[place].used = order.hit(&overlap)
    }

    mutating func insert(_ entry: Entry, hash: Int) {
      places.insert(
        HashIndex.Slot(
          hash: hash, identity: Unmanaged.passUnretained(entry.key.identity.buffer),
          processorCount: Int32(entry.key.processorCount),
          place: entries.append(entry)))
    }

    /// Puts an entry in place of one with an equal key.
    ///
    /// - Returns: what was there.
    mutating func replace(_ place: RecencyList<Entry>.Place, with entry: Entry) -> Entry {
      entries.use(place)
      var entry = entry
      // The slot knows the identity that the place was made for.
      entry.key = entries[place].key
      swap(&entry, &entries[place])
      return entry
    }

    mutating func remove(_ place: RecencyList<Entry>.Place) -> Entry {
      let entry = entries.remove(place)
      places.remove(entry.key.imageHash, place: place)
      return entry
    }

    /// Removes the least recently used entry.
    mutating func removeOldest() -> Entry? { entries.oldest.map { remove($0) } }
  }

  /// The results of comparing processors, outside of the lock.
  struct Answers {
    private var known: [(identity: RequestIdentity, isSame: Bool)] = []

    subscript(identity: RequestIdentity) -> Bool? { known.first { $0.identity === identity }?.isSame }

    /// Answers the question, for the key that is looked for.
    mutating func answer(_ identity: RequestIdentity, for key: ImageCacheKey) {
      known.append((identity, identity.hasSameProcessors(as: key.identity, count: key.processorCount)))
    }
  }
}
