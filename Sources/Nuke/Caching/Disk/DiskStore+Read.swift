package import Foundation

/// An entry as it was read.
package struct DiskEntry: Sendable {
  package let data: Data
  package let metadata: DiskMetadata
}

/// The result of a look-up that changes nothing.
package enum DiskPeek: Equatable, Sendable {
  case absent
  case whole(Data)
  /// A read would remove it.
  case damaged
}

extension DiskStore {
  /// Returns the bytes stored for `key`; `nil` if there are none that are whole. A damaged entry is removed.
  ///
  /// The bytes are verified when this store first reads them from a file, and again if the file has changed since.
  package func data(for key: String) -> Data? {
    guard let place = locate(name(for: key), isUse: true) else { return nil }
    if let verified = place.entry?.verified, verified.keyHash == Self.hash(key),
      let data = place.folder.body(place.name, length: place.entry!.length, verified: verified.identity)
    {
      return data
    }
    return load(place, key)?.data
  }

  /// Returns the bytes and the metadata stored for `key`.
  package func entry(for key: String) -> DiskEntry? {
    locate(name(for: key), isUse: true).flatMap { load($0, key) }
  }

  /// Returns the bytes that belong to metadata which was read before; `nil` if they are gone or others now.
  package func body(of metadata: DiskMetadata) -> Data? {
    guard let place = locate(name(for: metadata.key), isUse: true) else { return nil }
    if let verified = place.entry?.verified, verified.checksum == metadata.checksum,
      let data = place.folder.body(place.name, length: metadata.length, verified: verified.identity)
    {
      return data
    }
    guard case .whole(let (data, identity)) = place.folder.body(place.name, length: metadata.length),
      Digest.checksum(of: data) == metadata.checksum
    else { return nil }
    noteVerified(place.name, identity, metadata)
    return data
  }

  /// Returns the metadata stored for `key`, without looking at the bytes. Does not count as a use.
  package func metadata(for key: String) -> DiskMetadata? {
    guard let place = locate(name(for: key), isUse: false),
      case .whole(let found) = place.folder.metadata(place.name), found.metadata.key == key
    else { return nil }
    return found.metadata
  }

  /// Returns `true` if something is stored for `key`. The bytes are not looked at, nor does this count as a use.
  package func contains(_ key: String) -> Bool {
    guard let place = locate(name(for: key), isUse: false) else { return false }
    // Two keys can have one name only where the program names the files.
    if options.filename != nil {
      if let verified = place.entry?.verified { return verified.keyHash == Self.hash(key) }
      return metadata(for: key) != nil
    }
    if place.entry != nil { return true }
    return files.status(place.name.metadataPath, in: place.folder.root) != nil
  }

  /// Returns what ``data(for:)`` would find. The look-up does not count as a use, and removes nothing.
  package func peek(_ key: String) -> DiskPeek {
    guard let place = locate(name(for: key), isUse: false) else { return .absent }
    // Files that do not fit together may be those of two moments, once.
    for _ in 0..<2 {
      switch place.folder.entry(place.name) {
      case .whole(let found): return found.entry.metadata.key == key ? .whole(found.entry.data) : .absent
      case .absent, .unavailable: return .absent
      case .damaged: break
      }
    }
    return .damaged
  }

  static func hash(_ key: String) -> UInt64 { Digest.hash(of: key) }

  /// Looks in the index. Returns `nil` if there is no entry.
  ///
  /// - Parameter isUse: whether the entry counts as used now.
  func locate(_ name: DiskEntryName?, isUse: Bool) -> StoreIndex.Place? {
    name.flatMap { index.locate($0, isUse: isUse) }
  }

  private func load(_ place: StoreIndex.Place, _ key: String) -> DiskEntry? {
    switch place.folder.entry(place.name) {
    case .whole(let found): return accept(found, place.name, key)
    case .unavailable: return nil
    case .absent where place.entry == nil: return nil
    case .absent, .damaged: break
    }
    // The files are not those of one moment if another thread or process is replacing the entry. With the lock they are,
    // and what does not fit then is damage.
    let found = transaction(patience: .reading) { transaction -> DiskEntry? in
      switch transaction.folder.entry(place.name) {
      case .whole(let found): return accept(found, place.name, key)
      case .unavailable: return nil
      case .absent, .damaged:
        transaction.remove(place.name, isForced: true)
        return nil
      }
    }
    return found ?? nil
  }

  private func accept(
    _ found: (entry: DiskEntry, identity: DiskFileStatus.Identity?), _ name: DiskEntryName, _ key: String
  ) -> DiskEntry? {
    noteVerified(name, found.identity, found.entry.metadata)
    return found.entry.metadata.key == key ? found.entry : nil
  }

  private func noteVerified(_ name: DiskEntryName, _ identity: DiskFileStatus.Identity?, _ metadata: DiskMetadata) {
    guard let identity else { return }
    let verified = DiskIndex.Verified(
      identity: identity, keyHash: Self.hash(metadata.key), checksum: metadata.checksum)
    index.noteVerified(name, verified, length: metadata.length)
  }
}
