import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Bodies that are still coming. Their keys are apart from those of entries.
extension DiskStore {
  /// The part of `key`; `nil` if there is none, or somebody else has it. One that is damaged is removed.
  package func openPart(_ key: String) -> DiskPart? {
    let name = DiskEntryName(partOf: key)
    let (standing, folder) = standing(name, isUse: true)
    if case .absent = standing { return nil }
    return open(name, key, in: folder)
  }

  /// A new part of `key`, with room for `length` bytes; `nil` if there is one, or no room.
  ///
  /// - Parameter attributes: what the owner keeps beside it, such as validators.
  package func makePart(_ key: String, length: Int, attributes: [UInt8]) -> DiskPart? {
    let name = DiskEntryName(partOf: key)
    var metadata = DiskMetadata(kind: "part", key: key, attributes: attributes, created: options.now())
    metadata.checksum = Self.checksum(Data())
    let folder = transaction(patience: .writing) { transaction in
      transaction.makePart(metadata, as: name, length: length) ? transaction.folder : nil
    }
    guard let folder, let folder else { return nil }
    return open(name, key, in: folder)
  }

  private func open(_ name: DiskEntryName, _ key: String, in folder: Folder) -> DiskPart? {
    let isAllowed = state.withLock { state in
      guard state.openParts < options.openPartLimit else { return false }
      state.openParts += 1
      return true
    }
    guard isAllowed else { return nil }
    if let part = openFile(name, key, in: folder) { return part }
    state.withLock { $0.openParts -= 1 }
    return nil
  }

  private func openFile(_ name: DiskEntryName, _ key: String, in folder: Folder) -> DiskPart? {
    let file = files.openToChange(name.path, in: folder.root)
    guard file >= 0 else { return nil }
    guard files.tryLock(file) else {
      files.close(file)
      return nil
    }
    // Who had it before may have given it another name or removed it between the opening and the locking.
    guard case .success(let status) = files.status(of: file), status.isRegular,
      case .success(let place) = files.status(name.path, in: folder.root),
      place.identity.node == status.identity.node
    else {
      closeLocked(file)
      return nil
    }
    switch readMetadata(name, in: folder) {
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

  /// Closes the file of a part. A process that this one is just starting has the file too until it runs its own program:
  /// closing alone would leave the lock with it until then.
  func closeLocked(_ file: CInt) {
    files.unlock(file)
    files.close(file)
  }
}

extension DiskStore.Transaction {
  /// Returns `true` if the file is still the one that stands under `name`.
  func isPlace(_ name: DiskEntryName, of file: CInt) -> Bool {
    guard case .success(let status) = files.status(of: file),
      case .success(let place) = files.status(name.path, in: folder.root)
    else { return false }
    return status.identity.node == place.identity.node
  }

  mutating func makePart(_ metadata: DiskMetadata, as name: DiskEntryName, length: Int) -> Bool {
    let encoded = metadata.encoded(name: name.text)
    let need = DiskIndex.allocation(length) + DiskIndex.allocation(encoded.count)
    guard !isUncertain, store.state.withLock({ $0.index[name] }) == nil, encoded.count <= DiskMetadata.limit,
      need <= store.sizeLimit, begin(), makeRoom(for: need, sparing: nil)
    else { return false }
    let time = store.state.withLock { $0.nextTime(store.options) }
    guard createPart(name, length: length, encoded, time: time) >= 0 else {
      remove(name, isForced: true)
      return false
    }
    store.state.withLock { state in
      state.index.insert(name, length: length, allocated: need, lastUsed: time)
    }
    tell(.stored(name: name.text, length: length, allocated: need, lastUsed: time))
    return true
  }

  /// Says how much of a part was written.
  mutating func setMetadata(_ metadata: DiskMetadata, of name: DiskEntryName, file: CInt) -> Bool {
    let encoded = metadata.encoded(name: name.text)
    let isKnown = store.state.withLock { state in
      let time = state.nextTime(store.options)
      return state.index.use(name, at: time) != nil ? time : nil
    }
    guard let time = isKnown, isPlace(name, of: file), begin(),
      makeRoom(for: DiskIndex.allocation(encoded.count), sparing: name)
    else { return false }
    return replaceMetadata(of: name, encoded, time: time)
  }

  /// Makes the file of a part longer or shorter.
  mutating func resize(_ name: DiskEntryName, file: CInt, to length: Int) -> Bool {
    guard let entry = store.state.withLock({ $0.index[name] }), isPlace(name, of: file) else { return false }
    let allocated =
      entry.allocated - DiskIndex.allocation(entry.length) + DiskIndex.allocation(length)
    guard begin(), allocated <= entry.allocated || makeRoom(for: allocated - entry.allocated, sparing: name),
      files.setLength(length, of: file) >= 0
    else { return false }
    let lastUsed = store.state.withLock { state in
      state.index.resize(name, length: length, allocated: allocated)
      return state.index[name]?.lastUsed ?? entry.lastUsed
    }
    tell(.stored(name: name.text, length: length, allocated: allocated, lastUsed: lastUsed))
    return true
  }

  /// Makes a part the body of an entry.
  ///
  /// The metadata of the entry is there before its body. Whoever comes after a death finds the part, or the entry.
  mutating func adopt(
    _ part: DiskEntryName, file: CInt, as name: DiskEntryName, _ metadata: DiskMetadata
  ) -> Bool {
    let encoded = metadata.encoded(name: name.text)
    let time = store.state.withLock { $0.nextTime(store.options) }
    guard store.state.withLock({ $0.index.use(part, at: time) }) != nil, isPlace(part, of: file),
      encoded.count <= DiskMetadata.limit, begin(),
      makeRoom(for: DiskIndex.allocation(encoded.count), sparing: part),
      !store.options.isSynchronizing || files.synchronize(file) >= 0
    else { return false }
    let code = move(part, encoded, to: name, time: time)
    // Which of the two names the body has after a failure is not known.
    guard code >= 0 else {
      remove(name, isForced: true)
      remove(part, isForced: true)
      return false
    }
    if files.remove(part.metadataPath, in: folder.root) < 0 { isUncertain = true }
    let need = DiskIndex.allocation(metadata.length) + DiskIndex.allocation(encoded.count)
    store.state.withLock { state in
      state.index.remove(part)
      state.index.insert(name, length: metadata.length, allocated: need, lastUsed: time)
    }
    tell(.removed(name: part.text))
    tell(.stored(name: name.text, length: metadata.length, allocated: need, lastUsed: time))
    return true
  }
}
