import CNukeDisk
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An entry as it was read.
package struct DiskEntry: Sendable {
  package let data: Data
  package let metadata: DiskMetadata
}

extension DiskStore {
  /// The bytes stored for `key`; `nil` if there are none that are whole. A damaged entry is removed.
  ///
  /// The bytes are verified when this store first reads them from a file, and again if the file has changed since.
  package func data(for key: String) -> Data? {
    guard let name = name(for: key) else { return nil }
    let (standing, folder) = standing(name, isUse: true)
    if case .absent = standing { return nil }
    if case .present(let entry) = standing, let verified = entry.verified, verified.keyHash == Self.hash(key),
      let data = readBody(name, length: entry.length, verified: verified.identity, in: folder)
    {
      return data
    }
    return load(name, key, standing, folder)?.data
  }

  /// The bytes and the metadata stored for `key`.
  package func entry(for key: String) -> DiskEntry? {
    guard let name = name(for: key) else { return nil }
    let (standing, folder) = standing(name, isUse: true)
    if case .absent = standing { return nil }
    return load(name, key, standing, folder)
  }

  /// The bytes that metadata belongs to which was read before; `nil` if they have gone or are others now.
  package func body(of metadata: DiskMetadata) -> Data? {
    guard let name = name(for: metadata.key) else { return nil }
    let (standing, folder) = standing(name, isUse: true)
    if case .absent = standing { return nil }
    if case .present(let entry) = standing, let verified = entry.verified, verified.checksum == metadata.checksum,
      let data = readBody(name, length: metadata.length, verified: verified.identity, in: folder)
    {
      return data
    }
    guard case .whole(let data, let identity) = readBody(name, length: metadata.length, in: folder),
      Self.checksum(data) == metadata.checksum
    else { return nil }
    noteVerified(name, identity, metadata)
    return data
  }

  /// The metadata stored for `key`, without a look at the bytes. Does not count as a use.
  package func metadata(for key: String) -> DiskMetadata? {
    guard let name = name(for: key) else { return nil }
    let (standing, folder) = standing(name, isUse: false)
    if case .absent = standing { return nil }
    guard case .whole(let found) = readMetadata(name, in: folder), found.metadata.key == key else { return nil }
    return found.metadata
  }

  /// Returns `true` if something is stored for `key`. The bytes are not looked at, nor does this count as a use.
  package func contains(_ key: String) -> Bool {
    guard let name = name(for: key) else { return false }
    let (standing, folder) = standing(name, isUse: false)
    switch standing {
    case .absent: return false
    case .present(let entry):
      // Two keys can have one name only where the program names the files.
      if options.filename == nil { return true }
      if let verified = entry.verified { return verified.keyHash == Self.hash(key) }
      return metadata(for: key) != nil
    case .unknown:
      if options.filename != nil { return metadata(for: key) != nil }
      guard case .success = files.status(name.metadataPath, in: folder.root) else { return false }
      return true
    }
  }

  static func hash(_ key: String) -> UInt64 {
    var key = key
    return key.withUTF8 { nuke_xxh64($0.baseAddress, $0.count, 0) }
  }

  enum FileRead<Value> {
    case whole(Value)
    case absent
    /// Not now: too many files are open, or memory is short.
    case unavailable
    case damaged
  }

  enum BodyRead {
    /// The identity is that of before the reading, where another change to the file is certain to give it another one.
    case whole(Data, DiskFileStatus.Identity?)
    case absent
    case unavailable
    case damaged
  }

  private func load(_ name: DiskEntryName, _ key: String, _ standing: EntryState, _ folder: Folder) -> DiskEntry? {
    switch check(name, in: folder) {
    case .whole(let found): return accept(found, name, key)
    case .unavailable: return nil
    case .absent:
      guard case .present = standing else { return nil }
    case .damaged: break
    }
    // The files are not those of one moment where another thread or process replaces the entry now. With the lock they
    // are, and what does not fit then is damage.
    let found = transaction(patience: .reading) { transaction -> DiskEntry? in
      switch check(name, in: transaction.folder) {
      case .whole(let found): return accept(found, name, key)
      case .unavailable: return nil
      case .absent, .damaged:
        transaction.remove(name, isForced: true)
        return nil
      }
    }
    return found.flatMap { $0 }
  }

  private func accept(
    _ found: (entry: DiskEntry, identity: DiskFileStatus.Identity?), _ name: DiskEntryName, _ key: String
  ) -> DiskEntry? {
    noteVerified(name, found.identity, found.entry.metadata)
    return found.entry.metadata.key == key ? found.entry : nil
  }

