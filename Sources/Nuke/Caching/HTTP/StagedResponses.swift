import Foundation
import NukeHTTPCaching

/// Changes of an ``HTTPCache`` that are not on the disk yet: a plain value. They are made in their order.
struct StagedResponses {
  enum Change {
    case store(StoredResponse, Body, replacing: [String])
    /// Discards the part of a body that is on disk.
    case discard(BodyRecorder)
    /// Changes the metadata of a stored response; its body stays.
    case renew(HTTPCache.Slot, StoredResponse)
    /// By the keys of their slots.
    case remove([String])
    /// Everything of a URL.
    case removeURL
    case removeAll
  }

  enum Body {
    case data(Data)
    /// Most of it is on the disk already.
    case spooled(BodyRecorder)
  }

  struct Staged {
    /// ``CacheURL/key(_:)``.
    let url: String
    let change: Change
    let cost: Int
    var lease: DiskLease?
  }

  private(set) var changes: [Staged] = []
  /// The number of pending and running changes of each URL.
  private var counts: [String: Int] = [:]
  /// `true` if somebody will come for what is staged.
  var isAwaited = false

  func isWaiting(for url: String) -> Bool { counts[url] != nil }

  mutating func append(_ change: Change, of url: String, cost: Int, lease: DiskLease?) {
    changes.append(Staged(url: url, change: change, cost: cost, lease: lease))
    counts[url, default: 0] += 1
  }

  /// Takes at most `count` changes of `cost` bytes, oldest first; at least one if there are any. They count as waiting
  /// until they are finished.
  mutating func take(count: Int, cost: Int) -> [Staged] {
    var left = cost
    let end = changes.prefix(count).firstIndex { change in
      left -= change.cost
      return left < 0
    }
    let taken = changes.prefix(end.map { max(1, $0) } ?? count)
    changes.removeFirst(taken.count)
    return Array(taken)
  }

  mutating func finish(_ made: [Staged]) {
    for change in made {
      counts[change.url] = counts[change.url].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }
}
