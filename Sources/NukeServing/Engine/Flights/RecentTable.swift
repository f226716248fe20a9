/// A table of the most recently set values. It keeps between half its limit and its limit of entries.
struct RecentTable<Key: Hashable, Value> {
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = max(2, limit) }

  var count: Int { young.count + old.keys.count { young[$0] == nil } }

  subscript(key: Key) -> Value? {
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
}
