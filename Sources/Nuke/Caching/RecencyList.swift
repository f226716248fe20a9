/// Elements in the order of their use: a plain value, doubly linked by places in an array.
///
/// An element keeps its place until it is removed; then the place is used again.
struct RecencyList<Element> {
  typealias Place = Int32

  private struct Node {
    var element: Element?
    /// Towards the most recently used.
    var newer = none
    var older = none
  }

  private static var none: Place { -1 }

  private var nodes: [Node] = []
  private var free: [Place] = []
  private var newestPlace = none
  private var oldestPlace = none

  /// The most recently used; nil where there is none.
  var newest: Place? { newestPlace == Self.none ? nil : newestPlace }
  /// The least recently used; nil where there is none.
  var oldest: Place? { oldestPlace == Self.none ? nil : oldestPlace }

  /// The next more recently used; nil for the ``newest``.
  func newer(than place: Place) -> Place? {
    let newer = nodes[Int(place)].newer
    return newer == Self.none ? nil : newer
  }

  subscript(place: Place) -> Element {
    get { nodes[Int(place)].element! }
    _modify { yield &nodes[Int(place)].element! }
  }

  /// Adds an element as the most recently used.
  mutating func append(_ element: Element) -> Place {
    let place: Place
    if let reused = free.popLast() {
      place = reused
      nodes[Int(place)].element = element
    } else {
      place = Place(nodes.count)
      nodes.append(Node(element: element))
    }
    linkAsNewest(place)
    return place
  }

  mutating func remove(_ place: Place) -> Element {
    unlink(place)
    free.append(place)
    return nodes[Int(place)].element.take()!
  }

  /// Makes the element the most recently used.
  mutating func use(_ place: Place) {
    guard place != newestPlace else { return }
    unlink(place)
    linkAsNewest(place)
  }

  private mutating func linkAsNewest(_ place: Place) {
    nodes[Int(place)].older = newestPlace
    nodes[Int(place)].newer = Self.none
    if newestPlace == Self.none {
      oldestPlace = place
    } else {
      nodes[Int(newestPlace)].newer = place
    }
    newestPlace = place
  }

  private mutating func unlink(_ place: Place) {
    let (newer, older) = (nodes[Int(place)].newer, nodes[Int(place)].older)
    if newer == Self.none { newestPlace = older } else { nodes[Int(newer)].older = older }
    if older == Self.none { oldestPlace = newer } else { nodes[Int(older)].newer = newer }
  }
}
