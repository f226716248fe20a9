import Foundation
import Nuke

/// A plain cache for comparison: one lock, a dictionary, and a doubly linked list in order of use.
final class PlainCache: @unchecked Sendable {
  /// The values that identify an image, as a request stores them.
  struct Key: Hashable {
    var id: String
    var scale: Float = 1
    var thumbnail: ImageRequest.ThumbnailOptions?
  }

  /// A request. The cache uses only its key.
  final class Request: Sendable {
    let key: Key
    let priority = ImageRequest.Priority.normal
    let options: ImageRequest.Options = []
    init(_ key: Key) { self.key = key }
  }

  private final class Node {
    let key: Key
    var container: ImageContainer
    unowned(unsafe) var newer: Node?
    unowned(unsafe) var older: Node?

    init(_ key: Key, _ container: ImageContainer) {
      self.key = key
      self.container = container
    }
  }

  private let lock = NSLock()
  private var nodes: [Key: Node] = [:]
  private var newest: Node?
  private var oldest: Node?

  subscript(request: Request) -> ImageContainer? {
    get {
      lock.withLock {
        guard let node = nodes[request.key] else { return nil }
        unlink(node)
        link(node)
        return node.container
      }
    }
    set {
      lock.withLock {
        let old = nodes[request.key]
        if let old { unlink(old) }
        let node = newValue.map { Node(request.key, $0) }
        nodes[request.key] = node
        if let node { link(node) }
      }
    }
  }

  private func link(_ node: Node) {
    node.newer = nil
    node.older = newest
    newest?.newer = node
    newest = node
    if oldest == nil { oldest = node }
  }

  private func unlink(_ node: Node) {
    if let newer = node.newer { newer.older = node.older } else { newest = node.older }
    if let older = node.older { older.newer = node.newer } else { oldest = node.newer }
  }
}
