#if Server
  /// The values stored recently, by path.
  ///
  /// Two generations take the place of an order: what is used moves to the young one, and when that is full, the old one is
  /// forgotten.
  struct Generations<Value> {
    private var young: [String: Value] = [:]
    private var old: [String: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: paths of one generation.
    init(capacity: Int) { self.capacity = capacity }

    /// Paths that are remembered, each at most twice.
    var count: Int { young.count + old.count }

    mutating func find(_ path: String) -> Value? {
      if let value = young[path] { return value }
      guard let value = old[path] else { return nil }
      keep(value, for: path)
      return value
    }

    mutating func keep(_ value: Value, for path: String) {
      if young.count >= capacity {
        old = young
        young = [:]
      }
      young[path] = value
    }
  }
#endif
