import Foundation

/// Changes of partial bodies.
extension DiskStore.Transaction {
  /// Returns `true` if `name` still refers to the open file.
  func isPlace(_ name: DiskEntryName, of file: CInt) -> Bool {
    guard let status = files.status(of: file),
      let place = files.status(name.path, in: folder.root)
    else { return false }
    return status.identity.node == place.identity.node
  }

  /// Creates a partial body, if a body of `length` bytes is within the limit.
  mutating func makePart(_ metadata: DiskMetadata, as name: DiskEntryName, length: Int) -> Bool {
    // The length may be whatever a server has stated. The sum of larger ones would overflow.
    guard length <= store.sizeLimit else { return false }
    let encoded = metadata.encoded(name: name.text)
    let reserved = min(length, DiskPart.initialReserve)
    let (whole, allocated) = (DiskIndex.allocation(length), DiskIndex.allocation(reserved))
    let need = allocated + DiskIndex.allocation(encoded.count)
    guard !isUncertain, !store.index.contains(name), encoded.count <= DiskMetadata.limit,
      need + (whole - allocated) <= store.sizeLimit, begin(), makeRoom(for: need, sparing: nil)
    else { return false }
    let time = store.index.nextTime()
    guard createPart(name, length: reserved, encoded, time: time) >= 0 else {
      remove(name, isForced: true)
      return false
    }
    commit(.stored(name, length: reserved, allocated: need, lastUsed: time))
    return true
  }

  /// Records in the metadata how many bytes of a partial body are valid.
  mutating func setMetadata(_ metadata: DiskMetadata, of name: DiskEntryName, file: CInt) -> Bool {
    let encoded = metadata.encoded(name: name.text)
    guard let time = store.index.use(name), isPlace(name, of: file), begin(),
      makeRoom(for: DiskIndex.allocation(encoded.count), sparing: name)
    else { return false }
    return replaceMetadata(of: name, encoded, time: time)
  }

  /// Changes the length of the file of a partial body.
  mutating func resize(_ name: DiskEntryName, file: CInt, to length: Int) -> Bool {
    // The length may be whatever a server has stated, as above. A part above a lowered limit can still be shortened.
    guard let entry = store.index[name], length <= max(store.sizeLimit, entry.length), isPlace(name, of: file) else {
      return false
    }
    let allocated =
      entry.allocated - DiskIndex.allocation(entry.length) + DiskIndex.allocation(length)
    guard begin(), allocated <= entry.allocated || makeRoom(for: allocated - entry.allocated, sparing: name),
      files.setLength(length, of: file) >= 0
    else { return false }
    let lastUsed = store.index[name]?.lastUsed ?? entry.lastUsed
    commit(.stored(name, length: length, allocated: allocated, lastUsed: lastUsed), isResize: true)
    return true
  }

  /// Makes a partial body the body of an entry.
  ///
  /// The metadata of the entry is written before its body is renamed. If this process dies, the next one finds the part or
  /// the entry.
  mutating func adopt(
    _ part: DiskEntryName, file: CInt, as name: DiskEntryName, _ metadata: DiskMetadata
  ) -> Bool {
    let encoded = metadata.encoded(name: name.text)
    guard let time = store.index.use(part), isPlace(part, of: file),
      encoded.count <= DiskMetadata.limit, begin(),
      makeRoom(for: DiskIndex.allocation(encoded.count), sparing: part)
    else { return false }
    let code = move(part, encoded, to: name, time: time)
    // After a failure, it is unknown which of the two names the body has.
    guard code >= 0 else {
      remove(name, isForced: true)
      remove(part, isForced: true)
      return false
    }
    if files.remove(part.metadataPath, in: folder.root) < 0 { isUncertain = true }
    let need = DiskIndex.allocation(metadata.length) + DiskIndex.allocation(encoded.count)
    commit(.removed(part))
    commit(.stored(name, length: metadata.length, allocated: need, lastUsed: time))
    return true
  }
}
