#if GTK
  /// Those of many elements that were met last.
  struct RecentSet<Element: Hashable> {
    /// How many are kept at most.
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
      // Half at once, so that it is cheap.
      elements.subtract(order.prefix(limit / 2))
      order.removeFirst(limit / 2)
    }
  }
#endif
