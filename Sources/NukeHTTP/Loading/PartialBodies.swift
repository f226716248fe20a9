import Foundation
package import FoundationNetworking
package import NukeBase
import NukeStore
import Synchronization

/// The partial bodies of failed or canceled downloads, in memory. Above a size limit, the oldest are evicted.
///
/// Each pipeline has its own, because another pipeline's loader may add other header fields, which are not known here.
package final class PartialBodies: Sendable {
  /// Identifies the response to a request: the whole URL, and header fields such as `Authorization`.
  package struct Key: Hashable, Sendable {
    let url: String
    let fields: [String: String]

    /// Returns `nil` for a request that is never resumed.
    package init?(_ request: URLRequest) {
      guard ResumePoint.allows(request), let url = request.url?.absoluteString else { return nil }
      self.url = url
      fields = request.allHTTPHeaderFields ?? [:]
    }

    /// The key on disk. It contains a digest of the header fields, because they may be secret.
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
  /// The maximum size of all bodies together, in bytes.
  private let byteLimit: Int
  private let countLimit: Int

  package init(byteLimit: Int = 32 << 20, countLimit: Int = 256) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  /// `true` if there are no partial bodies. Does not take the lock.
  package var isEmpty: Bool { !isUsed.load(ordering: .relaxed) }

  package var count: Int { state.withLock { $0.parts.count } }
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// Removes and returns a partial body, so that only one download resumes it.
  package func take(_ key: Key) -> Part? {
    guard !isEmpty else { return nil }
    return state.withLock { state in state.remove(key) }
  }

  /// Stores a partial body and replaces the previous one. Does nothing if it exceeds the limit by itself.
  ///
  /// - Returns: the number of the stored body, for ``remove(_:number:)``.
  @discardableResult
  package func keep(_ part: Part, for key: Key) -> UInt64? {
    // Released outside the lock.
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

  /// Removes the body with `number`, if it is still stored.
  package func remove(_ key: Key, number: UInt64) {
    let dropped = state.withLock { state in state.parts[key]?.number == number ? state.remove(key) : nil }
    withExtendedLifetime(dropped) {}
  }

  package func removeAll() {
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
