import Foundation
import NukeBase
import NukeHTTPCaching
import NukeStore

/// Stores the body of a response while it is delivered.
///
/// A short body stays in memory until it is complete. A longer one is written to disk during the transfer. In either
/// case, the transfer is paused while too many bytes wait for the disk.
final class BodyRecorder: Sendable {
  /// The size in bytes from which a body is written to disk before it is complete.
  static let threshold = 256 << 10
  private struct State {
    var count = 0
    /// The bytes of a body that is still short.
    var body = GrowingData()
    /// The chunks of a long body that wait to be written. They are not joined, which would need additional memory.
    var chunks: [Data] = []
    /// The size of these chunks, in bytes.
    var waiting = 0
    var isSpooling = false
    /// `true` if the body was handed over to be stored, or is not stored. Nothing is appended to it.
    var isClosed = false
    /// `true` if a worker is writing or is scheduled.
    var isAwaited = false
  }

  private let transfer: CachingTransfer
  private let entry: StoredResponse
  /// The slots to remove when the body is complete.
  private let replaced: [String]
  private let expected: Int?
  /// The stored bytes that the body begins with.
  private let storedPrefix: StoredPrefix?
  private let state = Lock(State())
  /// The partial body on disk. The lock is held during writes.
  private let part = Lock<DiskPart?>(nil)

  struct StoredPrefix {
    let slot: HTTPCache.Slot
    let count: Int
  }

  /// - Parameters:
  ///   - expected: the final length of the body, including the stored bytes that it begins with.
  ///   - transfer: the transfer to pause while too many bytes wait for the disk.
  init(
    _ entry: StoredResponse, replacing replaced: [String], expected: Int?, storedPrefix: StoredPrefix?,
    of transfer: CachingTransfer
  ) {
    self.transfer = transfer
    self.entry = entry
    self.replaced = replaced
    self.expected = expected
    self.storedPrefix = storedPrefix
    let isSpooling = storedPrefix != nil || expected.map { $0 >= Self.threshold } ?? false
    state.withLock { state in
      state.count = storedPrefix?.count ?? 0
      state.isSpooling = isSpooling
    }
    let backlog = isSpooling ? cache.spoolingBacklog : cache.stagingBacklog
    if !backlog.enter(self, of: transfer) { state.withLock { $0.isClosed = true } }
  }

  private var cache: HTTPCache { transfer.cache }

  deinit {
    state.withLock { forget(&$0) }
    leave()
  }

  private func leave() {
    cache.stagingBacklog.leave(self)
    cache.spoolingBacklog.leave(self)
  }

  /// Appends bytes to the body.
  func append(_ bytes: UnsafeRawBufferPointer) {
    let isDue = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      state.count += bytes.count
      var more = bytes.count
      if !state.isSpooling {
        state.body.append(bytes, expected: expected ?? 0)
        guard state.count >= Self.threshold else { return false }
        guard cache.spoolingBacklog.enter(self, of: transfer) else {
          forget(&state)
          return false
        }
        state.isSpooling = true
        state.chunks = [state.body.data]
        state.body = GrowingData()
        more = state.count
      } else {
        state.chunks.append(Data(bytes))
      }
      state.waiting += more
      cache.spoolingBacklog.add(more)
      return !exchange(&state.isAwaited, with: true)
    }
    guard isDue else { return }
    cache.writeQueue.add { self.write() }
  }

  /// Stores the body, or the beginning of a body that was interrupted.
  func end(isWhole: Bool) {
    defer { leave() }
    let body = state.withLock { state -> (StoredResponse, StagedResponses.Body, cost: Int)? in
      guard !state.isClosed, let entry = finished(state.count, isWhole: isWhole) else { return nil }
      state.isClosed = true
      // The waiting bytes of a long body are already counted.
      return state.isSpooling ? (entry, .spooled(self), 0) : (entry, .data(state.body.data), state.count)
    }
    guard let body else {
      // The old response must not be served for the new one.
      if isWhole, !replaced.isEmpty { cache.stage(.remove(replaced), of: entry.key) }
      return drop()
    }
    cache.stage(
      .store(body.0, body.1, replacing: replaced), of: entry.key, cost: body.cost, lease: transfer.leaseClient.lease)
  }

  private func finished(_ count: Int, isWhole: Bool) -> StoredResponse? {
    if !isWhole {
      // If the total length is unknown, it is also unknown what is missing. A partial body does not replace a stored
      // response.
      if case .whole(nil) = entry.content { return nil }
      guard replaced.isEmpty, count >= Self.smallestPart, entry.strongValidator != nil else { return nil }
    }
    return entry.finished(bodyLength: count)
  }

  /// The minimum size of a partial body for which requesting the rest is worthwhile, in bytes.
  private static let smallestPart = 16 << 10

  /// Stops storing the body, and discards what was stored. Has no effect after ``end(isWhole:)``, which may happen on
  /// another thread while a backlog gives up the body.
  func drop() {
    let isSpooled = state.withLock { state in
      guard !state.isClosed else { return false }
      forget(&state)
      return state.isSpooling
    }
    leave()
    if isSpooled { cache.stage(.discard(self), of: entry.key) }
  }

  private func forget(_ state: inout State) {
    cache.spoolingBacklog.removeDropped(state.waiting)
    state.waiting = 0
    state.body = GrowingData()
    state.chunks = []
    state.isClosed = true
  }

  // MARK: On a worker

  private func write() {
    part.withLock { part in
      while let chunks = state.withLock({ take(&$0) }) {
        if part == nil { part = begin() }
        let isWritten = chunks.allSatisfy { chunk in
          chunk.withUnsafeBytes { part?.append($0, total: expected ?? 0) ?? false }
        }
        cache.spoolingBacklog.removeWritten(chunks.reduce(0) { $0 + $1.count })
        if !isWritten {
          state.withLock { forget(&$0) }
          part?.discard()
          part = nil
        }
      }
    }
    // Even if the bytes were dropped while this waited for the disk.
    cache.spoolingBacklog.removeWritten(0)
  }

  private func take(_ state: inout State) -> [Data]? {
    guard !state.chunks.isEmpty else {
      state.isAwaited = false
      return nil
    }
    defer {
      state.chunks = []
      state.waiting = 0
    }
    return state.chunks
  }

  private func begin() -> DiskPart? {
    guard let store = cache.store else { return nil }
    let key = HTTPCache.slotKey(of: entry)
    // A killed process left it behind. A partial body that is being written cannot be opened.
    store.openPart(key)?.discard()
    guard let part = store.makePart(key, length: expected ?? 0, attributes: []) else { return nil }
    guard let storedPrefix else { return part }
    if let stored = cache.body(of: storedPrefix.slot), stored.count >= storedPrefix.count,
      stored.prefix(storedPrefix.count).withUnsafeBytes({ part.append($0, total: expected ?? 0) })
    {
      return part
    }
    part.discard()
    return nil
  }

  /// Writes the rest and makes the body an entry.
  ///
  /// - Returns: `false` if it could not be stored.
  func finish(as metadata: DiskMetadata) -> Bool {
    write()
    return part.withLock { part in
      defer { part = nil }
      return part?.finish(as: metadata) ?? false
    }
  }

  func discard() {
    part.withLock { part in
      part?.discard()
      part = nil
    }
  }
}
