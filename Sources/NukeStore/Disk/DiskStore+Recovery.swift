import Foundation
import NukeBase

extension DiskStore {
  /// Completes the index, and repairs an unfinished transaction. The caller holds the lock.
  ///
  /// - Returns: the journal's header; `nil` if it cannot be written.
  func bringUpToDate(_ folder: StoreFolder) -> DiskJournal.Head? {
    let found = folder.journal.readHead()
    if let found, !found.isChanging, found.boot == files.bootIdentifier {
      if !index.isCurrent(found) { lookThrough(folder, sequence: found.sequence) }
      if index.agrees(with: found) { return found }
    }

    // The last writer died, the machine was rebooted, or something else has changed the files.
    finishStaged(in: folder)
    var head = DiskJournal.Head()
    // Advance the count beyond the ring buffer, so that all other stores scan the folder. If there was no count, the
    // current time is larger than any earlier count.
    head.sequence = (found?.sequence ?? UInt64(clamping: options.now())) &+ DiskJournal.capacity + 1
    head.boot = files.bootIdentifier
    lookThrough(folder, sequence: head.sequence)
    return index.record(&head, in: folder) ? head : nil
  }

  /// Finishes the replacement during which a writer died if the new body is in place. Otherwise, drops it.
  ///
  /// Staged metadata may be from an older replacement. It is used only if the metadata in place does not match the
  /// body: a writer stages new metadata before it replaces a body.
  private func finishStaged(in folder: StoreFolder) {
    if case .whole(let staged) = folder.metadata(at: Transaction.stagedMetadata),
      let name = DiskEntryName(staged.name), case .whole(let placed) = folder.metadata(name),
      case .whole(let body) = folder.body(name, length: staged.metadata.length),
      case let checksum = Digest.checksum(of: body.data), checksum == staged.metadata.checksum,
      placed.metadata.length != body.data.count || placed.metadata.checksum != checksum
    {
      _ = files.rename(Transaction.stagedMetadata, to: name.metadataPath, in: folder.root)
    }
    _ = files.remove(Transaction.stagedMetadata, in: folder.root)
    _ = files.remove(Transaction.stagedBody, in: folder.root)
  }

  /// Builds the index from the folders, and removes files whose counterpart is missing.
  private func lookThrough(_ folder: StoreFolder, sequence: UInt64) {
    let before = index.byName
    var found: [(name: DiskEntryName, length: Int, allocated: Int, lastUsed: Int64)] = []
    for shard in files.names(in: ".", of: folder.root) where Self.isShard(shard) {
      let names = files.names(in: shard, of: folder.root)
      let bodies = Set(names.filter { !$0.hasPrefix(".") })
      var paired: Set<String> = []
      for text in names where text.hasPrefix(".") {
        guard let name = DiskEntryName(String(text.dropFirst())), name.folder == shard else { continue }
        guard bodies.contains(name.text), let body = files.status(name.path, in: folder.root),
          let metadata = files.status(name.metadataPath, in: folder.root), metadata.length > 0
        else {
          _ = files.remove(name.metadataPath, in: folder.root)
          continue
        }
        paired.insert(name.text)
        let allocated = DiskIndex.allocation(body.length) + DiskIndex.allocation(metadata.length)
        let lastUsed = max(metadata.modified, before[name]?.lastUsed ?? .min)
        found.append((name, body.length, allocated, lastUsed))
      }
      for text in bodies.subtracting(paired) {
        guard let name = DiskEntryName(text), name.folder == shard else { continue }
        _ = files.remove(name.path, in: folder.root)
      }
    }
    found.sort { $0.lastUsed < $1.lastUsed }
    var entries = DiskIndex()
    for entry in found {
      entries.insert(entry.name, length: entry.length, allocated: entry.allocated, lastUsed: entry.lastUsed)
      if let verified = before[entry.name]?.verified {
        entries.noteVerified(entry.name, verified, length: entry.length)
      }
    }
    index.replace(with: entries, sequence: sequence, lastUsed: found.last?.lastUsed ?? 0)
  }

  private static func isShard(_ name: String) -> Bool {
    name.utf8.count == 2
      && name.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
