import Dispatch
public import Foundation
import NukeHTTPCaching
import NukeImaging

/// A private HTTP cache on disk (RFC 9111): it stores the responses that servers allow to store.
///
/// A ``DataLoader`` that has one answers from it what is still fresh, asks the server whether the rest has changed, and
/// keeps what comes. The least recently used goes once there is no room.
///
/// ```swift
/// var loading = DataLoader.Configuration()
/// loading.urlCache = try HTTPCache(name: "com.example.images")
/// let loader = DataLoader(configuration: loading)
/// ```
///
/// What a redirect led to is not kept: it is loaded each time, redirect and all. The ``DataCache`` of a pipeline does keep
/// it, under the URL that was asked for.
///
/// May be used from any thread; several instances, also in several processes, may use one folder. What is found damaged is
/// not there. A disk that is full or fails makes for misses, never for errors. Calls that read do so on the calling thread.
public final class HTTPCache: Sendable {
  /// Why there is no cache. The program goes on without one.
  public typealias Error = DataCache.Error

  struct State {
    /// Opens the store when it is used first; `nil` after that.
    var open: (@Sendable (DiskStore.Options) -> DiskStore?)?
    /// `nil` if there is no folder for it, or it has not been used so far.
    var store: DiskStore?
    var sizeLimit: Int
    var policy = Policy()
    var staged = StagedResponses()
    /// Keys of URLs that are being validated behind an answer that was stale.
    var revalidating: Set<String> = []
    var isSweepAwaited = false
    var leaseTimeout: TimeInterval = 5
  }

  /// Bytes of short bodies that wait to be written before transfers are held up.
  package static let defaultStagingLimit = 32 << 20

  /// Bytes that all files may take unless said otherwise.
  public static let defaultDiskCapacity = 150 << 20

  /// Answers are read on these workers.
  let readQueue = TaskQueue(maxConcurrentOperationCount: 4, pool: .io)
  let writeQueue = TaskQueue(maxConcurrentOperationCount: 1, pool: .io)
  /// Held by whoever writes what is staged, so that changes are made in their order.
  let writer = Lock(())
  /// Bytes of long bodies, which are written while they come.
  let spoolingBacklog = WriteBacklog(limit: 512 << 10, hold: .spooling)
  /// Bytes of short bodies, which are staged once they are whole.
  let stagingBacklog: WriteBacklog
  let state: Lock<State>
  private let options: DiskStore.Options

  /// A cache in a folder, which is made if there is none, readable to its owner alone.
  ///
  /// - Parameters:
  ///   - path: the URL of the folder.
  ///   - diskCapacity: bytes that all files may take, each rounded up to 4 KiB.
  public convenience init(path: URL, diskCapacity: Int = HTTPCache.defaultDiskCapacity) throws(Error) {
    try self.init(path: path, diskCapacity: diskCapacity, options: DiskStore.Options())
  }

  /// A cache in the folder `name` in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  public convenience init(name: String, diskCapacity: Int = HTTPCache.defaultDiskCapacity) throws(Error) {
    let path = try CacheFolder.url(named: name, environment: ProcessInfo.processInfo.environment)
    try self.init(path: path, diskCapacity: diskCapacity)
  }

  /// A cache with what it stands on handed in, the time among it.
  package init(
    path: URL, diskCapacity: Int, options: DiskStore.Options, stagingLimit: Int = HTTPCache.defaultStagingLimit
  ) throws(Error) {
    let options = Self.options(options, diskCapacity: diskCapacity)
    let store = try DiskStore(url: path, options: options)
    self.options = options
    stagingBacklog = WriteBacklog(limit: stagingLimit, hold: .staging)
    state = Lock(State(store: store, sizeLimit: diskCapacity))
    prepare(store)
  }

  /// A cache that is opened when it is used first. Where there is no folder for it, nothing is kept, and the first time
  /// this happens a process says so.
  package init(name: String, environment: [String: String], warnings: Warnings) {
    options = Self.options(DiskStore.Options(), diskCapacity: Self.defaultDiskCapacity)
    stagingBacklog = WriteBacklog(limit: Self.defaultStagingLimit, hold: .staging)
    let open: @Sendable (DiskStore.Options) -> DiskStore? = { options in
      do throws(Error) {
        return try DiskStore(url: CacheFolder.url(named: name, environment: environment), options: options)
      } catch {
        warnings.giveOnce(.noHTTPCache, "What servers allow to be kept is loaded each time. \(error)")
        return nil
      }
    }
    state = Lock(State(open: open, sizeLimit: Self.defaultDiskCapacity))
  }

  private static func options(_ options: DiskStore.Options, diskCapacity: Int) -> DiskStore.Options {
    var options = options
    options.sizeLimit = diskCapacity
    // As many as a burst of downloads has connections.
    options.openPartLimit = 64
    return options
  }

  /// `nil` if there is no folder.
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

  /// So that the first look-ups find an index.
  private func prepare(_ store: DiskStore) {
    writeQueue.add(
      WorkItem {
        store.prepare()
        return .done
      })
  }

  /// Transfers that are held up since the disk does not come after.
  package var heldTransfers: Int { spoolingBacklog.heldCount + stagingBacklog.heldCount }

  var now: Timestamp { Timestamp(milliseconds: Int(options.now() / 1_000_000)) }

  /// The freshness lifetime of responses without one, and the use of stale responses.
  public var policy: Policy {
    get { state.withLock { $0.policy } }
    set { state.withLock { $0.policy = newValue } }
  }

  /// Seconds that a request waits at most for another one of the same URL, also of another process, whose answer may be
  /// kept; 5 by default, 0 for requests that wait for none.
  ///
  /// It waits once, as a transfer under way. Where the answer turns out not to be kept, or the other process dies, it goes
  /// on at once.
  public var leaseTimeout: TimeInterval {
    get { state.withLock { $0.leaseTimeout } }
    set { state.withLock { $0.leaseTimeout = newValue } }
  }

  // MARK: Capacity

  /// Always 0, whatever it is set to: decoded images are what is worth memory, see ``ImageCache``.
  public var memoryCapacity: Int {
    get { 0 }
    set {}
  }

  /// Always 0.
  public var currentMemoryUsage: Int { 0 }

  /// Bytes that all files may take, each rounded up to 4 KiB. Lowering it takes effect with the next response that is
  /// kept.
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

  /// Bytes that all files take, each rounded up to 4 KiB, with the room for bodies that are still coming. What waits to be
  /// written is not counted.
  public var currentDiskUsage: Int { store?.totals.allocated ?? 0 }
}

/// Two caches are equal if they are the same instance.
extension HTTPCache: Hashable {
  public static func == (left: HTTPCache, right: HTTPCache) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
