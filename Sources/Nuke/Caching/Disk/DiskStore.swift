import NukeImaging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Entries in files: the bytes of each as they are, its metadata beside it.
///
/// The one store under ``DataCache`` and the HTTP cache. A value that replaces another is written to a file of its own,
/// which then takes its place in one step, so that a process that is killed at any moment leaves the old entry or the new
/// one. Several stores,
/// in one process or many, may share a folder: whoever changes it holds one file lock, and tells the others through a
/// ``DiskJournal``. Reading takes no file lock. The limit holds at every moment, counted in blocks of 4 KiB, with what is
/// being written; the folders themselves and the journal (up to 260 KiB) are not counted.
///
/// Beside entries the store keeps beginnings of bodies that are still coming, see ``DiskPart``. They share the limit, and
/// are found by nobody who asks for entries.
///
/// All calls do their work on the calling thread and may come from any. Failures of the disk are misses.
package final class DiskStore: Sendable {
  package struct Options: Sendable {
    /// Bytes that all files of entries may take.
    package var sizeLimit = 150 * 1024 * 1024
    /// Bytes of the volume that are left to others; `nil` for a hundredth of it, at most 256 MiB.
    package var freeSpaceReserve: Int?
    /// `true` if an entry is brought to the device before it counts as stored. Otherwise what was not written by the
    /// time the machine loses power is found damaged, and is a miss.
    package var isSynchronizing = false
    /// Parts that may be open at a time, each of which takes a file descriptor; what comes beyond them is not written
    /// before it is whole.
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

  /// Why a folder cannot be used.
  package struct OpeningFailure: Error {
    package let path: String
    package let code: CInt
  }

  /// A folder with its journal, open.
  final class Folder: Sendable {
    let root: CInt
    let journal: DiskJournal
    private let files: any DiskFileSystem

    init(path: String, files: any DiskFileSystem) throws(OpeningFailure) {
      self.files = files
      try Self.make(path, files)
      let root = files.openFolder(path)
      guard root >= 0 else { throw OpeningFailure(path: path, code: -root) }
      let file = files.openShared(DiskJournal.fileName, in: root)
      guard file >= 0 else {
        files.close(root)
        throw OpeningFailure(path: path, code: -file)
      }
      self.root = root
      journal = DiskJournal(file: file, files: files)
    }

    deinit { files.close(root) }

    /// Makes the folder and those above it.
    private static func make(_ path: String, _ files: any DiskFileSystem) throws(OpeningFailure) {
      let code = files.makeFolder(path, in: AT_FDCWD)
      if code >= 0 || code == -EEXIST { return }
      let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
      guard code == -ENOENT, !parent.isEmpty else { throw OpeningFailure(path: path, code: -code) }
      try make(String(parent), files)
      let again = files.makeFolder(path, in: AT_FDCWD)
      guard again >= 0 || again == -EEXIST else { throw OpeningFailure(path: path, code: -again) }
    }
  }

  struct State: ~Copyable {
    var folder: Folder
    var index = DiskIndex()
    /// `true` if ``index`` held all entries when the journal counted ``sequence`` changes.
    var isComplete = false
    var sequence: UInt64 = 0
    var sizeLimit: Int
    /// The last time that was given out. No two are equal, so that files tell the order of use.
    var time: Int64 = 0
    /// Parts that this store has open, each of which takes a file descriptor.
    var openParts = 0
  }

  /// The state of an entry as the index knows it, without reading its files.
  enum EntryState {
    case present(DiskIndex.Entry)
    case absent
    /// Files have changed, or have not been looked through yet.
    case unknown
  }

  let path: String
  let options: Options
  let state: Lock<State>
  /// Keeps the threads of this process apart, which the file lock does not.
  let writer = Lock(())
  package let leases: DiskLeases

  var files: any DiskFileSystem { options.files }

  /// Opens the store in the folder at `path`, which is made if there is none, for its owner alone. Does not look through
  /// it yet; see ``prepare()``.
  package init(path: String, options: Options = Options()) throws(OpeningFailure) {
    self.path = path
    self.options = options
    let folder = try Folder(path: path, files: options.files)
    state = Lock(State(folder: folder, sizeLimit: options.sizeLimit))
    leases = DiskLeases(files: options.files, clock: options.leaseClock, timer: options.leaseTimer)
  }

  /// Bytes that all files of entries may take. Lowering it removes nothing until the next write or ``sweep()``.
  package var sizeLimit: Int {
    get { state.withLock { $0.sizeLimit } }
    set { state.withLock { $0.sizeLimit = newValue } }
  }

  /// Keys that begin with this name what is kept beside what the program stores.
  static let reservedPrefix = "\u{0}"

  /// The name of the file of `key`; `nil` if the program's generator gives none, or one that no file can have.
  package func filename(for key: String) -> String? { name(for: key)?.text }

  /// The path of that file from the store's folder.
  package func relativePath(for key: String) -> String? { name(for: key)?.path }

  func name(for key: String) -> DiskEntryName? {
    // What the program's generator makes of keys that are not the program's might take the place of something else.
    guard let filename = options.filename, !key.hasPrefix(Self.reservedPrefix) else {
      return DiskEntryName(hashing: key)
    }
    guard let name = filename(key).flatMap({ DiskEntryName($0) }), !name.isPart else { return nil }
    return name
  }

  /// Returns the state of an entry after reading the changes of other processes.
  ///
  /// - Parameter isUse: whether the entry counts as used now.
  func standing(_ name: DiskEntryName, isUse: Bool) -> (EntryState, Folder) {
    state.withLock { state in
      guard state.catchUp() else { return (.unknown, state.folder) }
      let entry: DiskIndex.Entry?
      if isUse {
        let time = state.nextTime(options)
        entry = state.index.use(name, at: time)
      } else {
        entry = state.index[name]
      }
      return (entry.map { .present($0) } ?? .absent, state.folder)
    }
  }

  /// Entries, bytes of their bodies, and bytes that their files take. Parts count in the last alone.
  package struct Totals: Equatable, Sendable {
    package var count = 0
    package var length = 0
    package var allocated = 0
  }

  package var totals: Totals {
    let known: Totals? = state.withLock { state in
      state.catchUp() ? Totals(state.index) : nil
    }
    if let known { return known }
    return transaction(patience: .writing) { _ in state.withLock { Totals($0.index) } } ?? Totals()
  }

  /// Looks through the folder, so that later calls need not.
  package func prepare() { transaction(patience: .writing) { _ in } }
}

extension DiskStore.Totals {
  init(_ index: borrowing DiskIndex) {
    self.init(
      count: index.count - index.parts.count, length: index.totalLength - index.parts.length,
      allocated: index.totalAllocated)
  }
}

extension DiskStore.State {
  /// Takes over what other processes have changed; `false` if the folder is to be looked through.
  mutating func catchUp() -> Bool {
    guard isComplete else { return false }
    guard let current = folder.journal.sequence else { return false }
    if current == sequence { return true }
    guard let changes = folder.journal.changes(from: sequence, to: current) else {
      isComplete = false
      return false
    }
    for change in changes {
      switch change {
      case .stored(let name, let length, let allocated, let lastUsed):
        guard let name = DiskEntryName(name) else { continue }
        index.insert(name, length: length, allocated: allocated, lastUsed: lastUsed)
      case .removed(let name): DiskEntryName(name).map { _ = index.remove($0) }
      case .removedAll: index.removeAll()
      }
    }
    sequence = current
    return true
  }

  /// Now, or later than any time before.
  mutating func nextTime(_ options: DiskStore.Options) -> Int64 {
    time = max(time + 1, options.now())
    return time
  }
}
