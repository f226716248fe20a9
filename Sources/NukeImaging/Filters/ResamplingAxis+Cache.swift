import NukeBase

extension ResamplingAxis {
  /// Returns the axis for `key` from the cache, or creates it. For a small image, computing weights takes longer than
  /// resampling.
  static func cached(_ key: Key) -> ResamplingAxis { Cache.shared.axis(for: key) }

  /// A cache of the most recently used axes.
  package final class Cache: Sendable {
    static let shared = Cache()

    private struct Entry {
      let key: Key
      let axis: ResamplingAxis
    }

    /// The entries, least recently used first.
    private let entries = Lock<[Entry]>([])
    private let limit: Int
    private let largest: Int

    /// - Parameters:
    ///   - limit: the maximum number of axes.
    ///   - largest: the size in bytes from which an axis is not cached.
    package init(limit: Int = 16, largest: Int = 128 << 10) {
      self.limit = limit
      self.largest = largest
    }

    /// The number of cached axes.
    package var count: Int { entries.withLock { $0.count } }

    /// Returns the axis for `key`, from the cache if possible.
    package func axis(for key: Key) -> ResamplingAxis {
      let known: ResamplingAxis? = entries.withLock { entries in
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.axis
      }
      if let known { return known }
      // Created outside the lock. Two threads may create the same axis; one of them is dropped.
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
