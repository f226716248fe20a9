import Foundation
import NukeHTTPCaching
import NukeImaging

/// Keeps the body of a response as it passes.
///
/// A short one stays in memory until it is whole; one that is longer goes to the disk behind the transfer. Either way the
/// transfer is held up where the disk does not come after.
final class BodyRecorder: Sendable {
  /// Bytes of a body that is written before it is whole.
  static let threshold = 256 << 10
  private struct State {
    var count = 0
    /// A body that is short so far.
    var body = GrowingData()
    /// The chunks of a long body that are to be written, as they came. Joining them would only cost memory.
    var chunks: [Data] = []
    /// Bytes of these.
    var waiting = 0
    var isSpooling = false
    /// Nothing is kept.
    var isDropped = false
    /// A worker is on its way, or writes.
    var isAwaited = false
  }

  private let transfer: CachingTransfer
  private let entry: StoredResponse
  /// Slots that go when the body is whole.
  private let replaced: [String]
  private let expected: Int?
  /// Stored bytes that the body begins with.
  private let beginning: Beginning?
  private let state = Lock(State())
  /// Held while the disk is written to.
  private let part = Lock<DiskPart?>(nil)

  struct Beginning {
    let slot: HTTPCache.Slot
    let count: Int
  }

  /// - Parameters:
  ///   - expected: bytes the body will have, those that it begins with included.
  ///   - transfer: is held up where the disk does not come after.
  init(
    _ entry: StoredResponse, replacing replaced: [String], expected: Int?, beginning: Beginning?,
    of transfer: CachingTransfer
  ) {
    self.transfer = transfer
    self.entry = entry
    self.replaced = replaced
    self.expected = expected
    self.beginning = beginning
    let isSpooling = beginning != nil || expected.map { $0 >= Self.threshold } ?? false
    state.withLock { state in
      state.count = beginning?.count ?? 0
      state.isSpooling = isSpooling
    }
    (isSpooling ? cache.spoolingBacklog : cache.stagingBacklog).enter(self, of: transfer)
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

  /// Adds to the body.
  func append(_ bytes: UnsafeRawBufferPointer) {
    let isDue = state.withLock { state -> Bool in
      guard !state.isDropped else { return false }
      state.count += bytes.count
      var more = bytes.count
      if !state.isSpooling {
        state.body.append(bytes, expected: expected ?? 0)
        guard state.count >= Self.threshold else { return false }
        state.isSpooling = true
        cache.spoolingBacklog.enter(self, of: transfer)
        state.chunks = [state.body.data]
        state.body = GrowingData()
        more = state.count
      } else {
        state.chunks.append(Data(bytes))
      }
      state.waiting += more
      cache.spoolingBacklog.add(more)
      defer { state.isAwaited = true }
      return !state.isAwaited
    }
    guard isDue else { return }
    cache.writeQueue.add(
      WorkItem {
        self.write()
        return .done
      })
  }

  /// Nothing more comes.
  func end(isWhole: Bool) {
    defer { leave() }
    let body = state.withLock { state -> (StoredResponse, StagedResponses.Body, cost: Int)? in
      guard !state.isDropped, let entry = finished(state.count, isWhole: isWhole) else { return nil }
      // What of a long body waits is counted already.
      return state.isSpooling ? (entry, .spooled(self), 0) : (entry, .data(state.body.data), state.count)
    }
    guard let body else {
      // The old is not to be taken for the new.
      if isWhole, !replaced.isEmpty { cache.stage(.remove(replaced), of: entry.key) }
      return drop()
    }
    cache.stage(.store(body.0, body.1, replacing: replaced), of: entry.key, cost: body.cost, lease: transfer.lease)
  }

  private func finished(_ count: Int, isWhole: Bool) -> StoredResponse? {
    if !isWhole {
      // Of a body of unknown length nobody knows what is missing. A beginning takes no other's place.
      if case .whole(nil) = entry.content { return nil }
      guard replaced.isEmpty, count >= Self.smallestPart, entry.strongValidator != nil else { return nil }
    }
    return entry.finished(bodyLength: count)
  }

  /// Bytes for which it pays to ask for the rest.
  private static let smallestPart = 16 << 10

  /// Nothing is to be kept.
  func drop() {
    let isSpooling = state.withLock { state in
      forget(&state)
      return state.isSpooling
    }
    leave()
    if isSpooling { cache.stage(.discard(self), of: entry.key) }
  }

  private func forget(_ state: inout State) {
    cache.spoolingBacklog.remove(state.waiting)
    state.waiting = 0
    state.body = GrowingData()
    state.chunks = []
    state.isDropped = true
  }

  // MARK: On a worker

  private func write() {
    part.withLock { part in
      while let chunks = state.withLock({ take(&$0) }) {
        if part == nil { part = begin() }
        let isWritten = chunks.allSatisfy { chunk in
          chunk.withUnsafeBytes { part?.append($0, total: expected ?? 0) ?? false }
        }
        cache.spoolingBacklog.remove(chunks.reduce(0) { $0 + $1.count })
        if !isWritten {
          state.withLock { forget(&$0) }
          part?.discard()
          part = nil
        }
      }
    }
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
    // What a process has left that was killed. Nobody else can open one that is being written.
    store.openPart(key)?.discard()
    guard let part = store.makePart(key, length: expected ?? 0, attributes: []) else { return nil }
    guard let beginning else { return part }
    if let stored = cache.body(of: beginning.slot), stored.count >= beginning.count,
      stored.prefix(beginning.count).withUnsafeBytes({ part.append($0, total: expected ?? 0) })
    {
      return part
    }
    part.discard()
    return nil
  }

  /// Makes an entry of what is on the disk and what is not yet.
  ///
  /// - Returns: `false` if nothing could be kept.
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
