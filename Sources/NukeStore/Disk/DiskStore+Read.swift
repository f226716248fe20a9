package import Foundation
import NukeBase

/// An entry with its body and its metadata.
package struct DiskEntry: Sendable {
  package let data: Data
  package let metadata: DiskMetadata
}

/// The result of a look-up that changes nothing.
package enum DiskPeek: Equatable, Sendable {
  case absent
  case whole(Data)
  /// The entry is damaged. Reading would remove it.
  case damaged
}

extension DiskStore {
  /// Returns the data stored for `key`; `nil` if there is none or it is damaged. A damaged entry is removed.
  ///
  /// The data is compared with its checksum when this store first reads it, and again after the file has changed.
  package func data(for key: String) -> Data? {
    guard let location = locate(key, isUse: true) else { return nil }
    if let entry = location.entry, let verified = entry.verified, verified.keyHash == Self.hash(key) {
      if isExpired(created: verified.created) { return nil }
      if let data = location.folder.body(location.name, length: entry.length, verified: verified.identity) {
        return data
      }
    }
    return load(location, key)?.data
  }

  /// Returns the data and the metadata stored for `key`.
  package func entry(for key: String) -> DiskEntry? {
    locate(key, isUse: true).flatMap { load($0, key) }
  }

  /// Returns the data for metadata that was read before; `nil` if the data was removed or replaced.
  package func body(of metadata: DiskMetadata) -> Data? {
    guard !isExpired(metadata), let location = locate(metadata.key, isUse: true) else { return nil }
    if let verified = location.entry?.verified, verified.checksum == metadata.checksum,
      let data = location.folder.body(location.name, length: metadata.length, verified: verified.identity)
    {
      return data
    }
    guard case .whole(let (data, identity)) = location.folder.body(location.name, length: metadata.length),
      Digest.checksum(of: data) == metadata.checksum
    else { return nil }
    noteVerified(location.name, identity, metadata)
    return data
  }

  /// Returns the metadata stored for `key`, without reading the data. The entry does not become more recently used.
  package func metadata(for key: String) -> DiskMetadata? {
    guard let location = locate(key, isUse: false),
      case .whole(let found) = location.folder.metadata(location.name), found.metadata.key == key,
      !isExpired(found.metadata)
    else { return nil }
    return found.metadata
  }

  /// Returns `true` if there is an entry for `key`, without reading the data. The entry does not become more recently
  /// used.
  ///
  /// - Parameter isOfAnyAge: `true` to count an expired entry.
  package func contains(_ key: String, isOfAnyAge: Bool = false) -> Bool {
    guard let name = name(for: key) else { return false }
    // The index does not know the age of every entry.
    if limitsAge, !isOfAnyAge { return metadata(for: key) != nil }
    // Two keys can have the same name only if the program provides the names.
    if options.filename == nil, let isListed = index.lists(name) { return isListed }
    guard let location = index.locate(name, isUse: false) else { return false }
    if options.filename != nil {
      if let verified = location.entry?.verified { return verified.keyHash == Self.hash(key) }
      return metadata(for: key) != nil
    }
    return files.status(location.name.metadataPath, in: location.folder.root) != nil
  }

  /// Returns what ``data(for:)`` would find. The look-up does not count as a use, and removes nothing.
  package func peek(_ key: String) -> DiskPeek {
    guard let location = locate(key, isUse: false) else { return .absent }
    // The two files can be mismatched if they were read while the entry was replaced. Then a second attempt succeeds.
    for _ in 0..<2 {
      switch location.folder.entry(location.name) {
      case .whole(let found):
        let metadata = found.entry.metadata
        return metadata.key == key && !isExpired(metadata) ? .whole(found.entry.data) : .absent
      case .absent, .unavailable: return .absent
      case .damaged: break
      }
    }
    return .damaged
  }

  package static func hash(_ key: String) -> UInt64 { Digest.hash(of: key) }

  /// Looks up an entry in the index. Returns `nil` if there is none.
  ///
  /// - Parameter isUse: `true` to count this as a use of the entry.
  private func locate(_ key: String, isUse: Bool) -> StoreIndex.Location? {
    guard let name = name(for: key) else { return nil }
    return index.locate(name, isUse: isUse)
  }

  private func load(_ location: StoreIndex.Location, _ key: String) -> DiskEntry? {
    switch location.folder.entry(location.name) {
    case .whole(let found): return accept(found, location.name, key)
    case .unavailable: return nil
    case .absent where location.entry == nil: return nil
    case .absent, .damaged: break
    }
    // Outside the lock, the two files can be mismatched because another thread or process is replacing the entry. Under
    // the lock, a mismatch means damage.
    let found = transaction(patience: .reading) { transaction -> DiskEntry? in
      switch transaction.folder.entry(location.name) {
      case .whole(let found): return accept(found, location.name, key)
      case .unavailable: return nil
      case .absent, .damaged:
        transaction.remove(location.name, isForced: true)
        return nil
      }
    }
    return found ?? nil
  }

  private func accept(
    _ found: (entry: DiskEntry, identity: DiskFileStatus.Identity?), _ name: DiskEntryName, _ key: String
  ) -> DiskEntry? {
    noteVerified(name, found.identity, found.entry.metadata)
    return found.entry.metadata.key == key && !isExpired(found.entry.metadata) ? found.entry : nil
  }

  private func noteVerified(_ name: DiskEntryName, _ identity: DiskFileStatus.Identity?, _ metadata: DiskMetadata) {
    guard let identity else { return }
    let verified = DiskIndex.Verified(
      identity: identity, keyHash: Self.hash(metadata.key), checksum: metadata.checksum,
      created: Self.creation(of: metadata))
    index.noteVerified(name, verified, length: metadata.length)
  }
}
