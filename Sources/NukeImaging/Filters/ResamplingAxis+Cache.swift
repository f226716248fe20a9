extension ResamplingAxis {
  /// The axis for `key`, made now or taken from the few used last: for a small image weights cost more than pixels.
  static func cached(_ key: Key) -> ResamplingAxis { Cache.shared.axis(for: key) }

  /// Remembers the axes used last.
  package final class Cache: Sendable {
    static let shared = Cache()

    private struct Entry {
      let key: Key
      let axis: ResamplingAxis
    }

    /// The least recently used first.
    private let entries = Lock<[Entry]>([])
    private let limit: Int
    private let largest: Int

    /// - Parameters:
    ///   - limit: how many axes are kept.
    ///   - largest: bytes from which on an axis is not kept.
    package init(limit: Int = 16, largest: Int = 128 << 10) {
      self.limit = limit
      self.largest = largest
    }

    /// How many axes are kept.
    package var count: Int { entries.withLock { $0.count } }

    /// The axis for `key`, made now where it is not kept.
    package func axis(for key: Key) -> ResamplingAxis {
      let known: ResamplingAxis? = entries.withLock { entries in
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.axis
      }
      if let known { return known }
      // Made outside the lock: two threads may make the same one, and one of them is dropped.
      let made = ResamplingAxis(key)
      guard made.byteCount <= largest else { return made }
      return entries.withLock { entries in
        if let other = entries.last(where: { $0.key == key }) { return other.axis }
        if entries.count >= limit { entries.removeFirst() }
        entries.append(Entry(key: key, axis: made))
        return made
      }
    }
  }
}
