import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeImaging
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
      options.leaseClock = leaseTime.clock
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

/// The time that a test has come to.
final class CacheClock: Sendable {
  private let time: Lock<Int64>

  init(seconds: Int64 = 1_790_000_000) { time = Lock(seconds * 1_000_000_000) }

  var nanoseconds: Int64 { time.withLock { $0 } }

  /// The time as a pipeline asks for it.
  var now: @Sendable () -> Timestamp { { Timestamp(milliseconds: Int(self.nanoseconds / 1_000_000)) } }

  func pass(seconds: Double) { time.withLock { $0 += Int64(seconds * 1e9) } }

  /// The time as a header field says it, some seconds later.
  func date(in seconds: Int64 = 0) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000 + seconds)))
  }
}

extension DiskFolder {
  /// An HTTP cache of 1 MiB in it, whose time is that of the clock.
  func httpCache(_ clock: CacheClock) throws -> HTTPCache {
    var options = DiskStore.Options()
    options.now = { clock.nanoseconds }
    return try HTTPCache(path: url.appendingPathComponent("http"), diskCapacity: 1 << 20, options: options)
  }
}

extension NukeOrigin.Response {
  /// 200 with a body and these header fields.
  static func fields(_ body: Data, _ fields: (name: String, value: String)...) -> Self {
    Self(headers: fields, body: body)
  }

  static func notModified(_ fields: (name: String, value: String)...) -> Self {
    Self(status: 304, headers: fields)
  }
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
