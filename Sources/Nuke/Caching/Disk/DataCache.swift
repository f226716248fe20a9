public import Dispatch
public import Foundation
import NukeImaging

/// Data on the disk, the least recently used going first once there is no room.
///
/// ```swift
/// let cache = try DataCache(name: "com.example.images")
/// cache.storeData(data, for: "key")
/// let stored = cache.cachedData(for: "key")
/// ```
///
/// An empty key is ignored: nothing is stored under it, and nothing is found.
///
/// HTTP's `cache-control` plays no part here. A pipeline whose ``ImagePipeline/Configuration-swift.struct/freshnessPolicy``
/// asks for it keeps beside the data what it needs to know of its freshness. What is stored can be read back at once, from memory until it is written. Writing
/// is done on ``queue``; reading on the thread that asks. May be used from any thread; several instances, also in several
/// processes, may use one folder.
///
/// A file holds exactly the data that was stored, see ``url(for:)``; what else is known of it stands in a file beside it,
/// whose name begins with a dot. Data that is found damaged is a miss and is removed. A process that is killed loses at
/// most what was not written by then, see ``flush()``. A disk that is full or fails makes for misses, never for errors.
///
/// A pipeline also keeps the beginnings of bodies here whose downloads are under way or broke off, so that the next
/// download, also one by a later process, goes on from there. They share the limit and go with ``removeAll()``; none of
/// the calls below gives or counts them, apart from ``totalAllocatedSize``.
public final class DataCache: DataCaching {
  /// Gives the name of the file of a key, or `nil` if data for it is not to be stored.
  ///
  /// A name may have 254 bytes at most, none of them a slash, and begins with no dot; otherwise nothing is stored. Keys
  /// that are given the same name take each other's place.
  public typealias FilenameGenerator = @Sendable (_ key: String) -> String?

  /// Why there is no cache. The program goes on without one.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// Neither `XDG_CACHE_HOME` nor `HOME` names a folder.
    case noCacheFolder
    /// The name is empty, or leads out of the folder of caches.
    case invalidName(String)
    /// The folder can be neither made nor written to.
    case folderNotUsable(path: String, reason: String)

