import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeOrigin
import Testing

/// An HTTP cache in a folder of its own, with a clock that goes on where a test says so, and a loader that uses it.
/// It has an origin if it is made with answers, which stops with it.
final class CacheBench: Sendable {
  let folder: DiskFolder
  let clock: CacheClock
  let cache: HTTPCache
  let loader: DataLoader
  private let started: NukeOrigin?

  /// Decides which responses the loader accepts. Not a closure, which a trailing closure would stand for.
  enum Validation: Sendable {
    case standard
    case custom(@Sendable (URLResponse) -> (any Error)?)
  }

  init(
    folder: DiskFolder = DiskFolder(), clock: CacheClock = CacheClock(), capacity: Int = 16 << 20,
    stagingLimit: Int = HTTPCache.defaultStagingLimit, files: any DiskFileSystem = SystemFileSystem(),
    connections: Int = 6, leaseTime: ManualTime? = nil, diskTime: ManualTime? = nil,
    validation: Validation = .standard,
    answer: (@Sendable (NukeOrigin.Request) -> NukeOrigin.Response)? = nil
  ) throws {
    started = try answer.map { try NukeOrigin(respond: $0) }
    var options = DiskStore.Options()
    if let leaseTime {
      options.clock = leaseTime.clock
      options.leaseTimer = leaseTime.timer
    }
    // On a busy machine, nothing is given up.
    options.diskTimer = { _, _ in }
    if let diskTime { options.diskTimer = diskTime.timer }
    options.freeSpaceReserve = 0
    options.files = files
    options.now = { clock.nanoseconds }
    self.folder = folder
    self.clock = clock
    cache = try HTTPCache(path: folder.url, diskCapacity: capacity, options: options, stagingLimit: stagingLimit)
    let configuration = makeConfiguration { [cache] configuration in
      configuration.urlCache = cache
      configuration.maximumConnectionsPerHost = connections
    }
    loader =
      switch validation {
      case .standard: DataLoader(configuration: configuration)
      case .custom(let validate): DataLoader(configuration: configuration, validate: validate)
      }
  }

  deinit { started?.stop() }

  /// The origin that gives the answers that the bench was made with.
  var origin: NukeOrigin { started! }

  func request(
    _ path: String, _ fields: [String: String] = [:], policy: URLRequest.CachePolicy = .useProtocolCachePolicy
  ) -> URLRequest { URLRequest(origin.url(path), fields, policy: policy) }

  /// What a request is answered with.
  func load(_ request: URLRequest, limit: Int? = nil) async -> Recorder.State {
    await loader.record(request, limit: limit).recorder.finished()
  }

  func load(_ url: URL, limit: Int? = nil) async -> Recorder.State { await load(URLRequest(url: url), limit: limit) }

  func load(_ path: String, limit: Int? = nil) async -> Recorder.State { await load(request(path), limit: limit) }

  /// Waits until whatever the loader does behind the answers that were given is done. It has one connection.
  func settle() async { _ = await load(request("/settled", ["Cache-Control": "no-store"])) }

  /// The files of the metadata of all that is stored.
  var entries: [String] { folder.files.filter { $0.contains("/.") } }
}

extension Recorder.State {
  func field(_ name: String) -> String? { head?.value(forField: name) }
  var cacheStatus: String? { head?.caching?.status.text }
}

extension URLRequest {
  init(_ url: URL, _ fields: [String: String] = [:], policy: CachePolicy = .useProtocolCachePolicy) {
    self.init(url: url, cachePolicy: policy)
    for (name, value) in fields { setValue(value, forHTTPHeaderField: name) }
  }
}

/// Statuses in the order in which they were seen.
final class CacheSeen: Sendable {
  private let seen = Lock<[Int]>([])

  var statuses: [Int] { seen.withLock { $0 } }
  func note(_ status: Int) { seen.withLock { $0.append(status) } }
}
