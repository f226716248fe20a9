package import Foundation
import NukeBase
import Synchronization

/// A store of entries in files. Each entry has a body file, which contains exactly the data, and a metadata file.
///
/// ``DataCache`` and the HTTP cache use this store. A new value is written to a separate file, which then replaces the
/// old one atomically. A process that is killed at any moment leaves either the old entry or the new one.
///
/// Several stores, in one process or many, can share a folder. Changes take place under a file lock and are announced
/// through a ``DiskJournal``. Reading takes no file lock. The size limit holds at every moment. It counts blocks of 4
/// KiB, including files that are being written, but not the 256 folders and the journal (up to 1.3 MiB).
///
/// The store also contains partial bodies of running downloads, see ``DiskPart``. They count towards the limit, and
/// look-ups of entries do not find them.
///
/// All calls work on the calling thread and may come from any thread. Disk errors count as misses.
package final class DiskStore: Sendable {
  package struct Options: Sendable {
    /// The maximum size of all files of entries, in bytes.
    package var sizeLimit = 150 * 1024 * 1024
    /// The disk space of the volume to keep free, in bytes. The default, `nil`, is a hundredth of the volume, at most
    /// 256 MiB.
    package var freeSpaceReserve: Int?
    /// The maximum number of open partial bodies, each of which needs a file descriptor. Further bodies are written
    /// only when they are complete.
    package var openPartLimit = 16
    /// Returns the name of a key's file. The default, `nil`, is the key's SHA-1 in hexadecimal digits.
    package var filename: (@Sendable (String) -> String?)?
    /// Returns the current time in nanoseconds since 1970.
    package var now: @Sendable () -> Int64 = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    package var files: any DiskFileSystem = SystemFileSystem()
    /// The monotonic clock, in nanoseconds.
    package var clock: @Sendable () -> UInt64 = { MonotonicClock.now }
    package var leaseTimer = DiskLeases.systemTimer
    /// The timer of ``DiskReads`` and of an HTTP cache's backlogs.
    package var diskTimer = DiskLeases.systemTimer

    package init() {}
  }

  /// The reason why a folder cannot be used.
  package struct OpeningFailure: Error {
    package let path: String
    package let code: CInt
  }

  let path: String
  package let options: Options
  let index: StoreIndex
  /// The number of partial bodies that this store has open.
  private let openParts = Lock(0)
  /// Excludes other threads of this process, which the file lock does not.
  let writer = Lock(())
  package let leases: DiskLeases
  /// See ``maximumAge``.
  let maximumAgeInNanoseconds = Atomic<Int64>(DiskStore.unlimitedAge)

  var files: any DiskFileSystem { options.files }

  /// Opens the store in the folder at `path`. The folder is created if it does not exist, accessible only to its owner.
  /// Does not scan the folder yet; see ``prepare()``.
  package init(path: String, options: Options = Options()) throws(OpeningFailure) {
    self.path = path
    self.options = options
    let folder = try StoreFolder(path: path, files: options.files, now: options.now)
    index = StoreIndex(folder, sizeLimit: options.sizeLimit, now: options.now)
    leases = DiskLeases(files: options.files, clock: options.clock, timer: options.leaseTimer)
  }

  /// Opens the store in the folder at a file URL.
  package convenience init(url: URL, options: Options) throws(DataCache.Error) {
    guard url.isFileURL else {
      throw .folderNotUsable(path: url.absoluteString, reason: "it is not a file URL")
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

  /// The prefix of the keys that the cache itself uses in addition to the program's keys.
  package static let reservedPrefix = "\u{0}"

  /// Returns the name of the file of `key`; `nil` if the program's generator returns none, or an invalid file name.
  package func filename(for key: String) -> String? { name(for: key)?.text }

  /// Returns the path of the file of `key`, relative to the store's folder.
  package func relativePath(for key: String) -> String? { name(for: key)?.path }

  func name(for key: String) -> DiskEntryName? {
    // The program's generator might return the name of another entry for an internal key.
    guard let filename = options.filename, !key.hasPrefix(Self.reservedPrefix) else {
      return DiskEntryName(hashing: key)
    }
    guard let name = filename(key).flatMap({ DiskEntryName($0) }), !name.isPart else { return nil }
    return name
  }

  /// The number of entries, the size of their bodies, and the disk space of their files. Partial bodies count only
  /// towards the disk space.
  package struct Totals: Equatable, Sendable {
    package var count = 0
    package var length = 0
    package var allocated = 0

    package init(count: Int = 0, length: Int = 0, allocated: Int = 0) {
      (self.count, self.length, self.allocated) = (count, length, allocated)
    }
  }

  package var totals: Totals {
    index.latestTotals ?? transaction(patience: .writing) { _ in index.totals } ?? Totals()
  }

  /// Scans the folder, so that later calls do not have to.
  package func prepare() { transaction(patience: .writing) { _ in } }

  /// Reserves a slot for an open partial body. Returns `false` if too many are open.
  func takePartSlot() -> Bool {
    openParts.withLock { count in
      guard count < options.openPartLimit else { return false }
      count += 1
      return true
    }
  }

  func releasePartSlot() { openParts.withLock { $0 -= 1 } }

  // MARK: Changing

  /// A change of the store.
  package enum Change: Sendable {
    case store(Data, DiskMetadata)
    /// Removes the entry of a key.
    case remove(String)
  }

  /// Applies the changes in order, under one lock.
  ///
  /// If an entry cannot be stored, because there is no space or the disk fails, the existing entry with its key is
  /// removed.
  ///
  /// - Returns: `false` if the store could not be locked. Nothing has changed then.
  @discardableResult
  package func apply(_ changes: [Change]) -> Bool {
    // The limit may have been lowered.
    let (allocated, limit, _) = index.room(sparing: nil)
    if allocated > limit { evictExcess() }
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
          // A spare file may contain older data of a removed entry.
          transaction.discardStaged()
        }
      }
    }
    return done != nil
  }

  /// Stores `data` under the key in `metadata`. The length and the checksum of the metadata are set here.
  package func store(_ data: Data, _ metadata: DiskMetadata) { apply([.store(data, metadata)]) }

  package func remove(_ key: String) { apply([.remove(key)]) }

  /// Removes everything, in several transactions, so that others do not wait for all of it.
  ///
  /// - Returns: `false` if the store could not be locked. Some entries are left then.
  @discardableResult
  package func removeAll() -> Bool {
    guard var names = transaction(patience: .writing, { _ in index.names }) else { return false }
    if names.isEmpty { return true }
    names.reverse()
    return inSlices { $0.remove(&names, until: $1) }
  }

  /// The time for which the store is locked to change many entries, in nanoseconds.
  private static let slice: UInt64 = 25_000_000

  /// Runs `body` in one transaction after another until it returns `false`. It gets the time at which to return.
  ///
  /// - Returns: `false` if the store could not be locked.
  @discardableResult
  func inSlices(_ body: (inout Transaction, UInt64) -> Bool) -> Bool {
    while true {
      let isUnfinished = transaction(patience: .writing) { body(&$0, options.clock() + Self.slice) }
      guard isUnfinished == true else { return isUnfinished != nil }
    }
  }

  private func evictExcess() { inSlices { $0.evictExcess(until: $1) } }

  /// Changes the attributes of the entry of `key`, for example after a validation. The data stays unchanged.
  ///
  /// - Parameter known: the attributes that the entry must have, so that a body that was stored in the meantime is not
  ///   changed; `nil` for any.
  /// - Returns: `true` if the entry exists and now has the attributes.
  @discardableResult
  package func setAttributes(_ attributes: [UInt8], for key: String, replacing known: [UInt8]? = nil) -> Bool {
    guard let name = name(for: key) else { return false }
    return transaction(patience: .writing) { $0.setAttributes(attributes, replacing: known, key: key, name) } ?? false
  }

  /// Removes expired entries, evicts entries above the limit, and writes the times of use to the files, for other
  /// processes and later runs.
  package func sweep() {
    removeExpired()
    var touched = transaction(patience: .writing) { _ in index.takeTouched() } ?? []
    if !touched.isEmpty { inSlices { $0.writeTimes(&touched, until: $1) } }
    evictExcess()
    transaction(patience: .writing) { $0.makeRoom(for: 0, sparing: nil) }
  }
}

extension DiskStore.Totals {
  init(_ index: borrowing DiskIndex) {
    self.init(
      count: index.count - index.parts.count, length: index.totalLength - index.parts.length,
      allocated: index.totalAllocated)
  }
}