    public var description: String {
      switch self {
      case .noCacheFolder: "There is no folder for caches: set XDG_CACHE_HOME or HOME."
      case .invalidName(let name): "A cache cannot be named \"\(name)\"."
      case .folderNotUsable(let path, let reason): "The cache cannot use the folder \(path): \(reason)."
      }
    }
  }

  struct State: ~Copyable {
    var staged: StagedWrites
    /// `true` if a writer is on the queue.
    var isWriting = false
    /// `true` if a writer is scheduled to run after a delay.
    var isWritingAwaited = false
    /// `true` if nothing was there of what was last to be stored.
    var isFailing = false
    var isSweepAwaited = false
    var isSweepEnabled = true
    var sweepInterval: TimeInterval = 30
    var leaseTimeout: TimeInterval = 30
  }

  /// The folder of the cache.
  public let path: URL

  /// The queue on which data is written. Suspending it suspends writing; reading is not affected.
  public let queue = DispatchQueue(label: "nuke.DataCache", qos: .utility)

  let store: DiskStore
  let state: Lock<State>
  let queueKey = DispatchSpecificKey<Void>()

  /// A cache in the folder `name` in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  ///
  /// - Parameters:
  ///   - name: such as `com.example.images`.
  ///   - filenameGenerator: names the files; ``filename(for:)-swift.type.method`` by default.
  public convenience init(
    name: String, filenameGenerator: FilenameGenerator? = nil
  ) throws(Error) {
    try self.init(
      name: name, environment: ProcessInfo.processInfo.environment, filenameGenerator: filenameGenerator)
  }

  /// The same with the environment handed in.
  package convenience init(
    name: String, environment: [String: String], filenameGenerator: FilenameGenerator? = nil
  ) throws(Error) {
    try self.init(path: CacheFolder.url(named: name, environment: environment), filenameGenerator: filenameGenerator)
  }

  /// A cache in a folder, which is made if there is none, readable to its owner alone.
  ///
  /// - Parameters:
  ///   - path: the URL of the folder.
  ///   - filenameGenerator: names the files; ``filename(for:)-swift.type.method`` by default.
  public convenience init(
    path: URL, filenameGenerator: FilenameGenerator? = nil
  ) throws(Error) {
    var options = DiskStore.Options()
    options.filename = filenameGenerator
    try self.init(path: path, options: options)
  }

  /// A cache with what it stands on handed in.
  ///
  /// - Parameter stagingLimit: bytes that may wait to be written.
  package init(path: URL, options: DiskStore.Options, stagingLimit: Int = 32 << 20) throws(Error) {
    store = try DiskStore(url: path, options: options)
    self.path = path
    state = Lock(State(staged: StagedWrites(byteLimit: stagingLimit)))
    queue.setSpecific(key: queueKey, value: ())
    // So that the first look-ups find an index.
    queue.async { [store] in store.prepare() }
  }

  /// Bytes that all files of the cache may take, each rounded up to 4 KiB; 150 MB by default.
  ///
  /// A sixty-fourth of it, at most 1 MiB, is kept free for replacing data. The limit holds at every write. Lowering it
  /// takes effect with the next write or ``sweep()``.
  public var sizeLimit: Int {
    get { store.sizeLimit }
    set { store.sizeLimit = newValue }
  }

  /// Seconds after a use until the cache tidies up by itself; 30 by default. See ``sweep()``.
  public var sweepInterval: TimeInterval {
    get { state.withLock { $0.sweepInterval } }
    set { state.withLock { $0.sweepInterval = newValue } }
  }

  /// A Boolean value that indicates whether the cache tidies up by itself; true by default. ``sizeLimit`` holds in
  /// either case.
  public var isSweepEnabled: Bool {
    get { state.withLock { $0.isSweepEnabled } }
    set { state.withLock { $0.isSweepEnabled = newValue } }
  }

  /// Seconds that a load waits at most for another process, or another pipeline, that is at the same work; 30 by
  /// default, 0 for loads that ask nobody.
  ///
  /// Of several processes that want the same at the same time one downloads it, or makes the processed image, and the
  /// others find it in the cache: see <doc:Caching>. Where that one dies another takes over at once. Where it is only
  /// stopped, or slow, the others go on by themselves after this time.
  public var leaseTimeout: TimeInterval {
    get { state.withLock { $0.leaseTimeout } }
    set { state.withLock { $0.leaseTimeout = newValue } }
  }

  // MARK: Data

  /// The data stored for `key`, read on the calling thread; `nil` if there is none, or none that is whole.
  public func cachedData(for key: String) -> Data? {
    if key.isEmpty { return nil }
    awaitSweep()
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, _): return data
    case .removed: return nil
    case .none: return store.data(for: key)
    }
  }

  /// Returns `true` if data is stored for `key`. The data itself is not looked at.
  public func containsData(for key: String) -> Bool {
    if key.isEmpty { return false }
    return switch state.withLock({ $0.staged[key] }) {
    case .data: true
    case .removed: false
    case .none: store.contains(key)
    }
  }

  /// Stores data and returns at once; it can be read back at once.
  ///
  /// It is written within a tenth of a second, together with what else is stored by then; see ``flush()``.
  ///
  /// Where the disk is so slow that more than 32 MiB wait to be written, the data is dropped instead, and nothing is
  /// stored for `key` any more.
  public func storeData(_ data: Data, for key: String) {
    if key.isEmpty { return }
    change(isUrgent: false) { _ = $0.store(data, for: key) }
  }

  /// Removes the data stored for `key`. Returns at once.
  public func removeData(for key: String) {
    if key.isEmpty { return }
    change { $0.remove(key) }
  }

  /// Removes all data. Returns at once.
  public func removeAll() { change { $0.removeAll() } }

  /// The data stored for `key`. Setting stores it, `nil` removes it.
  public subscript(key: String) -> Data? {
    get { cachedData(for: key) }
    set {
      if let newValue {
        storeData(newValue, for: key)
      } else {
        removeData(for: key)
      }
    }
  }

  /// Returns what ``cachedData(for:)`` would find. The look-up does not count as a use, and removes nothing.
  package func peek(_ key: String) -> DiskPeek {
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, _): .whole(data)
    case .removed: .absent
    case .none: store.peek(key)
    }
  }

  // MARK: Files

  /// The name that the file of `key` has unless a generator is given: its SHA-1 in forty hexadecimal digits.
  public static func filename(for key: String) -> String? { DiskEntryName(hashing: key).text }

  /// The name of the file of `key`; `nil` if the generator gives none that a file can have.
  public func filename(for key: String) -> String? { store.filename(for: key) }

  /// The file of `key`, whether there is one or not; `nil` for an empty key. It holds exactly the data that was stored,
  /// once it was written; see ``flush(for:)``. It may be read, and is evicted when there is no more room. A program
  /// that has the file open or mapped keeps reading the same bytes when other data is stored for the key.
  public func url(for key: String) -> URL? {
    if key.isEmpty { return nil }
    return store.relativePath(for: key).map { path.appendingPathComponent($0, isDirectory: false) }
  }

  // MARK: Totals

  /// Files of data on the disk, and one for each URL whose freshness is known. What waits to be written is not counted.
  public var totalCount: Int { store.totals.count }
  /// Bytes of data on the disk.
  public var totalSize: Int { store.totals.length }
  /// Bytes that the data takes on the disk together with what is kept beside it, in blocks of 4 KiB, with the room that
  /// is kept for bodies that are still coming.
  public var totalAllocatedSize: Int { store.totals.allocated }
}

extension DataCache: DataLeasing {
  /// Asks for the right to do the work whose result is stored for `key`, of all clients that share the folder.
  public func lease(for key: String) -> DataLeaseAttempt { store.lease(for: key) }

  /// The loads of this process that wait for others.
  package var waitingLoads: Int { store.leases.waitingCount }
}
