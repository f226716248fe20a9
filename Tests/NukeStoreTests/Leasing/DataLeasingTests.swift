import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Leases of a data cache", .timeLimit(.minutes(1)))
struct DataLeasingTests {
  private let folder = DiskFolder()
  private let time = ManualTime()
  private let log = CallLog()

  private func cache() throws -> DataCache { try folder.cache(leaseTime: time) }

  private func take(_ cache: some DataLeasing) -> (any DataLease)? {
    if case .taken(let lease) = cache.lease(for: "a") { lease } else { nil }
  }

  private func wait(for cache: some DataLeasing, seconds: TimeInterval = 10) throws -> any Cancellable {
    guard case .held(let held) = cache.lease(for: "a") else { throw CancellationError() }
    return held.wait(seconds: seconds) { [log] in log.append("\($0) \($1)") }
  }

  @Test("Waiters are notified when the lease is free, with the time they have waited")
  func free() throws {
    let (one, two) = (try cache(), try cache())
    var lease = take(one)
    #expect(lease != nil)
    let waiting = [try wait(for: one), try wait(for: two)]
    time.pass(milliseconds: 64)
    #expect(log.entries.isEmpty)
    lease = nil
    #expect(log.entries == ["true 0.064"])
    time.pass(milliseconds: 20)
    #expect(log.entries.count == 2 && log.entries[1].hasPrefix("true 0.0"))
    #expect(take(two) != nil)
    withExtendedLifetime(waiting) {}
  }

  @Test("Waiters are notified at their time limit, and not after they have been canceled")
  func late() throws {
    let (one, two) = (try cache(), try cache())
    let lease = take(one)
    let waiting = try wait(for: two, seconds: 2)
    try wait(for: two, seconds: 1).cancel()
    time.pass(milliseconds: 3000)
    #expect(log.entries == ["false 2.0"])
    withExtendedLifetime((lease, waiting)) {}
  }

  // MARK: Of the program's own

  /// One lease for all, given to whoever asks while nobody has it.
  private final class OwnCache: DataCaching, DataLeasing {
    let contents = FakeDataCache()
    let leaseTimeout: TimeInterval
    /// Seconds that those who wait are told they have waited.
    private let waited: TimeInterval
    private let state = Lock((isTaken: false, waiters: [@Sendable (Bool, TimeInterval) -> Void]()))
    let log = CallLog()

    init(leaseTimeout: TimeInterval = 30, waited: TimeInterval = 0.25) {
      self.leaseTimeout = leaseTimeout
      self.waited = waited
    }

    func cachedData(for key: String) -> Data? { contents.cachedData(for: key) }
    func containsData(for key: String) -> Bool { contents.containsData(for: key) }
    func storeData(_ data: Data, for key: String) {
      log.append("store")
      contents.storeData(data, for: key)
    }
    func removeData(for key: String) { contents.removeData(for: key) }
    func removeAll() { contents.removeAll() }

    func lease(for key: String) -> DataLeaseAttempt {
      state.withLock { state in
        if state.isTaken { return .held(Held(cache: self)) }
        state.isTaken = true
        return .taken(Lease(cache: self))
      }
    }

    private final class Lease: DataLease {
      let cache: OwnCache
      init(cache: OwnCache) { self.cache = cache }

      deinit {
        cache.log.append("let go")
        let waiters = cache.state.withLock { state in
          defer { state = (false, []) }
          return state.waiters
        }
        for waiter in waiters { waiter(true, cache.waited) }
      }
    }

    private struct Held: HeldDataLease {
      let cache: OwnCache

      func wait(
        seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
      ) -> any Cancellable {
        cache.state.withLock { $0.waiters.append(body) }
        cache.log.append("wait \(seconds)")
        return Waiting()
      }
    }

    private final class Waiting: Cancellable {
      func cancel() {}
    }
  }

  private func pipeline(_ cache: OwnCache, gate: Gate = Gate(isOpen: true)) -> (FakeDataLoader, ImagePipeline) {
    let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 20, height: 10)).held(by: gate) }
    return (loader, .fake(loader: loader, imageCache: nil) { $0.dataCache = cache })
  }

  @Test("A custom cache can provide leases, so that pipelines download once")
  func own() async throws {
    let (cache, gate) = (OwnCache(), Gate())
    let (loader, one) = pipeline(cache, gate: gate)
    let (idle, two) = pipeline(cache)
    let first = one.imageTask(with: imageURL("a.png"))
    await loader.requests(count: 1)
    let second = two.imageTask(with: imageURL("a.png"))
    await cache.log.entries(count: 1)
    gate.open()
    _ = try await (first.image, second.image)
    #expect(idle.requests.isEmpty)
    #expect(second.facts.waitingForOthers == 0.25)
    // Let go of behind what is stored, so that whoever is next finds it.
    #expect(cache.log.entries == ["wait 30.0", "store", "let go"])
  }

  @Test(
    "A custom cache may notify waiters at any time, and the time counts as far as it is valid",
    arguments: [
      (-1, 0), (.nan, 0), (-.infinity, 0), (.infinity, 30), (1e300, 30), (3, 3),
    ] as [(TimeInterval, TimeInterval)])
  func impossibleTimes(waited: TimeInterval, expected: TimeInterval) async throws {
    let (cache, gate) = (OwnCache(waited: waited), Gate())
    let (loader, one) = pipeline(cache, gate: gate)
    let first = one.imageTask(with: imageURL("a.png"))
    await loader.requests(count: 1)
    let second = pipeline(cache).1.imageTask(with: imageURL("a.png"))
    await cache.log.entries(count: 1)
    gate.open()
    _ = try await (first.image, second.image)
    #expect(second.facts.waitingForOthers == expected)
    #expect(second.facts.queued >= 0 && second.facts.queued < 60)
    #expect(second.facts.loading >= 0 && second.facts.loading < 60)
  }

  @Test("The time limit can be infinite")
  func endlessTimeout() async throws {
    let cache = OwnCache(leaseTimeout: .infinity)
    _ = try await pipeline(cache).1.image(for: imageURL("a.png"))
    #expect(cache.log.entries == ["store", "let go"])
  }

  @Test("Leases are not used without a time limit, nor for images with freshness")
  func notAsked() async throws {
    let (hasty, careful) = (OwnCache(leaseTimeout: 0), OwnCache())
    _ = try await pipeline(hasty).1.image(for: imageURL("a.png"))
    var request = ImageRequest(url: imageURL("a.png"))
    request.freshnessPolicy = .respect
    _ = try await pipeline(careful).1.image(for: request)
    #expect(hasty.log.entries == ["store"])
    #expect(careful.log.entries == ["store"])
  }
}