  private func noteVerified(
    _ name: DiskEntryName, _ identity: DiskFileStatus.Identity?, _ metadata: DiskMetadata
  ) {
    guard let identity else { return }
    let verified = DiskIndex.Verified(
      identity: identity, keyHash: Self.hash(metadata.key), checksum: metadata.checksum)
    state.withLock { $0.index.noteVerified(name, verified, length: metadata.length) }
  }

  /// Reads both files of an entry and compares them.
  func check(
    _ name: DiskEntryName, in folder: Folder
  ) -> FileRead<(entry: DiskEntry, identity: DiskFileStatus.Identity?)> {
    let metadata: DiskMetadata
    switch readMetadata(name, in: folder) {
    case .whole(let found): metadata = found.metadata
    case .absent: return .absent
    case .unavailable: return .unavailable
    case .damaged: return .damaged
    }
    switch readBody(name, length: metadata.length, in: folder) {
    case .whole(let data, let identity):
      guard Self.checksum(data) == metadata.checksum else { return .damaged }
      return .whole((DiskEntry(data: data, metadata: metadata), identity))
    // Metadata without its body is half an entry.
    case .absent, .damaged: return .damaged
    case .unavailable: return .unavailable
    }
  }

  static func checksum(_ data: Data) -> UInt64 {
    data.withUnsafeBytes { nuke_xxh64($0.baseAddress, $0.count, 0) }
  }

  func readMetadata(
    _ name: DiskEntryName, in folder: Folder
  ) -> FileRead<(name: String, metadata: DiskMetadata)> {
    var found = readMetadata(at: name.metadataPath, in: folder)
    // A file that was opened just before it was replaced may be written to for another entry by now. The file that
    // replaced it is found when it is opened again.
    for _ in 0..<2 {
      switch found {
      case .absent, .unavailable: return found
      case .whole(let read) where read.name == name.text: return found
      case .whole, .damaged: found = readMetadata(at: name.metadataPath, in: folder)
      }
    }
    if case .whole(let read) = found, read.name != name.text { return .damaged }
    return found
  }

  func readMetadata(at path: String, in folder: Folder) -> FileRead<(name: String, metadata: DiskMetadata)> {
    let file = files.openFile(path, in: folder.root)
    guard file >= 0 else { return file == -ENOENT ? .absent : .unavailable }
    defer { files.close(file) }
    guard case .success(let status) = files.status(of: file) else { return .unavailable }
    guard status.isRegular, status.length <= DiskMetadata.limit else { return .damaged }
    return withUnsafeTemporaryAllocation(byteCount: status.length, alignment: 8) { buffer in
      guard fill(buffer, from: file), let found = DiskMetadata.decoded(UnsafeRawBufferPointer(buffer)) else {
        return .damaged
      }
      return .whole(found)
    }
  }

  func readBody(_ name: DiskEntryName, length: Int, in folder: Folder) -> BodyRead {
    let file = files.openFile(name.path, in: folder.root)
    guard file >= 0 else { return file == -ENOENT ? .absent : .unavailable }
    defer { files.close(file) }
    let latest = options.now() - DiskFileStatus.timeGranularity
    guard case .success(let status) = files.status(of: file) else { return .unavailable }
    // Of a part, what is behind the last word about it does not count.
    guard status.isRegular, status.length == length || name.isPart && status.length > length else { return .damaged }
    guard let data = read(length, from: file) else { return .unavailable }
    guard data.count == length else { return .damaged }
    return .whole(data, status.identity.changed < latest ? status.identity : nil)
  }

  /// The bytes of a file that were verified before; `nil` if it is another file now or has changed since.
  private func readBody(
    _ name: DiskEntryName, length: Int, verified: DiskFileStatus.Identity, in folder: Folder
  ) -> Data? {
    let file = files.openFile(name.path, in: folder.root)
    guard file >= 0 else { return nil }
    defer { files.close(file) }
    // The look comes after the reading: a file that was replaced since it was opened may have been written to for another
    // entry meanwhile.
    guard let data = read(length, from: file), data.count == length, case .success(let status) = files.status(of: file),
      status.identity == verified, status.length == length
    else { return nil }
    return data
  }

  /// At most `length` bytes; `nil` if there is no memory for them.
  private func read(_ length: Int, from file: CInt) -> Data? {
    guard length > 0 else { return Data() }
    guard let memory = malloc(length) else { return nil }
    let isWhole = fill(UnsafeMutableRawBufferPointer(start: memory, count: length), from: file)
    guard isWhole else {
      free(memory)
      return Data()
    }
    return Data(bytesNoCopy: memory, count: length, deallocator: .free)
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: CInt) -> Bool {
    var count = 0
    while count < buffer.count {
      let got = files.read(file, into: buffer.baseAddress! + count, count: buffer.count - count, at: nil)
      guard got > 0 else { return false }
      count += got
    }
    return true
  }
}
