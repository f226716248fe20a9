/// A list in order of use; see ``_RecencyList``.
package typealias RecencyList<Element> = _RecencyList<Element>

/// A doubly linked list of elements in order of use. Elements are addressed by an index.
///
/// An element keeps its index until it is removed; then the index is used again. The elements are in memory that the list
/// allocates and are read in place. With an array, every access would retain the array and copy the element. An ordered
/// dictionary of swift-collections moves the elements behind the one that is removed.
///
/// It is public for the same reason as ``_Lock``.
public struct _RecencyList<Element>: ~Copyable {
  public typealias Index = Int32

  @usableFromInline struct Links {
    /// The next element towards the most recently used.
    @usableFromInline var newer: Index
    /// The next element towards the least recently used. For a free index, the next free index.
    @usableFromInline var older: Index

    @inlinable init(newer: Index = none, older: Index = none) {
      self.newer = newer
      self.older = older
    }
  }

  @inlinable static var none: Index { -1 }

  @usableFromInline var links: UnsafeMutablePointer<Links>
  @usableFromInline var elements: UnsafeMutablePointer<Element>
  @usableFromInline var capacity: Int
  /// The first index that was never used.
  @usableFromInline var end: Index = 0
  @usableFromInline var firstFree: Index = -1
  @usableFromInline var newestIndex: Index = -1
  @usableFromInline var oldestIndex: Index = -1

  @inlinable public init() {
    capacity = 8
    links = .allocate(capacity: capacity)
    elements = .allocate(capacity: capacity)
  }

  @inlinable deinit {
    var index = oldestIndex
    while index != Self.none {
      (elements + Int(index)).deinitialize(count: 1)
      index = links[Int(index)].newer
    }
    elements.deallocate()
    links.deallocate()
  }

  /// The most recently used element; `nil` if there is none.
  @inlinable public var newest: Index? { newestIndex == Self.none ? nil : newestIndex }
  /// The least recently used element; `nil` if there is none.
  @inlinable public var oldest: Index? { oldestIndex == Self.none ? nil : oldestIndex }

  /// Returns the next more recently used element; `nil` for the ``newest``.
  @inlinable public func newer(than index: Index) -> Index? {
    let newer = links[Int(index)].newer
    return newer == Self.none ? nil : newer
  }

  @inlinable public subscript(index: Index) -> Element {
    _read { yield elements[Int(index)] }
    nonmutating _modify { yield &elements[Int(index)] }
  }

  /// Adds an element as the most recently used.
  @inlinable public mutating func append(_ element: Element) -> Index {
    let index: Index
    if firstFree != Self.none {
      index = firstFree
      firstFree = links[Int(index)].older
    } else {
      if end == capacity { grow() }
      index = end
      end += 1
    }
    (elements + Int(index)).initialize(to: element)
    (links + Int(index)).initialize(to: Links())
    linkAsNewest(index)
    return index
  }

  /// Enlarges the memory. Called when every index is in use.
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

  @inlinable public mutating func remove(_ index: Index) -> Element {
    unlink(index)
    links[Int(index)].older = firstFree
    firstFree = index
    return (elements + Int(index)).move()
  }

  /// Makes the element the most recently used.
  @inlinable public mutating func use(_ index: Index) {
    guard index != newestIndex else { return }
    unlink(index)
    linkAsNewest(index)
  }

  @inlinable mutating func linkAsNewest(_ index: Index) {
    links[Int(index)] = Links(newer: Self.none, older: newestIndex)
    if newestIndex == Self.none {
      oldestIndex = index
    } else {
      links[Int(newestIndex)].newer = index
    }
    newestIndex = index
  }

  @inlinable mutating func unlink(_ index: Index) {
    let (newer, older) = (links[Int(index)].newer, links[Int(index)].older)
    if newer == Self.none { newestIndex = older } else { links[Int(newer)].older = older }
    if older == Self.none { oldestIndex = newer } else { links[Int(older)].newer = newer }
  }
}
