import CNukeDisk
import Foundation
import NukeBase

/// The open folder of a store, with its journal and its lease file. Reads the files of entries.
final class StoreFolder: Sendable {
  /// The outcome of reading one or both files of an entry.
  enum Read<Value> {
    case whole(Value)
    case absent
    /// Reading failed for a temporary reason: too many open files, or not enough memory.
    case unavailable
    case damaged(DiskStore.Damage.Kind)
  }

  let root: CInt
  let journal: DiskJournal
  /// `true` if the journal can be read but not be written, so that entries are found by their files and nothing is stored.
  let isReadOnly: Bool
  private let leases = Lock<CInt>(-1)
  private let files: any DiskFileSystem
  private let now: @Sendable () -> Int64

  /// Opens the folder at `path`, which is created if it does not exist. The folder of a store that may not be written is
  /// opened for reading.
  ///
  /// - Parameter now: nanoseconds since 1970.
  init(path: String, files: any DiskFileSystem, now: @escaping @Sendable () -> Int64) throws(DiskStore.OpeningFailure) {
    self.files = files
    self.now = now
    try files.makeFolders(path)
    let root = files.openFolder(path)
    guard root >= 0 else { throw .init(path: path, code: -root) }
    var file = files.openShared(DiskJournal.fileName, in: root)
    let failure = file
    isReadOnly = [-EACCES, -EPERM, -EROFS].contains(failure)
    if isReadOnly { file = files.openFile(DiskJournal.fileName, in: root) }
    guard file >= 0 else {
      files.close(root)
      throw .init(path: path, code: -failure)
    }
    self.root = root
    journal = DiskJournal(file: file, files: files)
  }

  deinit {
    files.close(root)
    let file = leases.withLock { $0 }
    if file >= 0 { files.close(file) }
  }

  /// The file whose bytes are locked for leases; negative if it cannot be opened. All threads share one descriptor,
  /// because the locks of two descriptors exclude each other.
  var leaseFile: CInt {
    leases.withLock { file in
      if file < 0 { file = files.openShared("leases", in: root) }
      return file
    }
  }

  // MARK: Reading

  /// Reads both files of an entry and compares them.
  ///
  /// The identity is `nil` if the body has changed so recently that a further change might not alter its timestamps.
  func entry(_ name: DiskEntryName) -> Read<(entry: DiskEntry, identity: DiskFileStatus.Identity?)> {
    let metadata: DiskMetadata
    switch self.metadata(name) {
    case .whole(let found): metadata = found.metadata
    case .absent: return .absent
    case .unavailable: return .unavailable
    case .damaged(let kind): return .damaged(kind)
    }
    switch body(name, length: metadata.length) {
    case .whole(let (data, identity)):
      guard Digest.checksum(of: data) == metadata.checksum else { return .damaged(.bytes) }
      return .whole((DiskEntry(data: data, metadata: metadata), identity))
    // There is metadata but no body.
    case .absent: return .damaged(.body)
    case .damaged(let kind): return .damaged(kind)
    case .unavailable: return .unavailable
    }
  }

  func metadata(_ name: DiskEntryName) -> Read<(name: String, metadata: DiskMetadata)> {
    var found = metadata(at: name.metadataPath)
    // A file that was opened just before it was replaced may already be overwritten for another entry. A second attempt
    // opens its replacement.
    for _ in 0..<2 {
      switch found {
      case .absent, .unavailable: return found
      case .whole(let read) where read.name == name.text: return found
      case .whole, .damaged: found = metadata(at: name.metadataPath)
      }
    }
    if case .whole(let read) = found, read.name != name.text { return .damaged(.metadata) }
    return found
  }

  func metadata(at path: String) -> Read<(name: String, metadata: DiskMetadata)> {
    let file = files.openFile(path, in: root)
    guard file >= 0 else { return file == -ENOENT ? .absent : .unavailable }
    defer { files.close(file) }
    guard let status = files.status(of: file) else { return .unavailable }
    guard status.isRegular, status.length <= DiskMetadata.limit else { return .damaged(.metadata) }
    return withUnsafeTemporaryAllocation(byteCount: status.length, alignment: 8) { buffer in
      guard files.fill(buffer, from: file), let found = DiskMetadata.decoded(UnsafeRawBufferPointer(buffer)) else {
        return .damaged(.metadata)
      }
      return .whole(found)
    }
  }

  func body(_ name: DiskEntryName, length: Int) -> Read<(data: Data, identity: DiskFileStatus.Identity?)> {
    let file = files.openFile(name.path, in: root)
    guard file >= 0 else { return file == -ENOENT ? .absent : .unavailable }
    defer { files.close(file) }
    let latest = now() - DiskFileStatus.timeGranularity
    guard let status = files.status(of: file) else { return .unavailable }
    guard status.isRegular else { return .damaged(.body) }
    // A partial body may have bytes after the recorded length.
    guard status.length == length || name.isPart && status.length > length else { return .damaged(.length) }
    guard let data = read(length, from: file) else { return .unavailable }
    guard data.count == length else { return .damaged(.bytes) }
    return .whole((data, status.identity.changed < latest ? status.identity : nil))
  }

  /// Returns the data of a file that was verified before; `nil` if the file was replaced or changed since.
  func body(_ name: DiskEntryName, length: Int, verified: DiskFileStatus.Identity) -> Data? {
    let file = files.openFile(name.path, in: root)
    guard file >= 0 else { return nil }
    defer { files.close(file) }
    // The status is read after the data: a file that was replaced after `open` may have been overwritten for another
    // entry.
    guard let data = read(length, from: file), data.count == length, let status = files.status(of: file),
      status.identity == verified, status.length == length
    else { return nil }
    return data
  }

  /// Reads at most `length` bytes; `nil` if there is not enough memory.
  private func read(_ length: Int, from file: CInt) -> Data? {
    guard length > 0 else { return Data() }
    guard let memory = malloc(length) else { return nil }
    guard files.fill(UnsafeMutableRawBufferPointer(start: memory, count: length), from: file) else {
      free(memory)
      return Data()
    }
    return Data(bytesNoCopy: memory, count: length, deallocator: .free)
  }
}
