import Foundation
import NukeBase

extension ImageCache {
  /// The entries of one part of the cache, in order of use. The hash of a key determines its part.
  ///
  /// A part does not compare processors, because that runs the program's code. If a comparison is necessary, the search
  /// returns a question. The caller answers it outside the lock and repeats the search.
  struct Part: ~Copyable {
    struct Entry {
      var key: ImageCacheKey
      var container: ImageContainer
      var cost: Int
      var expires: TimeInterval
      /// The number of its last use; see ``UseOrder``.
      var used: UInt64
    }

    /// The result of a search.
    enum Finding {
      case absent
      case place(RecencyList<Entry>.Index)
      /// The caller must determine whether the requested key equals the key with this identity.
      case question(RequestIdentity)
    }

    private var places = HashIndex()
    private var entries = RecencyList<Entry>()
    private var overlap = UseOrder.Overlap()

    /// The number of the least recent use; the maximum integer if there are no entries.
    var oldestUse: UInt64 { entries.oldest.map { entries[$0].used } ?? .max }

    func container(_ place: RecencyList<Entry>.Index) -> ImageContainer { entries[place].container }
    func expires(_ place: RecencyList<Entry>.Index) -> TimeInterval { entries[place].expires }

    func find(_ key: ImageCacheKey, hash: Int, answers: Answers) -> Finding {
      var index = places.first(hash)
      while let slot = places[index] {
        if slot.hash == hash, slot.processorCount == key.processorCount {
          let isSame = slot.identity!._withUnsafeGuaranteedRef {
            RequestIdentity.isSameImage($0, key.identity.buffer, processorCount: key.processorCount)
          }
          switch isSame {
          case true?: return .place(slot.place)
          case false?: break
          case nil:
            let stored = entries[slot.place].key.identity
            guard let isSame = answers[stored] else { return .question(stored) }
            if isSame { return .place(slot.place) }
          }
        }
        index = places.next(index)
      }
      return .absent
    }

    /// Records a hit of the entry.
    mutating func use(_ place: RecencyList<Entry>.Index, _ order: borrowing UseOrder) {
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

    /// Replaces an entry with one that has an equal key.
    ///
    /// - Returns: the replaced entry.
    mutating func replace(_ place: RecencyList<Entry>.Index, with entry: Entry) -> Entry {
      entries.use(place)
      var entry = entry
      // The slot refers to the identity of the existing key, so that key stays.
      entry.key = entries[place].key
      swap(&entry, &entries[place])
      return entry
    }

    mutating func remove(_ place: RecencyList<Entry>.Index) -> Entry {
      let entry = entries.remove(place)
      places.remove(entry.key.imageHash, place: place)
      return entry
    }

    /// Removes the least recently used entry.
    mutating func removeOldest() -> Entry? { entries.oldest.map { remove($0) } }
  }

  /// The results of comparing processors, determined outside the lock.
  struct Answers {
    private var known: [(identity: RequestIdentity, isSame: Bool)] = []

    subscript(identity: RequestIdentity) -> Bool? { known.first { $0.identity === identity }?.isSame }

    /// Compares an identity with the requested key, and records the result.
    mutating func answer(_ identity: RequestIdentity, for key: ImageCacheKey) {
      known.append((identity, identity.hasSameProcessors(as: key.identity, count: key.processorCount)))
    }
  }
}
