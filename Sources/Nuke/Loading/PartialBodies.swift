import Foundation
package import FoundationNetworking
import NukeImaging
import Synchronization

/// Partial bodies of failed or canceled downloads: in memory, within a limit, the oldest evicted first.
///
/// Each pipeline has its own: another may send other header fields through its loader, which are not seen here.
package final class PartialBodies: Sendable {
  /// Identifies the bytes that answer a request: the whole URL and header fields such as `Authorization`.
  package struct Key: Hashable, Sendable {
    let url: String
    let fields: [String: String]

    /// `nil` for a request that is never resumed.
    package init?(_ request: URLRequest) {
      guard ResumePoint.allows(request), let url = request.url?.absoluteString else { return nil }
      self.url = url
      fields = request.allHTTPHeaderFields ?? [:]
    }

    /// The key on the disk. Of header fields, which may be secret, it holds a digest.
    package var text: String {
      guard !fields.isEmpty else { return "part " + url }
      let text = fields.map { "\($0.key.lowercased()): \($0.value)" }.sorted().joined(separator: "\n")
      return "part \(url) \(DiskEntryName(hashing: text).text)"
    }
  }

  package struct Part: Sendable {
    package var point: ResumePoint
    package var body: GrowingData

    package init(point: ResumePoint, body: GrowingData) {
      self.point = point
      self.body = body
    }
  }

  fileprivate struct State {
    var parts: [Key: (part: Part, number: UInt64)] = [:]
    var byteCount = 0
    var lastNumber: UInt64 = 0
  }

  private let state = Lock(State())
  private let isUsed = Atomic<Bool>(false)
  /// Bytes of all bodies together.
  private let byteLimit: Int
  private let countLimit: Int

  package init(byteLimit: Int = 32 << 20, countLimit: Int = 256) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  /// `true` if there may be any part, told without the lock.
  var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

  package var count: Int { state.withLock { $0.parts.count } }
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// Gives a part away, so that one download alone goes on with it.
  package func take(_ key: Key) -> Part? {
    guard !isEmpty else { return nil }
    return state.withLock { state in state.remove(key) }
  }

  /// Keeps a part in place of the one there was, unless it is above the limit by itself.
  ///
  /// - Returns: the number of what is kept, for ``remove(_:number:)``.
  @discardableResult
  package func keep(_ part: Part, for key: Key) -> UInt64? {
    // Released outside of the lock.
    var dropped: [Part?] = []
    defer { withExtendedLifetime(dropped) {} }
    guard part.body.count <= byteLimit else {
      dropped.append(take(key))
      return nil
    }
    var part = part
    part.body.compact()
    isUsed.store(true, ordering: .relaxed)
    return state.withLock { state in
      dropped.append(state.remove(key))
      state.lastNumber += 1
      state.parts[key] = (part, state.lastNumber)
      state.byteCount += part.body.count
      while state.byteCount > byteLimit || state.parts.count > countLimit,
        let oldest = state.parts.min(by: { $0.value.number < $1.value.number })?.key
      {
        dropped.append(state.remove(oldest))
      }
      return state.lastNumber
    }
  }

  /// Drops what was kept under `number`, if it is still there.
  func remove(_ key: Key, number: UInt64) {
    let dropped = state.withLock { state in state.parts[key]?.number == number ? state.remove(key) : nil }
    withExtendedLifetime(dropped) {}
  }

  func removeAll() {
    let dropped = state.withLock { state in
      defer {
        state.parts = [:]
        state.byteCount = 0
      }
      return state.parts
    }
    withExtendedLifetime(dropped) {}
  }
}

extension PartialBodies.State {
  fileprivate mutating func remove(_ key: PartialBodies.Key) -> PartialBodies.Part? {
    guard let removed = parts.removeValue(forKey: key) else { return nil }
    byteCount -= removed.part.body.count
    return removed.part
  }
}
