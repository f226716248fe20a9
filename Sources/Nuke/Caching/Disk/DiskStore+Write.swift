package import Foundation

extension DiskStore {
  /// One change of the store.
  package enum Change: Sendable {
    case store(Data, DiskMetadata)
    /// What is kept for a key goes.
    case remove(String)
    case removeAll
  }

  /// Makes the changes in their order, all under one lock.
  ///
  /// What cannot be stored, since there is no room or the disk fails, is a miss later on, and so is what was stored for
  /// that key before.
  ///
  /// - Returns: false where the store could not be locked; nothing has changed then.
  @discardableResult
  package func apply(_ changes: [Change]) -> Bool {
    let done: Void? = transaction(patience: .writing) { transaction in
      for change in changes {
        switch change {
        case .store(let data, let metadata):
          guard let name = name(for: metadata.key) else { continue }
          transaction.store(data, metadata, as: name)
        case .remove(let key):
          guard let name = name(for: key) else { continue }
          if options.filename != nil, case .whole(let found) = readMetadata(name, in: transaction.folder),
            found.metadata.key != key
          {
            continue
          }
          transaction.remove(name)
        case .removeAll: transaction.removeAll()
        }
      }
    }
    return done != nil
  }

  /// Stores `data` for the key in `metadata`, whose length and checksum are set here.
  package func store(_ data: Data, _ metadata: DiskMetadata) { apply([.store(data, metadata)]) }

  package func remove(_ key: String) { apply([.remove(key)]) }

  package func removeAll() { apply([.removeAll]) }

  /// Changes the attributes that are kept for `key`, as after a successful validation; the bytes stay as they are.
  ///
  /// - Returns: whether there was such an entry and it now has them.
  @discardableResult
  package func setAttributes(_ attributes: [UInt8], for key: String) -> Bool {
    guard let name = name(for: key) else { return false }
    return transaction(patience: .writing) { $0.setAttributes(attributes, key: key, name) } ?? false
  }

  /// Removes what is above the limit, and writes down when entries were last used, which other processes and later
  /// runs go by.
  package func sweep() {
    transaction(patience: .writing) { transaction in
      transaction.writeTimes()
      transaction.makeRoom(for: 0, sparing: nil)
    }
  }

  /// Reads every entry again, and removes those that are damaged.
  ///
  /// - Returns: how many were whole, and how many were not.
  package func verify() -> (whole: Int, damaged: Int) {
    let names = transaction(patience: .writing) { _ in state.withLock { $0.index.names } } ?? []
    // A part is verified whenever it is opened.
    let entries = names.filter { !$0.isPart }
    var result = (whole: 0, damaged: 0)
    for name in entries {
      let (_, folder) = standing(name, isUse: false)
      if case .whole = check(name, in: folder) {
        result.whole += 1
        continue
      }
      transaction(patience: .writing) { transaction in
        switch check(name, in: transaction.folder) {
        case .whole: result.whole += 1
        case .unavailable: break
        case .absent:
          // Removed meanwhile.
          transaction.remove(name, isForced: true)
        case .damaged:
          result.damaged += 1
          transaction.remove(name, isForced: true)
        }
      }
    }
    return result
  }
}
