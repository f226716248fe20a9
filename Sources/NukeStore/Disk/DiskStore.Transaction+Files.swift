import Foundation

/// Writing the files of an entry.
///
/// The files of a new entry are created under their final names. A replacement is written to a staged file, which then
/// exchanges names with the file it replaces. The replaced file becomes a *spare*: what is stored next is written to it.
/// The files of an evicted entry become spares, too, if there are none. Creating a file and removing another costs several
/// times as much as writing a few KiB to an existing file. ext4 also starts writing a file to the device when it replaces
/// another by `rename`, and searches long for an inode that was not removed recently.
extension DiskStore.Transaction {
  static let stagedBody = "staged-body"
  static let stagedMetadata = "staged-metadata"
  /// The maximum size of a spare file for metadata, in bytes.
  private static let metadataSpareLimit = 4096

  /// Returns the maximum allocation of a spare file for bodies, in bytes; 0 if the store is too small to keep spares.
  static func spareLimit(for sizeLimit: Int) -> Int {
    let limit = min(sizeLimit / 64, 1 << 20) & ~4095
    return limit < 64 << 10 ? 0 : limit
  }

  /// The space within the store's limit that is reserved for spares, in bytes.
  var sparesAllowance: Int { spareLimit == 0 ? 0 : spareLimit + Self.metadataSpareLimit }

  /// Writes both files of an entry.
  ///
  /// - Returns: a negated `errno` on failure. The state of the entry's files is then unknown.
  mutating func put(_ data: Data, _ encoded: [UInt8], as name: DiskEntryName, time: Int64) -> CInt {
    let isNew = !store.index.contains(name)
    if isNew, !findSpares() { return create(data, encoded, as: name, time: time) }
    defer { hasSpares = isNew ? false : nil }
    return replace(name, with: data, encoded, time: time)
  }

  /// Renames the file of a partial body to that of an entry.
  mutating func move(_ part: DiskEntryName, _ encoded: [UInt8], to name: DiskEntryName, time: Int64) -> CInt {
    guard store.index.contains(name) else {
      // The metadata is created first. If this process dies before the rename, the next one removes the metadata and
      // keeps the partial body.
      var code = createFile(name.metadataPath, of: name)
      if code >= 0 { code = encoded.withUnsafeBytes { write($0, to: code, time: time) } }
      if code >= 0 { code = files.rename(part.path, to: name.path, in: folder.root) }
      return code
    }
    hasSpares = nil
    var code = stage(encoded, time: time)
    if code >= 0 { code = files.rename(part.path, to: name.path, in: folder.root) }
    if code >= 0 { code = takePlace(of: name.metadataPath, Self.stagedMetadata, spareLimit: Self.metadataSpareLimit) }
    if code < 0 { discardStaged() }
    return code
  }

  /// Replaces the metadata of an entry or a partial body.
  ///
  /// - Returns: `false` on failure. The old metadata is then still in place.
  mutating func replaceMetadata(of name: DiskEntryName, _ encoded: [UInt8], time: Int64) -> Bool {
    hasSpares = nil
    var code = stage(encoded, time: time)
    if code >= 0 { code = takePlace(of: name.metadataPath, Self.stagedMetadata, spareLimit: Self.metadataSpareLimit) }
    if code < 0 { discardStaged() }
    return code >= 0
  }

  // MARK: Spares

  /// Returns `true` if there are spares for both files of an entry.
  private mutating func findSpares() -> Bool {
    if let hasSpares { return hasSpares }
    let found =
      spareLimit > 0
      && [Self.stagedBody, Self.stagedMetadata].allSatisfy { files.status($0, in: folder.root) != nil }
    hasSpares = found
    return found
  }

  /// Makes the files of an entry spares, if there are none yet and the files are small enough. The metadata first: without
  /// it the body is not an entry.
  ///
  /// - Returns: `false` if the files have to be removed.
  mutating func keepAsSpares(_ entry: DiskIndex.Entry) -> Bool {
    let body = DiskIndex.allocation(entry.length)
    guard !entry.name.isPart, body <= spareLimit, entry.allocated - body <= Self.metadataSpareLimit, !findSpares(),
      files.rename(entry.name.metadataPath, to: Self.stagedMetadata, in: folder.root) >= 0,
      files.rename(entry.name.path, to: Self.stagedBody, in: folder.root) >= 0
    else { return false }
    hasSpares = true
    return true
  }

  // MARK: New entries

  /// Creates both files, the body first. Without metadata the body is not an entry, and if this process dies, the next
  /// one removes it.
  private mutating func create(_ data: Data, _ encoded: [UInt8], as name: DiskEntryName, time: Int64) -> CInt {
    var code = createFile(name.path, of: name)
    if code >= 0 { code = data.withUnsafeBytes { write($0, to: code, time: nil) } }
    if code >= 0 { code = createFile(name.metadataPath, of: name) }
    if code >= 0 { code = encoded.withUnsafeBytes { write($0, to: code, time: time) } }
    if code < 0 { removeFiles(of: name) }
    return code
  }

