/// A table of the most recently set values. It keeps between half its limit and its limit of entries.
///
/// Inlinable, so that it is specialized in other modules: a look-up takes twice as long otherwise.
package struct RecentTable<Key: Hashable, Value> {
  @usableFromInline var young: [Key: Value] = [:]
  @usableFromInline var old: [Key: Value] = [:]
  @usableFromInline let limit: Int

  @inlinable package init(limit: Int) { self.limit = max(2, limit) }

  package var count: Int { young.count + old.keys.count { young[$0] == nil } }

  @inlinable package subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      guard let newValue else {
        young[key] = nil
        old[key] = nil
        return
      }
      if young[key] == nil, young.count >= limit / 2 {
        old = young
        young = [:]
      }
      young[key] = newValue
    }
  }

  /// Returns a value. It counts as set again.
  @inlinable package mutating func find(_ key: Key) -> Value? {
    if let value = young[key] { return value }
    guard let value = old[key] else { return nil }
    self[key] = value
    return value
  }

  @inlinable package mutating func removeAll() { (young, old) = ([:], [:]) }
}
