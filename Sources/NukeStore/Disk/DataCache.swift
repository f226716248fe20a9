public import Dispatch
public import Foundation
package import NukeBase

/// A cache of data on disk that evicts the least recently used entries when there is no more room.
///
/// ```swift
/// let cache = try DataCache(name: "com.example.images")
/// cache.storeData(data, for: "key")
/// let stored = cache.cachedData(for: "key")
/// ```
///
/// An empty key is ignored: nothing is stored or found under it.
///
/// HTTP's `cache-control` does not apply here. A pipeline with a
/// ``ImagePipeline/Configuration-swift.struct/freshnessPolicy`` stores the freshness of the data beside it. Stored data
/// can be read back at once, from memory until it is written. Data is written on ``queue`` and read on the calling
/// thread. The cache can be used from any thread. Several instances, also in several processes, can use one folder.
///
/// A file contains exactly the data that was stored, see ``url(for:)``. Its metadata is in a file beside it, whose name
/// begins with a dot. Damaged data counts as a miss and is removed. If a process is killed, only data that was not
/// written yet is lost; see ``flush()``. If the disk is full or fails, look-ups count as misses, and no error is
/// reported. The folder of a cache that is not writable, as on read-only media, is read: data is found there, and what is
/// stored is dropped.
///
/// A pipeline also stores the partial bodies of its downloads here, so that the next download, also by a later process,
/// resumes them. They share the limit, and ``removeAll()`` removes them. The other methods neither return nor count
/// them, except for ``totalAllocatedSize``.
public final class DataCache: DataCaching {
  /// Returns the name of the file of a key, or `nil` if data for it is not to be stored.
  ///
  /// A name can have 254 bytes at most, contains no slash, and does not begin with a dot; otherwise nothing is stored.
  /// Keys with the same name replace each other.
  public typealias FilenameGenerator = @Sendable (_ key: String) -> String?

