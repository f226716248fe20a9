/// A list in order of use; see ``_RecencyList``.
package typealias RecencyList<Element> = _RecencyList<Element>

/// A doubly linked list of elements in order of use. Elements are addressed by their place.
///
/// An element keeps its place until it is removed; then the place is reused. The elements are in memory that the list
/// allocates and are read in place. With an array, every access would retain the array and copy the element. An ordered
/// dictionary of swift-collections moves the elements behind the one that is removed.
///
/// It is public for the same reason as ``_Lock``.
public struct _RecencyList<Element>: ~Copyable {
  public typealias Place = Int32

  @usableFromInline struct Links {
    /// The next element towards the most recently used.
    @usableFromInline var newer: Place
    /// The next element towards the least recently used. For a free place, the next free place.
    @usableFromInline var older: Place

    @inlinable init(newer: Place = none, older: Place = none) {
      self.newer = newer
      self.older = older
    }
  }

  @inlinable static var none: Place { -1 }

  @usableFromInline var links: UnsafeMutablePointer<Links>
  @usableFromInline var elements: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  /// The first place that was never used.
  @usableFromInline var end: Place = 0
  @usableFromInline var firstFree: Place = -1
  @usableFromInline var newestPlace: Place = -1
  @usableFromInline var oldestPlace: Place = -1

  @inlinable public init() {
    capacity = 8
    links = .allocate(capacity: capacity)
    elements = .allocate(capacity: capacity)
  }

  @inlinable deinit {
    var place = oldestPlace
    while place != Self.none {
      (elements + Int(place)).deinitialize(count: 1)
      place = links[Int(place)].newer
    }
    elements.deallocate()
    links.deallocate()
  }

  /// The most recently used element; `nil` if there is none.
  @inlinable public var newest: Place? { newestPlace == Self.none ? nil : newestPlace }
  /// The least recently used element; `nil` if there is none.
  @inlinable public var oldest: Place? { oldestPlace == Self.none ? nil : oldestPlace }

  /// Returns the next more recently used element; `nil` for the ``newest``.
  @inlinable public func newer(than place: Place) -> Place? {
    let newer = links[Int(place)].newer
    return newer == Self.none ? nil : newer
  }

  @inlinable public subscript(place: Place) -> Element {
    _read { yield elements[Int(place)] }
    nonmutating _modify { yield &elements[Int(place)] }
  }

  /// Adds an element as the most recently used.
  @inlinable public mutating func append(_ element: Element) -> Place {
    let place: Place
    if firstFree != Self.none {
      place = firstFree
      firstFree = links[Int(place)].older
    } else {
      if end == capacity { grow() }
      place = end
      end += 1
    }
    (elements + Int(place)).initialize(to: element)
    (links + Int(place)).initialize(to: Links())
    linkAsNewest(place)
    return place
  }

  /// Enlarges the memory. Called when every place is in use.
  @inlinable mutating func grow() {
    let moved = (
      links: UnsafeMutablePointer<Links>.allocate(capacity: capacity * 2),
      elements: UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    )
    moved.links.moveInitialize(from: links, count: capacity)
    moved.elements.moveInitialize(from: elements, count: capacity)
    links.deallocate()
    elements.deallocate()
    (links, elements) = moved
    capacity *= 2
  }

  @inlinable public mutating func remove(_ place: Place) -> Element {
    unlink(place)
    links[Int(place)].older = firstFree
    firstFree = place
    return (elements + Int(place)).move()
  }

  /// Makes the element the most recently used.
  @inlinable public mutating func use(_ place: Place) {
    guard place != newestPlace else { return }
    unlink(place)
    linkAsNewest(place)
  }

  @inlinable mutating func linkAsNewest(_ place: Place) {
    links[Int(place)] = Links(newer: Self.none, older: newestPlace)
    if newestPlace == Self.none {
      oldestPlace = place
    } else {
      links[Int(newestPlace)].newer = place
    }
    newestPlace = place
  }

  @inlinable mutating func unlink(_ place: Place) {
    let (newer, older) = (links[Int(place)].newer, links[Int(place)].older)
    if newer == Self.none { newestPlace = older } else { links[Int(newer)].older = older }
    if older == Self.none { oldestPlace = newer } else { links[Int(older)].newer = newer }
  }
}
