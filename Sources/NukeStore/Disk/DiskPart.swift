package import Foundation
package import NukeBase
import Synchronization

/// A partial body in a file of the store. Only the holder of this object writes to the file, among all threads and
/// processes.
///
/// From time to time, the number of written bytes and their checksum are recorded in the metadata. If the process is
/// killed, the body is valid up to the last record. When the body is complete, the file is renamed to that of an entry.
/// After a write error, or when the store has no more room, the body is lost and every further call fails.
///
/// Calls block while the disk is busy, and may come from any thread.
package final class DiskPart: Sendable {
  private struct State {
    /// The descriptor; negative after closing.
    var file: CInt
    /// The number of written bytes.
    var count = 0
    /// `true` if the file is known to contain the beginning of the body that is being written.
    var isFollowing = false
    /// The length of the file. Bytes after ``count`` are not valid yet.
    var length: Int
    var hash = RunningChecksum()
    var metadata: DiskMetadata
  }

  package let store: DiskStore
  let name: DiskEntryName
  private let state: Lock<State>
  /// A copy of ``State/count``, for callers that must not block on the disk.
  private let written = Atomic<Int>(0)

  /// - Parameter file: locked; closed when this object is released.
  init(file: CInt, length: Int, name: DiskEntryName, metadata: DiskMetadata, store: DiskStore) {
    self.store = store
    self.name = name
    state = Lock(State(file: file, length: length, metadata: metadata))
  }

  deinit { state.withLock { close(&$0) } }

  /// The maximum space to reserve before any byte has arrived. A stated length may be wrong, and reserving it evicts
  /// other entries.
  static let initialReserve = 1 << 20

  /// Returns the length of the file to reserve when `end` bytes are to be written: up to 4 MiB as stated, and above that
  /// only up to four times the length so far.
  private func reserve(for end: Int, total: Int) -> Int { max(end, min(total, max(4 << 20, 4 * end))) }

  /// The attributes that were given when the partial body was created.
  package var attributes: [UInt8] { state.withLock { $0.metadata.attributes } }

  /// The number of valid bytes, as recorded last.
  package var count: Int { state.withLock { $0.isFollowing ? $0.count : $0.metadata.length } }

  /// Returns `true` if `body` begins with the bytes of the file.
  package func begins(_ body: Data) -> Bool { state.withLock { follow(body, &$0) } }

  /// Reads the partial body into a buffer of `capacity` bytes; `nil` if it is damaged.
  package func read(capacity: Int) -> GrowingData? {
    state.withLock { state in
      guard state.file >= 0 else { return nil }
      let body = GrowingData(count: state.metadata.length, capacity: capacity) { buffer in
        store.files.fill(buffer, from: state.file, at: 0)
      }
      // The next write checks whether it continues these bytes.
      guard let body, Digest.checksum(of: body.data) == state.metadata.checksum else { return nil }
      return body
    }
  }

  /// Writes the bytes of `body` that the file does not contain yet.
  ///
  /// - Parameters:
  ///   - body: the body from its beginning.
  ///   - total: the final length of the body, for which space is reserved gradually.
  /// - Returns: `false` if the file contains another body, or is lost.
  package func write(_ body: Data, total: Int) -> Bool {
    state.withLock { state in
      guard append(body, total: total, &state) else { return false }
      return save(&state)
    }
  }

  /// Writes the missing bytes, frees the reserved space after them, and closes the file so that others can open it.
  package func suspend(_ body: Data) -> Bool {
    state.withLock { state in
      defer { close(&state) }
      guard append(body, total: 0, &state), save(&state) else { return false }
      return resize(to: state.count, &state)
    }
  }

  /// Writes the missing bytes and makes the file the body of an entry.
  ///
  /// - Parameter metadata: the metadata of the entry. Its length and checksum are set here.
  /// - Returns: `false` if the file contains another body, or is lost. The file is closed in either case.
  package func finish(_ body: Data, as metadata: DiskMetadata) -> Bool {
    state.withLock { state in
      finish(as: metadata, &state) { append(body, total: body.count, &$0) && $0.count == body.count }
    }
  }

  // MARK: Without the body in memory

  /// Appends bytes to a partial body that this process created.
  ///
  /// - Parameter total: the final length of the body, for which space is reserved gradually; 0 if it is not known.
  /// - Returns: `false` if the file is lost.
  package func append(_ bytes: UnsafeRawBufferPointer, total: Int) -> Bool {
    state.withLock { state in
      guard state.file >= 0, state.isFollowing || follow(Data(), &state) else { return false }
      let end = state.count + bytes.count
      // Each change of the length acquires the lock of the store: once per MiB if the final length is not known.
      let length = end <= total ? reserve(for: end, total: total) : (end | 0xF_FFFF) + 1
      guard state.length >= end || total <= store.sizeLimit && resize(to: length, &state) else { return false }
      return extend(bytes, &state)
    }
  }

  /// Makes the appended bytes the body of an entry.
  ///
  /// - Parameter metadata: the metadata of the entry. Its length and checksum are set here.
  /// - Returns: `false` if the file is lost. The file is closed in either case.
  package func finish(as metadata: DiskMetadata) -> Bool {
    state.withLock { state in finish(as: metadata, &state) { $0.isFollowing } }
  }

  private func finish(
    as metadata: DiskMetadata, _ state: inout State, completing complete: (inout State) -> Bool
  ) -> Bool {
    defer { close(&state) }
    guard state.file >= 0, let entry = store.name(for: metadata.key), complete(&state),
      state.length == state.count || resize(to: state.count, &state)
    else {
      removeFiles(&state)
      return false
    }
    var metadata = metadata
    metadata.length = state.count
    metadata.checksum = state.hash.value
    let file = state.file
    let isDone = store.transaction(patience: .writing) { $0.adopt(name, file: file, as: entry, metadata) }
    if isDone != true { removeFiles(&state) }
    return isDone == true
  }

  /// Removes the partial body from the disk.
  package func discard() {
    state.withLock { state in
      guard state.file >= 0 else { return }
      removeFiles(&state)
      close(&state)
    }
  }

  /// Returns the number of bytes of `body` that are not written yet, without waiting for the disk.
  func missing(of body: Data) -> Int { max(0, body.count - written.load(ordering: .relaxed)) }

  // MARK: Steps; the caller holds the lock

  private func close(_ state: inout State) {
    guard state.file >= 0 else { return }
    store.closeLocked(state.file)
    state.file = -1
    store.releasePartSlot()
  }

  /// Returns `true` if `body` begins with the written bytes.
  private func follow(_ body: Data, _ state: inout State) -> Bool {
    if state.isFollowing { return body.count >= state.count }
    let count = state.metadata.length
    guard body.count >= count else { return false }
    state.hash = RunningChecksum()
    body.prefix(count).withUnsafeBytes { state.hash.add($0) }
    guard state.hash.value == state.metadata.checksum else { return false }
    state.count = count
    written.store(count, ordering: .relaxed)
    state.isFollowing = true
    return true
  }

  private func append(_ body: Data, total: Int, _ state: inout State) -> Bool {
    guard state.file >= 0, follow(body, &state) else { return false }
    let end = body.count
    guard state.length >= end || total <= store.sizeLimit && resize(to: reserve(for: end, total: total), &state) else {
      return false
    }
    return body.dropFirst(state.count).withUnsafeBytes { extend($0, &state) }
  }

  private func extend(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
    guard !bytes.isEmpty else { return true }
    // This write takes place outside a transaction, so it must block the signal for too large files itself.
    let isWritten = FileSizeSignal.blocked { store.files.write(bytes, to: state.file, at: state.count) >= 0 }
    guard isWritten else { return false }
    state.hash.add(bytes)
    state.count += bytes.count
    written.store(state.count, ordering: .relaxed)
    return true
  }

  private func save(_ state: inout State) -> Bool {
    guard state.count != state.metadata.length else { return true }
    state.metadata.length = state.count
    state.metadata.checksum = state.hash.value
    let (file, metadata) = (state.file, state.metadata)
    return store.transaction(patience: .writing) { $0.setMetadata(metadata, of: name, file: file) } ?? false
  }

  private func resize(to length: Int, _ state: inout State) -> Bool {
    guard state.length != length else { return true }
    let file = state.file
    guard store.transaction(patience: .writing, { $0.resize(name, file: file, to: length) }) ?? false else {
      return false
    }
    state.length = length
    return true
  }

  private func removeFiles(_ state: inout State) {
    guard state.file >= 0 else { return }
    let file = state.file
    store.transaction(patience: .writing) { transaction in
      // Another process may have created the partial body again after this one was evicted.
      if transaction.isPlace(name, of: file) { transaction.remove(name, isForced: true) }
    }
  }
}
