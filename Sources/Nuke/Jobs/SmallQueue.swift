/// Elements that are taken in the order in which they came.
///
/// The first few stand in the value itself, since most changes of the graph lead to one or two actions, and memory for
/// these would cost more than they do.
package struct SmallQueue<Element>: Sequence, IteratorProtocol {
  private static var nearCount: Int { 4 }

  private var near = InlineArray<4, Element?>(repeating: nil)
  private var far: [Element] = []
  private var start = 0
  /// The place of the next element that comes. It goes back to 0 when the queue is emptied.
  package private(set) var end = 0

  package init() {}

  package var isEmpty: Bool { start == end }

  package mutating func append(_ element: Element) {
    if end < Self.nearCount { near[end] = element } else { far.append(element) }
    end += 1
  }

  /// Takes the first element.
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

  /// The element that was added when ``end`` was `place`, and has not been taken.
  package subscript(place: Int) -> Element { place < Self.nearCount ? near[place]! : far[place - Self.nearCount] }
}
