#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension DiskStore {
  /// The number, size and age of a store's entries.
  package struct Overview: Sendable, Equatable {
    package let totals: Totals
    /// The times of the oldest and the latest use of an entry, in nanoseconds since 1970; `nil` if there are none. Uses
    /// by other processes count once those have written them to disk.
    package let oldestUse: Int64?
    package let newestUse: Int64?
  }

  /// Returns the overview of the store; `nil` if it could not be locked.
  package func overview() -> Overview? {
    transaction(patience: .writing) { _ in
      state.withLock { state in
        let names = state.index.names.filter { !$0.isPart }
        return Overview(
          totals: Totals(state.index), oldestUse: names.first.flatMap { state.index[$0]?.lastUsed },
          newestUse: names.last.flatMap { state.index[$0]?.lastUsed })
      }
    }
  }

  /// The state of a path that may contain a store.
  package enum Site: Equatable {
    /// Nothing.
    case absent
    /// A folder with nothing in it, or only what a store has begun to make.
    case empty
    case store
    /// A folder with other things in it.
    case other
    /// Not a folder, or one that cannot be read: an `errno`.
    case unusable(CInt)
  }

  /// Finds out whether the folder at `path` is that of a store. Nothing is made or changed.
  package static func site(at path: String, files: any DiskFileSystem = SystemFileSystem()) -> Site {
    let folder = files.openFolder(path)
    guard folder >= 0 else { return folder == -ENOENT ? .absent : .unusable(-folder) }
    defer { files.close(folder) }
    let journal = files.openFile(DiskJournal.fileName, in: folder)
    if journal >= 0 {
      defer { files.close(journal) }
      guard case .success(let status) = files.status(of: journal), status.isRegular else { return .other }
      var mark: UInt64 = 0
      let count = withUnsafeMutableBytes(of: &mark) {
        files.read(journal, into: $0.baseAddress!, count: $0.count, at: 0)
      }
      if count < 0 { return .unusable(CInt(-count)) }
      if count == 8, UInt64(littleEndian: mark) == DiskJournal.mark { return .store }
      // Its maker has not come to write to it.
      if count == 0, files.names(in: ".", of: folder) == [DiskJournal.fileName] { return .empty }
      return .other
    }
    guard journal == -ENOENT else { return journal == -EACCES ? .unusable(-journal) : .other }
    return files.names(in: ".", of: folder).isEmpty ? .empty : .other
  }
}