  /// The reason why there is no cache. The program continues without one.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// Neither `XDG_CACHE_HOME` nor `HOME` names a folder.
    case noCacheFolder
    /// The name is empty, or leads out of the cache folder.
    case invalidName(String)
    /// The folder cannot be created or opened, or it is not writable and there is no cache in it.
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
    /// `true` if a writer is in the queue.
    var isWriting = false
    /// `true` if a writer is scheduled to run after a delay.
    var isWritingAwaited = false
    /// `true` if nothing of the last batch could be stored.
    var isFailing = false
    var droppedCount = 0
    var isSweepAwaited = false
    var isSweepEnabled = true
    var sweepInterval: TimeInterval = 30
    var leaseTimeout: TimeInterval = 30
  }

  /// The folder of the cache.
  public let path: URL

  /// The queue on which data is written. Suspending it suspends writing; reading is not affected.
  public let queue = DispatchQueue(label: "nuke.DataCache", qos: .utility)

  package let store: DiskStore
  let state: Lock<State>
  let warnings: Warnings
  let queueKey = DispatchSpecificKey<Void>()

  /// Creates a cache in the folder `name` in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
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

  /// Creates a cache in the folder that an environment names.
  package convenience init(
    name: String, environment: [String: String], filenameGenerator: FilenameGenerator? = nil
  ) throws(Error) {
    try self.init(path: CacheFolder.url(named: name, environment: environment), filenameGenerator: filenameGenerator)
  }

  /// Creates a cache in a folder. The folder is created if it does not exist, readable only by its owner. If it is not
  /// writable, the data in it can be read.
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

  /// Creates a cache with its dependencies.
  ///
  /// - Parameters:
  ///   - stagingLimit: the maximum number of bytes that wait to be written.
  ///   - warnings: gets a warning when data is dropped.
  package init(
    path: URL, options: DiskStore.Options, stagingLimit: Int = 32 << 20, warnings: Warnings = .standardError
  ) throws(Error) {
    self.warnings = warnings
    store = try DiskStore(url: path, options: options)
    self.path = path
    state = Lock(State(staged: StagedWrites(byteLimit: stagingLimit)))
    queue.setSpecific(key: queueKey, value: ())
    // Builds the index before the first look-ups.
    queue.async { [store] in store.prepare() }
  }

  /// The maximum size of all files in bytes, each rounded up to 4 KiB. The default is 150 MiB. The 256 folders of the
  /// files and the journal are not counted; they take up to 1.3 MiB.
  ///
  /// A sixty-fourth of it, at most 1 MiB, is kept free for replacing data. The limit holds at every write. Lowering it
  /// takes effect with the next write or ``sweep()``.
  public var sizeLimit: Int {
    get { store.sizeLimit }
    set { store.sizeLimit = newValue }
  }

  /// The maximum age of data, in seconds since it was stored. The default is `nil`: data does not expire.
  ///
  /// Older data counts as a miss, and the next sweep removes it; see ``sweep()``. Until then, it counts in
  /// ``totalCount``, ``totalSize`` and ``totalAllocatedSize``. Reading data does not extend its life, and storing it
  /// again does. Each instance has its own maximum. Instances that share a folder, also in other processes, agree about
  /// the age, and a sweep of any of them removes what is older than its own maximum.
  ///
  /// It applies in addition to HTTP freshness and independently of it: see <doc:CachingAndFreshness>. An infinite value
  /// counts as `nil`, and a negative one as 0.
  public var maximumAge: TimeInterval? {
    get { store.maximumAge }
    set { store.maximumAge = newValue }
  }

  /// The number of seconds after a use until the cache sweeps by itself. The default is 30. See ``sweep()``.
  public var sweepInterval: TimeInterval {
    get { state.withLock { $0.sweepInterval } }
    set { state.withLock { $0.sweepInterval = newValue } }
  }

  /// A Boolean value that indicates whether the cache sweeps by itself. The default is `true`. ``sizeLimit`` holds in
  /// either case.
  public var isSweepEnabled: Bool {
    get { state.withLock { $0.isSweepEnabled } }
    set { state.withLock { $0.isSweepEnabled = newValue } }
  }

  /// The maximum number of seconds that a load waits for another process or pipeline that does the same work. The
  /// default is 30; with 0, loads do not wait.
  ///
  /// If several processes need the same data or the same processed image at the same time, one of them produces it, and
  /// the others find it in the cache; see <doc:Caching>. If that process dies, another takes over at once. If it is
  /// only stopped or slow, the others continue without it after this time.
  public var leaseTimeout: TimeInterval {
    get { state.withLock { $0.leaseTimeout } }
    set { state.withLock { $0.leaseTimeout = newValue } }
  }

  // MARK: Data

  /// Returns the data stored for `key`, read on the calling thread; `nil` if there is none, or it is damaged.
  public func cachedData(for key: String) -> Data? {
    if key.isEmpty { return nil }
    awaitSweep()
    switch state.withLock({ $0.staged[key] }) {
    case .data(let data, _): return data
    case .removed: return nil
    case .none: return store.data(for: key)
    }
  }

  /// Returns `true` if data is stored for `key`, without reading it.
  public func containsData(for key: String) -> Bool {
    if key.isEmpty { return false }
    return switch state.withLock({ $0.staged[key] }) {
    case .data: true
    case .removed: false
    case .none: store.contains(key)
    }
  }

  /// Stores data. Returns at once, and the data can be read back at once.
  ///
  /// The data is written within a tenth of a second, together with other data stored by then; see ``flush()``.
  ///
  /// If more than 32 MiB wait to be written, the data is dropped, and nothing is stored for `key` any more; see
  /// ``droppedCount``. To store more than that at once, use ``store(_:for:)``.
  public func storeData(_ data: Data, for key: String) {
    if key.isEmpty { return }
    noteDropped(unless: change(isUrgent: false) { $0.store(data, for: key) })
  }

  /// The number of times that data was dropped, because more than 32 MiB waited to be written.
  public var droppedCount: Int { state.withLock { $0.droppedCount } }

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

  /// Returns the default name of the file of `key`: its SHA-1 in forty hexadecimal digits; `nil` for an empty key.
  public static func filename(for key: String) -> String? { key.isEmpty ? nil : DiskEntryName(hashing: key).text }

  /// Returns the name of the file of `key`; `nil` for an empty key, and if the generator returns none that a file can
  /// have.
  public func filename(for key: String) -> String? { key.isEmpty ? nil : store.filename(for: key) }

  /// Returns the URL of the file of `key`, whether it exists or not; `nil` for an empty key. The file contains exactly
  /// the data that was stored, once it was written; see ``flush(for:)``. It can be read, and is removed when its entry
  /// is evicted. A program that has the file open or mapped keeps reading the same bytes when other data is stored for
  /// the key.
  public func url(for key: String) -> URL? {
    if key.isEmpty { return nil }
    return store.relativePath(for: key).map { path.appendingPathComponent($0, isDirectory: false) }
  }

  // MARK: Totals

  /// The number of entries on the disk, with one for each URL whose freshness is known, and one for each list of the sizes
  /// of an image; see ``ImagePipeline/Configuration-swift.struct/isReusingLargerImagesInDataCache``. Data that waits to
  /// be written is not counted.
  public var totalCount: Int { store.totals.count }
  /// The size of the data on the disk, in bytes.
  public var totalSize: Int { store.totals.length }
  /// The size of all files in bytes, in blocks of 4 KiB, with metadata and the room reserved for bodies that are still
  /// arriving.
  public var totalAllocatedSize: Int { store.totals.allocated }
}

extension DataCache: DataLeasing {
  /// Tries to acquire the lease of the work whose result is stored for `key`, among all clients that share the folder.
  public func lease(for key: String) -> DataLeaseAttempt { store.lease(for: key) }

  /// The number of loads in this process that wait for the lease of another client.
  package var waitingLoads: Int { store.leases.waitingCount }
}
