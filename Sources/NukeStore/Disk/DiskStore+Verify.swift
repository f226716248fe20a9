import Foundation

extension DiskStore {
  /// A damaged entry.
  package struct Damage: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      /// The file of the metadata is missing or unreadable.
      case metadata
      /// The file of the bytes is missing, or is not a regular file.
      case body
      /// The size of the body differs from the size in the metadata.
      case length
      /// The checksum of the body differs from the checksum in the metadata.
      case bytes
    }

    /// The path of the body's file, relative to the store's folder.
    package let path: String
    /// `nil` if the metadata cannot be read.
    package let key: String?
    package let kind: Kind
    /// `true` if the entry was removed.
    package let isRemoved: Bool
  }

  /// The progress or the result of a verification.
  package struct Verification: Sendable, Equatable {
    /// The number of entries to read, except those that are removed in the meantime.
    package fileprivate(set) var count = 0
    /// The size of their bodies in bytes, if it is known before they are read.
    package fileprivate(set) var length = 0
    package fileprivate(set) var wholeCount = 0
    package fileprivate(set) var damagedCount = 0
    package fileprivate(set) var removedCount = 0
    /// The number of entries that could not be read or locked.
    package fileprivate(set) var unreadableCount = 0
    /// The size of the entries that were read, in bytes.
    package fileprivate(set) var completedLength = 0

    package var completedCount: Int { wholeCount + damagedCount + unreadableCount }
  }

  /// Reads every entry and compares it with its checksum.
  ///
  /// Other clients may use the store in the meantime. Entries are read without the lock. If an entry appears damaged,
  /// it is read again under the lock, because it may just have been replaced.
  ///
  /// - Parameters:
  ///   - isRemoving: `true` to remove damaged entries.
  ///   - report: called after each entry, on the calling thread and without a lock, with the damage if there is any.
  /// - Returns: `nil` if the store could not be locked.
  @discardableResult
  package func verify(
    isRemoving: Bool = true, report: (Verification, Damage?) -> Void = { _, _ in }
  ) -> Verification? {
    let listed = transaction(patience: .writing) { _ in
      // A partial body is verified whenever it is opened.
      index.names.filter { !$0.isPart }.map { ($0, index[$0]?.length ?? 0) }
    }
    guard let listed else { return nil }
    var result = Verification()
    result.count = listed.count
    result.length = listed.reduce(0) { $0 + $1.1 }
    for (name, length) in listed {
      var damage: Damage?
      switch verify(name, isRemoving: isRemoving) {
      case .whole: result.wholeCount += 1
      case .gone: result.count -= 1
      case .unreadable: result.unreadableCount += 1
      case .damaged(let found):
        damage = found
        result.damagedCount += 1
        if found.isRemoved { result.removedCount += 1 }
      }
      result.completedLength += length
      report(result, damage)
    }
    return result
  }

  private enum Finding {
    case whole
    /// Another process has removed it.
    case gone
    case unreadable
    case damaged(Damage)
  }

  private func verify(_ name: DiskEntryName, isRemoving: Bool) -> Finding {
    if case .whole = index.folder.entry(name) { return .whole }
    let finding = transaction(patience: .writing) { transaction -> Finding in
      guard index.contains(name) else { return .gone }
      let kind: Damage.Kind
      switch transaction.folder.entry(name) {
      case .whole: return .whole
      case .unavailable: return .unreadable
      case .absent: kind = .metadata
      case .damaged(let found): kind = found
      }
      let key: String? =
        if case .whole(let found) = transaction.folder.metadata(name) { found.metadata.key } else { nil }
      if isRemoving { transaction.remove(name, isForced: true) }
      let isRemoved = isRemoving && isGone(name, in: transaction.folder)
      return .damaged(Damage(path: name.path, key: key, kind: kind, isRemoved: isRemoved))
    }
    return finding ?? .unreadable
  }

  private func isGone(_ name: DiskEntryName, in folder: StoreFolder) -> Bool {
    [name.path, name.metadataPath].allSatisfy { files.status($0, in: folder.root) == nil }
  }

  // MARK: Inspection

  /// The number, size and age of a store's entries.
  package struct Overview: Sendable, Equatable {
    package let totals: Totals
    /// The times of the earliest and the latest use of an entry, in nanoseconds since 1970; `nil` if there are none.
    /// Uses by other processes are included after those processes have written them to disk.
    package let oldestUse: Int64?
    package let newestUse: Int64?
  }

  /// Returns the overview of the store; `nil` if it could not be locked.
  package func overview() -> Overview? {
    transaction(patience: .writing) { _ in
      let names = index.names.filter { !$0.isPart }
      return Overview(
        totals: index.totals, oldestUse: names.first.flatMap { index[$0]?.lastUsed },
        newestUse: names.last.flatMap { index[$0]?.lastUsed })
    }
  }

  /// Returns the totals of the store, and those that a sweep to `sizeLimit` would leave; `nil` if the store could not be
  /// locked. Uses by other processes that they have not written to disk are not included.
  package func totals(sweptTo sizeLimit: Int) -> (before: Totals, after: Totals)? {
    transaction(patience: .writing) { _ in
      let before = index.totals
      var after = before
      for name in index.names {
        guard after.allocated > sizeLimit, let entry = index[name] else { break }
        after.allocated -= entry.allocated
        // Partial bodies have space on disk, and are not counted otherwise.
        if !name.isPart { (after.count, after.length) = (after.count - 1, after.length - entry.length) }
      }
      return (before, after)
    }
  }

  /// The state of a path that may contain a store.
  package enum Site: Equatable {
    /// The path does not exist.
    case absent
    /// A folder that is empty, or contains only the beginning of a store.
    case empty
    case store
    /// A folder with other files.
    case other
    /// A file that is not a folder, or a folder that cannot be read. The value is the `errno`.
    case unusable(CInt)
  }

  /// Returns the state of the folder at `path`, without creating or changing anything.
  package static func site(at path: String, files: any DiskFileSystem = SystemFileSystem()) -> Site {
    let folder = files.openFolder(path)
    guard folder >= 0 else { return folder == -ENOENT ? .absent : .unusable(-folder) }
    defer { files.close(folder) }
    let journal = files.openFile(DiskJournal.fileName, in: folder)
    if journal >= 0 {
      defer { files.close(journal) }
      guard let status = files.status(of: journal), status.isRegular else { return .other }
      var mark: UInt64 = 0
      let count = withUnsafeMutableBytes(of: &mark) {
        files.read(journal, into: $0.baseAddress!, count: $0.count, at: 0)
      }
      if count < 0 { return .unusable(CInt(-count)) }
      if count == 8, UInt64(littleEndian: mark) == DiskJournal.mark { return .store }
      // The process that creates the store has not written to the journal yet.
      if count == 0, files.names(in: ".", of: folder) == [DiskJournal.fileName] { return .empty }
      return .other
    }
    guard journal == -ENOENT else { return journal == -EACCES ? .unusable(-journal) : .other }
    return files.names(in: ".", of: folder).isEmpty ? .empty : .other
  }
}
