package import Foundation

extension DiskStore {
  /// One change of the store.
  package enum Change: Sendable {
    case store(Data, DiskMetadata)
    /// Removes the entry of the key.
    case remove(String)
    case removeAll
  }

  /// Makes the changes in their order, all under one lock.
  ///
  /// What cannot be stored, since there is no room or the disk fails, is a miss later on, and so is what was stored for
  /// that key before.
  ///
  /// - Returns: `false` if the store could not be locked; nothing has changed then.
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
          // A spare may have an older version of what was removed.
          transaction.discardStaged()
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
  /// - Parameter known: what the attributes have to be for that, so that those of one body are not given to another
  ///   which has taken its place meanwhile; `nil` for any.
  /// - Returns: `true` if there was such an entry and it now has them.
  @discardableResult
  package func setAttributes(_ attributes: [UInt8], for key: String, replacing known: [UInt8]? = nil) -> Bool {
    guard let name = name(for: key) else { return false }
    return transaction(patience: .writing) { $0.setAttributes(attributes, replacing: known, key: key, name) } ?? false
  }

  /// Removes what is above the limit, and writes down when entries were last used, which other processes and later
  /// runs go by.
  package func sweep() {
    transaction(patience: .writing) { transaction in
      transaction.writeTimes()
      transaction.makeRoom(for: 0, sparing: nil)
    }
  }
}