  /// Creates the files of a partial body, with space for `length` bytes.
  mutating func createPart(_ name: DiskEntryName, length: Int, _ encoded: [UInt8], time: Int64) -> CInt {
    let file = createFile(name.path, of: name)
    var code = file
    if file >= 0 {
      code = files.setLength(length, of: file)
      files.close(file)
    }
    if code >= 0 { code = createFile(name.metadataPath, of: name) }
    return code < 0 ? code : encoded.withUnsafeBytes { write($0, to: code, time: time) }
  }

  /// Creates a file of an entry, and its folder if necessary.
  private func createFile(_ path: String, of name: DiskEntryName) -> CInt {
    let file = files.createFile(path, in: folder.root)
    let code: CInt
    switch file {
    case -ENOENT: code = makeFolder(of: name)
    // The existing file belongs to no entry; otherwise, the index would contain it.
    case -EEXIST: code = files.remove(path, in: folder.root)
    default: return file
    }
    return code < 0 ? code : files.createFile(path, in: folder.root)
  }

  private func makeFolder(of name: DiskEntryName) -> CInt {
    let code = files.makeFolder(name.folder, in: folder.root)
    return code == -EEXIST ? 0 : code
  }

  // MARK: Replacing

  /// Replaces both files, the body first. If this process dies between the two steps, the next one finds staged
  /// metadata that matches the body, while the metadata in place does not, and finishes the replacement.
  private mutating func replace(
    _ name: DiskEntryName, with data: Data, _ encoded: [UInt8], time: Int64
  ) -> CInt {
    var code = data.withUnsafeBytes { stage($0, at: Self.stagedBody, time: nil) }
    if code >= 0 { code = stage(encoded, time: time) }
    if code >= 0 { code = takePlace(of: name.path, Self.stagedBody, spareLimit: spareLimit) }
    if code == -ENOENT {
      // The entry is new, or its folder was removed.
      code = makeFolder(of: name)
      if code >= 0 { code = takePlace(of: name.path, Self.stagedBody, spareLimit: spareLimit) }
    }
    if code >= 0 { code = takePlace(of: name.metadataPath, Self.stagedMetadata, spareLimit: Self.metadataSpareLimit) }
    if code < 0 { discardStaged() }
    return code
  }

  private func stage(_ encoded: [UInt8], time: Int64) -> CInt {
    encoded.withUnsafeBytes { stage($0, at: Self.stagedMetadata, time: time) }
  }

  private func stage(_ bytes: UnsafeRawBufferPointer, at path: String, time: Int64?) -> CInt {
    var file = openSpare(path, length: bytes.count) ?? files.createFile(path, in: folder.root)
    if file == -EEXIST {
      // Remove a spare that cannot be used.
      let code = files.remove(path, in: folder.root)
      file = code < 0 ? code : files.createFile(path, in: folder.root)
    }
    return file < 0 ? file : write(bytes, to: file, time: time)
  }

  /// Opens a spare file for overwriting.
  ///
  /// Returns `nil` if another program may still read the spare: one that opened, mapped or linked the file while it
  /// belonged to an entry must keep reading the same bytes. Metadata is read only by stores, which check the name in
  /// it.
  private func openSpare(_ path: String, length: Int) -> CInt? {
    guard spareLimit > 0 else { return nil }
    let file = files.openToChange(path, in: folder.root)
    guard file >= 0 else { return nil }
    if let status = files.status(of: file), status.isRegular,
      path == Self.stagedMetadata || status.linkCount == 1 && !files.isOpenElsewhere(file),
      status.length <= length || files.setLength(length, of: file) >= 0
    {
      return file
    }
    files.close(file)
    return nil
  }

  /// Replaces a file with a staged one. The replaced file becomes a spare, unless it is too large.
  private func takePlace(of path: String, _ staged: String, spareLimit: Int) -> CInt {
    if sparesAllowance > 0, let replaced = files.status(path, in: folder.root), replaced.isRegular,
      DiskIndex.allocation(replaced.length) <= spareLimit,
      files.exchange(staged, with: path, in: folder.root) >= 0
    {
      return 0
    }
    return files.rename(staged, to: path, in: folder.root)
  }

  /// Removes staged files and spares.
  mutating func discardStaged() {
    hasSpares = false
    for path in [Self.stagedMetadata, Self.stagedBody] {
      let code = files.remove(path, in: folder.root)
      if code < 0, code != -ENOENT { isUncertain = true }
    }
  }

  /// Removes spares that are too large for this store. Another store in the same folder may have a higher limit.
  func discardSpares(largerThan limit: Int) {
    for (path, limit) in [(Self.stagedBody, limit), (Self.stagedMetadata, limit == 0 ? 0 : Self.metadataSpareLimit)] {
      guard let spare = files.status(path, in: folder.root) else { continue }
      if limit == 0 || DiskIndex.allocation(spare.length) > limit { _ = files.remove(path, in: folder.root) }
    }
  }

  // MARK: Bytes

  /// Writes to a file and closes it.
  private func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, time: Int64?) -> CInt {
    defer { files.close(file) }
    let code = files.write(bytes, to: file)
    guard code >= 0 else { return code }
    if let time { _ = files.setTime(time, of: file) }
    return 0
  }
}
