import CNukeDisk
package import Foundation
import NukeImaging
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The beginning of a body in a file of the store, which whoever holds this adds to, and nobody else in any process.
///
/// What has been written is said in the part's metadata from time to time, with its checksum; a process that is killed
/// leaves what was said last. Once the body is whole the file becomes that of an entry by renaming. A part that could not
/// be written to, or that the store had no more room for, is lost, and says so with each further call.
///
/// Calls block for as long as the disk takes, and may come from any thread.
package final class DiskPart: Sendable {
  struct State {
    /// Negative once the part is closed.
    var file: CInt
    /// Bytes that were written.
    var count = 0
    /// `true` if it is known that the file holds the beginning of what is being written.
    var isFollowing = false
    /// Bytes the file has, of which those behind ``count`` mean nothing yet.
    var length: Int
    var hash = nuke_xxh64_state()
    var metadata: DiskMetadata
  }

  let store: DiskStore
  let name: DiskEntryName
  let state: Lock<State>
  /// The same as ``State/count``, for who must not wait for the disk.
  private let written = Atomic<Int>(0)

  /// - Parameter file: is locked, and closed with this owner.
  init(file: CInt, length: Int, name: DiskEntryName, metadata: DiskMetadata, store: DiskStore) {
    self.store = store
    self.name = name
    state = Lock(State(file: file, length: length, metadata: metadata))
  }

  deinit { state.withLock { close(&$0) } }

  /// The attributes that the owner of the partial body gave when it was created.
  package var attributes: [UInt8] { state.withLock { $0.metadata.attributes } }

  /// Bytes that are there, as was said last.
  package var count: Int { state.withLock { $0.isFollowing ? $0.count : $0.metadata.length } }

  /// Returns `true` if what is there is how `body` begins.
  package func begins(_ body: Data) -> Bool { state.withLock { follow(body, &$0) } }

  /// Reads the partial body into a buffer of `capacity` bytes; `nil` if it is damaged.
  package func read(capacity: Int) -> GrowingData? {
    state.withLock { state in
      guard state.file >= 0 else { return nil }
      let body = GrowingData(count: state.metadata.length, capacity: capacity) { buffer in
        var count = 0
        while count < buffer.count {
          let got = store.files.read(
            state.file, into: buffer.baseAddress! + count, count: buffer.count - count, at: count)
          guard got > 0 else { return false }
          count += got
        }
        return true
      }
      // Whether what is written next goes on from these bytes is seen then.
      guard let body, DiskStore.checksum(body.data) == state.metadata.checksum else { return nil }
      return body
    }
  }

  /// Adds what `body` has more than the part.
  ///
  /// - Parameters:
  ///   - body: all of it from its beginning.
  ///   - total: bytes the body will have, for which room is made.
  /// - Returns: `false` if the part is of another body, or lost.
  package func write(_ body: Data, total: Int) -> Bool {
    state.withLock { state in
      guard append(body, total: total, &state) else { return false }
      return save(&state)
    }
  }

  /// Adds what is missing, gives back the room behind it, and lets others have the part.
  package func suspend(_ body: Data) -> Bool {
    state.withLock { state in
      defer { close(&state) }
      guard append(body, total: 0, &state), save(&state) else { return false }
      return resize(to: state.count, &state)
    }
  }

  /// Adds what is missing and makes the part the body of an entry.
  ///
  /// - Parameter metadata: of the entry; its length and checksum are set here.
  /// - Returns: `false` if the part is of another body, or lost. It is gone in either case.
  package func finish(_ body: Data, as metadata: DiskMetadata) -> Bool {
    state.withLock { state in
      finish(as: metadata, &state) { append(body, total: body.count, &$0) && $0.count == body.count }
    }
  }

  // MARK: For who does not keep the body

  /// Adds bytes behind those that were added before to a part that was made new.
  ///
  /// - Parameter total: bytes the body will have, for which room is made; 0 where that is not known.
  /// - Returns: `false` if the part is lost.
  package func append(_ bytes: UnsafeRawBufferPointer, total: Int) -> Bool {
    state.withLock { state in
      guard state.file >= 0, state.isFollowing || follow(Data(), &state) else { return false }
      let end = state.count + bytes.count
      // Each change of the length takes the lock of all: one a MiB where nobody says how much is to come.
      guard state.length >= end || resize(to: max(total, (end | 0xF_FFFF) + 1), &state) else { return false }
      return extend(bytes, &state)
    }
  }

  /// Makes what was added the body of an entry.
  ///
  /// - Parameter metadata: of the entry; its length and checksum are set here.
  /// - Returns: `false` if the part is lost. It is gone in either case.
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
    metadata.checksum = nuke_xxh64_end(&state.hash)
    let file = state.file
    let isDone = store.transaction(patience: .writing) { $0.adopt(name, file: file, as: entry, metadata) }
    if isDone != true { removeFiles(&state) }
    return isDone == true
  }

  /// Removes the part from the disk.
  package func discard() {
    state.withLock { state in
      guard state.file >= 0 else { return }
      removeFiles(&state)
      close(&state)
    }
  }

  /// Bytes of `body` that would still have to be written, told at once.
  func missing(of body: Data) -> Int { max(0, body.count - written.load(ordering: .relaxed)) }

  // MARK: Steps, under the lock

  private func close(_ state: inout State) {
    guard state.file >= 0 else { return }
    store.closeLocked(state.file)
    state.file = -1
    store.state.withLock { $0.openParts -= 1 }
  }

  /// Returns `true` if what was written is how `body` begins.
  private func follow(_ body: Data, _ state: inout State) -> Bool {
    if state.isFollowing { return body.count >= state.count }
    let count = state.metadata.length
    guard body.count >= count else { return false }
    nuke_xxh64_begin(&state.hash, 0)
    body.prefix(count).withUnsafeBytes { nuke_xxh64_add(&state.hash, $0.baseAddress, $0.count) }
    guard nuke_xxh64_end(&state.hash) == state.metadata.checksum else { return false }
    state.count = count
    written.store(count, ordering: .relaxed)
    state.isFollowing = true
    return true
  }

  private func append(_ body: Data, total: Int, _ state: inout State) -> Bool {
    guard state.file >= 0, follow(body, &state) else { return false }
    let wanted = max(total, body.count)
    guard state.length >= wanted || resize(to: wanted, &state) else { return false }
    return body.dropFirst(state.count).withUnsafeBytes { extend($0, &state) }
  }

  private func extend(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
    guard !bytes.isEmpty else { return true }
    // The store blocks the signal of a file that is too large in its transactions alone.
    let isWritten = FileSizeSignal.blocked {
      var count = 0
      while count < bytes.count {
        let written = store.files.write(
          state.file, from: bytes.baseAddress! + count, count: bytes.count - count, at: state.count + count)
        guard written > 0 else { return false }
        count += written
      }
      return true
    }
    guard isWritten else { return false }
    nuke_xxh64_add(&state.hash, bytes.baseAddress, bytes.count)
    state.count += bytes.count
    written.store(state.count, ordering: .relaxed)
    return true
  }

  private func save(_ state: inout State) -> Bool {
    guard state.count != state.metadata.length else { return true }
    state.metadata.length = state.count
    state.metadata.checksum = nuke_xxh64_end(&state.hash)
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
      // Another may have begun the part anew since the store let go of this one.
      if transaction.isPlace(name, of: file) { transaction.remove(name, isForced: true) }
    }
  }
}
