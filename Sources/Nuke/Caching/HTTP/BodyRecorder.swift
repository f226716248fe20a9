import Foundation
import NukeHTTPCaching
import NukeImaging
import Synchronization

/// Keeps the body of a response as it passes.
///
/// A short one stays in memory until it is whole; one that is longer goes to the disk behind the transfer, which is held
/// up where the disk does not come after.
final class BodyRecorder: Sendable {
  /// Bytes of a body that is written before it is whole.
  static let threshold = 256 << 10
  /// Bytes of all bodies together that wait to be written before transfers are held up.
  static let bufferLimit = 4 << 20
  /// Bytes for which the disk is gone to.
  private static let step = 64 << 10

  private struct State {
    /// What is not on the disk.
    var buffer = GrowingData()
    var count = 0
    var isSpooling = false
    /// Nothing is kept.
    var isDropped = false
    /// A worker is on its way, or writes.
    var isAwaited = false
    /// The transfer waits for the disk.
    var isHolding = false
  }

  private let transfer: CachingTransfer
  private let entry: StoredResponse
  /// Slots that go when the body is whole.
  private let replaced: [String]
  private let expected: Int?
  private let state = Lock(State())
  /// Held while the disk is written to.
  private let part = Lock<DiskPart?>(nil)

  /// - Parameters:
  ///   - transfer: is held up where the disk does not come after.
  ///   - expected: bytes the body will have.
  init(_ entry: StoredResponse, replacing replaced: [String], expected: Int?, of transfer: CachingTransfer) {
    self.transfer = transfer
    self.entry = entry
    self.replaced = replaced
    self.expected = expected
    if let expected, expected >= Self.threshold { state.withLock { $0.isSpooling = true } }
  }

  private var cache: HTTPCache { transfer.cache }

  deinit { state.withLock { forget(&$0) } }

  /// Adds to the body.
  func append(_ bytes: UnsafeRawBufferPointer) {
    let isDue = state.withLock { state -> Bool in
      guard !state.isDropped else { return false }
      state.count += bytes.count
      state.buffer.append(bytes, expected: state.isSpooling ? Self.step : expected ?? 0)
      let waiting = cache.buffered.wrappingAdd(bytes.count, ordering: .relaxed).newValue
      if state.count >= Self.threshold { state.isSpooling = true }
      guard state.isSpooling, state.buffer.count >= Self.step else { return false }
      if waiting > Self.bufferLimit, !state.isHolding {
        state.isHolding = true
        // Under the lock, since the disk may have come after by the end of this.
        transfer.hold(.disk)
      }
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
    let body = state.withLock { state -> (StoredResponse, StagedResponses.Body, cost: Int)? in
      guard !state.isDropped, let entry = finished(state.count, isWhole: isWhole) else { return nil }
      if state.isSpooling { return (entry, .spooled(self), state.buffer.count) }
      return (entry, .data(state.buffer.data), state.buffer.count)
    }
    guard let body,
      cache.stage(.store(body.0, body.1, replacing: replaced), of: entry.key, cost: body.cost, lease: transfer.lease)
    else { return drop() }
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
    guard isSpooling else { return }
    cache.writeQueue.add(
      WorkItem {
        self.discard()
        return .done
      })
  }

  private func forget(_ state: inout State) {
    cache.buffered.wrappingSubtract(state.buffer.count, ordering: .relaxed)
    state.buffer = GrowingData()
    state.isDropped = true
  }

  // MARK: On a worker

  private func write() {
    part.withLock { part in
      while let chunk = state.withLock({ take(&$0) }) {
        if part == nil { part = begin() }
        let isWritten = chunk.withUnsafeBytes { part?.append($0, total: expected ?? 0) ?? false }
        cache.buffered.wrappingSubtract(chunk.count, ordering: .relaxed)
        if !isWritten {
          state.withLock { forget(&$0) }
          part?.discard()
          part = nil
        }
      }
    }
    let wasHolding = state.withLock { state in
      defer { state.isHolding = false }
      return state.isHolding
    }
    if wasHolding { transfer.release(.disk) }
  }

  private func take(_ state: inout State) -> Data? {
    guard state.buffer.count > 0 else {
      state.isAwaited = false
      return nil
    }
    defer { state.buffer = GrowingData() }
    return state.buffer.data
  }

  private func begin() -> DiskPart? {
    guard let store = cache.store else { return nil }
    let key = HTTPCache.slotKey(of: entry)
    // What a process has left that was killed. Nobody else can open one that is being written.
    store.openPart(key)?.discard()
    return store.makePart(key, length: expected ?? 0, attributes: [])
  }

  /// Makes an entry of what is on the disk and what is not yet.
  func finish(as metadata: DiskMetadata) {
    write()
    part.withLock { part in
      _ = part?.finish(as: metadata)
      part = nil
    }
  }

  private func discard() {
    part.withLock { part in
      part?.discard()
      part = nil
    }
  }
}
