import Foundation
import NukeBase

/// Partial bodies. Their keys are separate from those of entries.
extension DiskStore {
  /// Opens the partial body of `key`; `nil` if there is none, or it is open elsewhere. A damaged one is removed.
  package func openPart(_ key: String) -> DiskPart? {
    let name = DiskEntryName(partOf: key)
    return index.locate(name, isUse: true).flatMap { open(name, key, in: $0.folder) }
  }

  /// Creates a partial body for `key`, with space for the first of its bytes. Returns `nil` if there is one already, or
  /// not enough space.
  ///
  /// - Parameters:
  ///   - length: the final length of the body, as far as it is known. A body above the limit of the store is refused.
  ///   - attributes: data of the caller, such as validators.
  package func makePart(_ key: String, length: Int, attributes: [UInt8]) -> DiskPart? {
    let name = DiskEntryName(partOf: key)
    var metadata = DiskMetadata(kind: "part", key: key, attributes: attributes, created: options.now())
    metadata.checksum = Digest.checksum(of: Data())
    let folder = transaction(patience: .writing) { transaction in
      transaction.makePart(metadata, as: name, length: length) ? transaction.folder : nil
    }
    return (folder ?? nil).flatMap { open(name, key, in: $0) }
  }

  private func open(_ name: DiskEntryName, _ key: String, in folder: StoreFolder) -> DiskPart? {
    guard takePartSlot() else { return nil }
    if let part = openFile(name, key, in: folder) { return part }
    releasePartSlot()
    return nil
  }

  private func openFile(_ name: DiskEntryName, _ key: String, in folder: StoreFolder) -> DiskPart? {
    let file = files.openToChange(name.path, in: folder.root)
    guard file >= 0 else { return nil }
    guard files.tryLock(file) else {
      files.close(file)
      return nil
    }
    // Its previous holder may have renamed or removed it between `open` and the lock.
    guard let status = files.status(of: file), status.isRegular,
      let place = files.status(name.path, in: folder.root),
      place.identity.node == status.identity.node
    else {
      closeLocked(file)
      return nil
    }
    switch folder.metadata(name) {
    case .whole(let found)
    where found.metadata.key == key && found.metadata.kind == "part" && found.metadata.length <= status.length:
      return DiskPart(file: file, length: status.length, name: name, metadata: found.metadata, store: self)
    case .unavailable: break
    case .whole, .absent, .damaged:
      transaction(patience: .reading) { transaction in
        if transaction.isPlace(name, of: file) { transaction.remove(name, isForced: true) }
      }
    }
    closeLocked(file)
    return nil
  }

  /// Closes the file of a partial body. Releases the lock explicitly: after `fork`, a child process also has the
  /// descriptor until it calls `exec`, and closing alone would keep the lock until then.
  func closeLocked(_ file: CInt) {
    files.unlock(file)
    files.close(file)
  }
}
