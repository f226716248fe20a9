/// A first in, first out queue.
///
/// The first few elements are stored inline. Most changes of the graph cause one or two actions, and allocating memory
/// for them, as a `Deque` of swift-collections does, would take longer than performing them.
package struct SmallQueue<Element>: Sequence, IteratorProtocol {
  private static var nearCount: Int { 4 }

  private var near = InlineArray<4, Element?>(repeating: nil)
  private var far: [Element] = []
  private var start = 0
  /// The position of the next element. It returns to 0 when the queue becomes empty.
  package private(set) var end = 0

  package init() {}

  package var isEmpty: Bool { start == end }

  package mutating func append(_ element: Element) {
    if end < Self.nearCount { near[end] = element } else { far.append(element) }
    end += 1
  }

  /// Removes and returns the first element.
  package mutating func next() -> Element? {
    guard start < end else { return nil }
    let first: Element
    if start < Self.nearCount {
      first = near[start]!
      near[start] = nil
    } else {
      first = far[start - Self.nearCount]
    }
    start += 1
    if start == end {
      start = 0
      end = 0
      if !far.isEmpty { far = [] }
    }
    return first
  }

  /// The element that was added when ``end`` was `place`. It must still be in the queue.
  package subscript(place: Int) -> Element { place < Self.nearCount ? near[place]! : far[place - Self.nearCount] }
}
