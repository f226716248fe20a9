#if GTK
  /// A set of the most recently inserted elements. For an `OrderedSet`, which does the same, every program with
  /// GTK would need swift-collections.
  struct RecentSet<Element: Hashable> {
    /// The maximum number of elements.
    let limit: Int
    private var elements: Set<Element> = []
    private var order: [Element] = []

    init(limit: Int) { self.limit = max(2, limit) }

    var count: Int { elements.count }

    func contains(_ element: Element) -> Bool { elements.contains(element) }

    mutating func insert(_ element: Element) {
      guard elements.insert(element).inserted else { return }
      order.append(element)
      guard order.count > limit else { return }
      // Half are removed at once, which is cheaper.
      elements.subtract(order.prefix(limit / 2))
      order.removeFirst(limit / 2)
    }
  }
#endif
