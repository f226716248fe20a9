import Dispatch
public import Foundation
package import NukeBase
package import NukeHTTPCaching
public import NukeStore

/// A private HTTP cache on disk (RFC 9111). It stores the responses that servers allow to store.
///
/// A ``DataLoader`` with a cache serves requests from it while the stored response is fresh, validates stale responses
/// with the server, and stores new ones. If the cache exceeds its capacity, the least recently used responses are
/// evicted.
///
/// ```swift
/// var loading = DataLoader.Configuration()
/// loading.urlCache = try HTTPCache(name: "com.example.images")
/// let loader = DataLoader(configuration: loading)
/// ```
///
/// The response after a redirect is not stored. It is loaded each time, together with the redirect. The ``DataCache``
/// of a pipeline does store its data, under the requested URL.
///
/// The cache can be used from any thread. Several instances, also in several processes, can share a folder. A damaged
/// response counts as a miss, as does every look-up while the disk is full or fails. A load goes to the server if the disk
/// has not responded after a few seconds. The methods of the cache read on the calling thread.
public final class HTTPCache: Sendable {
  /// The reason why the cache cannot be created. The program can continue without one.
  public typealias Error = DataCache.Error

  struct State {
    /// Opens the store on first use; `nil` after that.
    var open: (@Sendable (DiskStore.Options) -> DiskStore?)?
    /// The store; `nil` if there is no folder for it, or before first use.
    var store: DiskStore?
    var sizeLimit: Int
    var policy = Policy()
    var staged = StagedResponses()
    /// The keys of URLs that are being validated in the background.
    var revalidating: Set<String> = []
    var isSweepAwaited = false
    var leaseTimeout: TimeInterval = 5
  }

  /// The default number of bytes of short bodies that may wait to be written. Above it, transfers are paused.
  package static let defaultStagingLimit = 32 << 20

  /// The default maximum size of all files, in bytes.
  public static let defaultDiskCapacity = 150 << 20

  /// Reads stored responses for transfers.
  package let reads: DiskReads
  /// The queue for delivering what was read when a paused transfer resumes. It never waits for the disk.
  let deliveryQueue = TaskQueue(maxConcurrentOperationCount: 4)
  let writeQueue = TaskQueue(maxConcurrentOperationCount: 1, pool: .io)
  /// The lock that is held while staged changes are written, so that they are written in order.
  let writer = Lock(())
  /// Limits the bytes of long bodies that wait for the disk. They are written during the transfer.
  let spoolingBacklog: WriteBacklog
  /// Limits the bytes of short bodies that wait for the disk. They are staged when they are complete.
  let stagingBacklog: WriteBacklog
  let state: Lock<State>
  private let options: DiskStore.Options

  /// Creates a cache in a folder. The folder is created if it does not exist, readable only by its owner.
  ///
  /// - Parameters:
  ///   - path: the URL of the folder.
  ///   - diskCapacity: the maximum size of all files in bytes, each rounded up to 4 KiB.
  public convenience init(path: URL, diskCapacity: Int = HTTPCache.defaultDiskCapacity) throws(Error) {
    try self.init(path: path, diskCapacity: diskCapacity, options: DiskStore.Options())
  }

