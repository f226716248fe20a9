package import Foundation
import NukeImaging

/// A store of entries in files: the bytes of each as they are, its metadata beside it.
///
/// The one store under ``DataCache`` and the HTTP cache. A value that replaces another is written to a file of its own,
/// which then takes its place in one step, so that a process that is killed at any moment leaves the old entry or the new
/// one. Several stores, in one process or many, may share a folder: whoever changes it holds one file lock, and tells the
/// others through a ``DiskJournal``. Reading takes no file lock. The limit holds at every moment, counted in blocks of
/// 4 KiB, with what is being written; the folders themselves and the journal (up to 260 KiB) are not counted.
///
/// The store also keeps partial bodies that are still arriving, see ``DiskPart``. They share the limit, and look-ups of
/// entries do not find them.
///
/// All calls do their work on the calling thread and may come from any. Failures of the disk are misses.
package final class DiskStore: Sendable {
  package struct Options: Sendable {
    /// The maximum size of all files of entries, in bytes.
    package var sizeLimit = 150 * 1024 * 1024
    /// The bytes of the volume to keep free; `nil` for a hundredth of it, at most 256 MiB.
    package var freeSpaceReserve: Int?
    /// `true` if an entry is written to the device before it counts as stored. Otherwise an entry that was not written
    /// when the machine lost power is found damaged, and is a miss.
    package var isSynchronizing = false
    /// The maximum number of open partial bodies, each of which takes a file descriptor. Further bodies are not written
    /// before they are whole.
    package var openPartLimit = 16
    /// The name of a key's file; `nil` for the key's SHA-1 in hexadecimal digits.
    package var filename: (@Sendable (String) -> String?)?
    /// Nanoseconds since 1970.
    package var now: @Sendable () -> Int64 = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    package var files: any DiskFileSystem = SystemFileSystem()
    /// Nanoseconds that never go back, by which ``DiskLeases`` waits.
    package var leaseClock: @Sendable () -> UInt64 = { Clock.now }
    package var leaseTimer = DiskLeases.systemTimer

    package init() {}
  }

  /// The reason why a folder cannot be used.
  package struct OpeningFailure: Error {
    package let path: String
    package let code: CInt
  }

  let path: String
  let options: Options
  let index: StoreIndex
  /// The number of partial bodies that this store has open.
  private let openParts = Lock(0)
  /// Excludes the other threads of this process, which the file lock does not.
  let writer = Lock(())
  package let leases: DiskLeases

  var files: any DiskFileSystem { options.files }

  /// Opens the store in the folder at `path`, which is created for its owner alone if it does not exist. Does not look
  /// through it yet; see ``prepare()``.
  package init(path: String, options: Options = Options()) throws(OpeningFailure) {
    self.path = path
    self.options = options
    let folder = try StoreFolder(path: path, files: options.files, now: options.now)
    index = StoreIndex(folder, sizeLimit: options.sizeLimit, now: options.now)
    leases = DiskLeases(files: options.files, clock: options.leaseClock, timer: options.leaseTimer)
  }

  /// Opens the store in the folder at a file URL.
  convenience init(url: URL, options: Options) throws(DataCache.Error) {
    guard url.isFileURL else {
      throw .folderNotUsable(path: url.absoluteString, reason: "it is not the URL of a file")
    }
    do {
      try self.init(path: url.standardizedFileURL.path, options: options)
    } catch {
      throw .folderNotUsable(path: error.path, reason: String(cString: strerror(error.code)))
    }
  }

  /// The maximum size of all files of entries, in bytes. Lowering it removes nothing until the next write or
  /// ``sweep()``.
  package var sizeLimit: Int {
    get { index.sizeLimit }
    set { index.sizeLimit = newValue }
  }

  /// The prefix of the keys under which the cache itself stores something beside the program's entries.
  static let reservedPrefix = "\u{0}"

  /// Returns the name of the file of `key`; `nil` if the program's generator returns none, or one that no file can have.
  package func filename(for key: String) -> String? { name(for: key)?.text }

  /// Returns the path of that file, relative to the store's folder.
  package func relativePath(for key: String) -> String? { name(for: key)?.path }

  func name(for key: String) -> DiskEntryName? {
    // For a key that is not the program's, its generator might return the name of another entry.
    guard let filename = options.filename, !key.hasPrefix(Self.reservedPrefix) else {
      return DiskEntryName(hashing: key)
    }
    guard let name = filename(key).flatMap({ DiskEntryName($0) }), !name.isPart else { return nil }
    return name
  }

  /// The number of entries, the bytes of their bodies, and the bytes that their files take. Partial bodies count in the
  /// last only.
  package struct Totals: Equatable, Sendable {
    package var count = 0
    package var length = 0
    package var allocated = 0
  }

  package var totals: Totals {
    index.latestTotals ?? transaction(patience: .writing) { _ in index.totals } ?? Totals()
  }

  /// Looks through the folder, so that later calls need not do so.
  package func prepare() { transaction(patience: .writing) { _ in } }

  /// Counts a partial body that is about to be opened. Returns `false` if too many are open.
  func takePartSlot() -> Bool {
    openParts.withLock { count in
      guard count < options.openPartLimit else { return false }
      count += 1
      return true
    }
  }

  func releasePartSlot() { openParts.withLock { $0 -= 1 } }

  // MARK: Changing

  /// One change of the store.
  package enum Change: Sendable {
    case store(Data, DiskMetadata)
    /// Removes the entry of the key.
    case remove(String)
    case removeAll
  }

  /// Applies the changes in order, all under one lock.
  ///
  /// An entry that cannot be stored, because there is no room or the disk fails, becomes a miss, as does what was stored
  /// for its key before.
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
          if options.filename != nil, case .whole(let found) = transaction.folder.metadata(name),
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

  /// Changes the attributes of the entry of `key`, as after a successful validation. The bytes stay as they are.
  ///
  /// - Parameter known: the attributes that the entry must have, so that another body that was stored meanwhile is left
  ///   alone; `nil` for any.
  /// - Returns: `true` if there was such an entry and it now has the attributes.
  @discardableResult
  package func setAttributes(_ attributes: [UInt8], for key: String, replacing known: [UInt8]? = nil) -> Bool {
    guard let name = name(for: key) else { return false }
    return transaction(patience: .writing) { $0.setAttributes(attributes, replacing: known, key: key, name) } ?? false
  }

  /// Evicts what exceeds the limit, and writes the times of use to the files, where other processes and later runs find
  /// them.
  package func sweep() {
    transaction(patience: .writing) { transaction in
      transaction.writeTimes()
      transaction.makeRoom(for: 0, sparing: nil)
    }
  }
}

extension DiskStore.Totals {
  init(_ index: borrowing DiskIndex) {
    self.init(
      count: index.count - index.parts.count, length: index.totalLength - index.parts.length,
      allocated: index.totalAllocated)
  }
}
