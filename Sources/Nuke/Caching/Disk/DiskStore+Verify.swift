extension DiskStore {
  /// An entry that is not what was stored.
  package struct Damage: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      /// The file of the metadata is missing, or is none.
      case metadata
      /// The file of the bytes is missing, or is none.
      case body
      /// There are more or fewer bytes than were stored.
      case length
      /// The bytes do not have the checksum of those that were stored.
      case bytes
    }

    /// The file of the bytes, from the store's folder.
    package let path: String
    /// `nil` if the metadata cannot be read.
    package let key: String?
    package let kind: Kind
    /// `true` if the entry was removed, and is gone.
    package let isRemoved: Bool
  }

  /// The progress of a verification, and its result at the end.
  package struct Verification: Sendable, Equatable {
    /// Entries to be read. Those that others remove meanwhile are taken off.
    package fileprivate(set) var count = 0
    /// Bytes of their bodies, as far as they are known before they are read.
    package fileprivate(set) var length = 0
    package fileprivate(set) var wholeCount = 0
    package fileprivate(set) var damagedCount = 0
    package fileprivate(set) var removedCount = 0
    /// Entries that could not be read or locked now, so that nothing is known of them.
    package fileprivate(set) var unreadableCount = 0
    /// Bytes of the entries that have been dealt with.
    package fileprivate(set) var completedLength = 0

    package var completedCount: Int { wholeCount + damagedCount + unreadableCount }
  }

  /// Reads every entry again and compares it with its checksum.
  ///
  /// Others may use the store meanwhile. An entry is read without the lock; where it is not whole it is read again with
  /// it, since it may just have been replaced.
  ///
  /// - Parameters:
  ///   - isRemoving: whether damaged entries are removed.
  ///   - report: is called after each entry, on the calling thread and without a lock, with the damage if there is any.
  /// - Returns: `nil` if the store could not be locked.
  @discardableResult
  package func verify(
    isRemoving: Bool = true, report: (Verification, Damage?) -> Void = { _, _ in }
  ) -> Verification? {
    let listed = transaction(patience: .writing) { _ in
      // A part of a body is verified whenever it is opened.
      state.withLock { state in state.index.names.filter { !$0.isPart }.map { ($0, state.index[$0]?.length ?? 0) } }
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
    /// Others have removed it.
    case gone
    case unreadable
    case damaged(Damage)
  }

  private func verify(_ name: DiskEntryName, isRemoving: Bool) -> Finding {
    let folder = state.withLock { $0.folder }
    if case .whole = check(name, in: folder) { return .whole }
    let finding = transaction(patience: .writing) { transaction -> Finding in
      guard state.withLock({ $0.index[name] }) != nil else { return .gone }
      switch diagnose(name, in: transaction.folder) {
      case .whole: return .whole
      case .unavailable: return .unreadable
      case .damaged(let kind, let key):
        if isRemoving { transaction.remove(name, isForced: true) }
        let isRemoved = isRemoving && isGone(name, in: transaction.folder)
        return .damaged(Damage(path: name.path, key: key, kind: kind, isRemoved: isRemoved))
      }
    }
    return finding ?? .unreadable
  }

  private enum Diagnosis {
    case whole
    case unavailable
    case damaged(Damage.Kind, key: String?)
  }

  /// Finds out what is wrong with the files of an entry in the index.
  private func diagnose(_ name: DiskEntryName, in folder: Folder) -> Diagnosis {
    let metadata: DiskMetadata
    switch readMetadata(name, in: folder) {
    case .whole(let found): metadata = found.metadata
    case .absent, .damaged: return .damaged(.metadata, key: nil)
    case .unavailable: return .unavailable
    }
    switch readBody(name, length: metadata.length, in: folder) {
    case .whole(let data, _):
      return Self.checksum(data) == metadata.checksum ? .whole : .damaged(.bytes, key: metadata.key)
    case .absent: return .damaged(.body, key: metadata.key)
    case .damaged:
      guard case .success(let status) = files.status(name.path, in: folder.root), status.isRegular else {
        return .damaged(.body, key: metadata.key)
      }
      return .damaged(status.length == metadata.length ? .bytes : .length, key: metadata.key)
    case .unavailable: return .unavailable
    }
  }

  private func isGone(_ name: DiskEntryName, in folder: Folder) -> Bool {
    [name.path, name.metadataPath].allSatisfy { path in
      if case .failure = files.status(path, in: folder.root) { true } else { false }
    }
  }
}