  /// Creates a cache in the folder `name` in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  public convenience init(name: String, diskCapacity: Int = HTTPCache.defaultDiskCapacity) throws(Error) {
    let path = try CacheFolder.url(named: name, environment: ProcessInfo.processInfo.environment)
    try self.init(path: path, diskCapacity: diskCapacity)
  }

  /// Creates a cache with its dependencies, such as the clock.
  package init(
    path: URL, diskCapacity: Int, options: DiskStore.Options, stagingLimit: Int = HTTPCache.defaultStagingLimit
  ) throws(Error) {
    let options = Self.options(options, diskCapacity: diskCapacity)
    let store = try DiskStore(url: path, options: options)
    self.options = options
    reads = DiskReads(timer: options.diskTimer)
    spoolingBacklog = WriteBacklog(limit: 512 << 10, pauseReason: .spooling, timer: options.diskTimer)
    stagingBacklog = WriteBacklog(limit: stagingLimit, pauseReason: .staging, timer: options.diskTimer)
    state = Lock(State(store: store, sizeLimit: diskCapacity))
    prepare(store)
  }

  /// Creates a cache that is opened on first use. If there is no folder for it, nothing is stored, and a warning is
  /// logged once per process.
  package init(name: String, environment: [String: String], warnings: Warnings) {
    options = Self.options(DiskStore.Options(), diskCapacity: Self.defaultDiskCapacity)
    reads = DiskReads(timer: options.diskTimer)
    spoolingBacklog = WriteBacklog(limit: 512 << 10, pauseReason: .spooling, timer: options.diskTimer)
    stagingBacklog = WriteBacklog(limit: Self.defaultStagingLimit, pauseReason: .staging, timer: options.diskTimer)
    let open: @Sendable (DiskStore.Options) -> DiskStore? = { options in
      do throws(Error) {
        return try DiskStore(url: CacheFolder.url(named: name, environment: environment), options: options)
      } catch {
        warnings.giveOnce(.noHTTPCache, "The HTTP cache is not available, so responses are not stored. \(error)")
        return nil
      }
    }
    state = Lock(State(open: open, sizeLimit: Self.defaultDiskCapacity))
  }

  private static func options(_ options: DiskStore.Options, diskCapacity: Int) -> DiskStore.Options {
    var options = options
    options.sizeLimit = diskCapacity
    // Enough for the connections of a burst of downloads.
    options.openPartLimit = 64
    return options
  }

  /// The store; `nil` if there is no folder for it.
  var store: DiskStore? {
    let (store, isNew) = state.withLock { state -> (DiskStore?, Bool) in
      guard let open = state.open.take() else { return (state.store, false) }
      var options = options
      options.sizeLimit = state.sizeLimit
      state.store = open(options)
      return (state.store, true)
    }
    if let store, isNew { prepare(store) }
    return store
  }

  /// Builds the index before the first look-ups.
  private func prepare(_ store: DiskStore) { writeQueue.add { store.prepare() } }

  /// The number of transfers that are paused because too many bytes wait for the disk.
  package var heldTransfers: Int { spoolingBacklog.heldCount + stagingBacklog.heldCount }
  /// `true` while responses are not stored, because the disk takes no bytes.
  package var isWritingStuck: Bool { spoolingBacklog.isStuck || stagingBacklog.isStuck }

  package var now: Timestamp { Timestamp(milliseconds: Int(options.now() / 1_000_000)) }

  /// The default freshness lifetimes, and the use of stale responses.
  public var policy: Policy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// The maximum number of seconds that a request waits for another request of the same URL, possibly in another
  /// process, whose response may be stored. The default is 5. With 0, requests do not wait.
  ///
  /// A request waits at most once. While it waits, it occupies a slot like a running transfer. If the response turns
  /// out not to be stored, or the other process dies, it continues at once.
  public var leaseTimeout: TimeInterval {
    get { state.withLock { $0.leaseTimeout } }
    set { state.withLock { $0.leaseTimeout = newValue } }
  }

  // MARK: Capacity

  /// Always 0. Setting it has no effect: decoded images are cached in memory instead, see ``ImageCache``.
  public var memoryCapacity: Int {
    get { 0 }
    set {}
  }

  /// Always 0.
  public var currentMemoryUsage: Int { 0 }

  /// The maximum size of all files in bytes, each rounded up to 4 KiB. Lowering it takes effect with the next stored
  /// response.
  public var diskCapacity: Int {
    get { state.withLock { $0.sizeLimit } }
    set {
      let store = state.withLock { state -> DiskStore? in
        state.sizeLimit = newValue
        return state.store
      }
      store?.sizeLimit = newValue
    }
  }

  /// The size of all files in bytes, each rounded up to 4 KiB, including the space reserved for partial bodies. Pending
  /// writes are not counted.
  public var currentDiskUsage: Int { store?.totals.allocated ?? 0 }
}

/// Two caches are equal if they are the same instance.
extension HTTPCache: Hashable {
  public static func == (left: HTTPCache, right: HTTPCache) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
