#if Redis
  import Foundation
  import Nuke
  import NukeLoaderSuite
  import NukeLocalServers
  import NukeRedis
  import NukeTesting
  import Testing

  @Suite(
    "A lease in Redis", .timeLimit(.minutes(3)),
    .enabled(if: RedisServer.isInstalled, "redis-server is needed: apt-get install redis-server"))
  struct RedisLeasesTests {
    private let server: RedisServer
    private let log = CallLog()
    private let key = RedisKeys(prefix: "nuke:").lease("a")

    init() throws { server = try RedisServer() }

    private func leases(_ change: (inout RedisConfiguration) -> Void = { _ in }) -> RedisLeases {
      RedisLeases(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
          change(&$0)
        })
    }

    private func cache() -> RedisDataCache {
      server.cache {
        $0.connectTimeout = 10
        $0.commandTimeout = 10
      }
    }

    private func take(_ leases: some DataLeasing, _ key: String = "a") -> (any DataLease)? {
      if case .taken(let lease) = leases.lease(for: key) { lease } else { nil }
    }

    private func wait(_ name: String, for leases: RedisLeases, seconds: Double = 60) throws -> any Cancellable {
      guard case .held(let held) = leases.lease(for: "a") else { throw CancellationError() }
      return held.wait(seconds: seconds) { [log] isFree, _ in log.append("\(name) \(isFree ? "free" : "late")") }
    }

    /// Returns when the server has no lease any more.
    private func released() throws { try server.waitUntilGone(key) }

    @Test("Only one of two machines holds the lease of a key until it is released")
    func exclusive() throws {
      let (one, two) = (leases(), leases())
      var lease = take(one)
      #expect(lease != nil)
      #expect(take(two) == nil)
      let other = take(two, "b")
      #expect(other != nil)
      lease = nil
      try released()
      #expect(take(two) != nil)
    }

    @Test("Only one task of a process holds it, and its waiters are notified on release")
    func inProcess() async throws {
      let leases = leases()
      var lease = take(leases)
      #expect(lease != nil)
      let waiting = try [wait("one", for: leases), wait("two", for: leases)]
      #expect(leases.waitingCount == 2 && log.entries.isEmpty)
      lease = nil
      #expect(await log.entries(count: 2) == ["one free", "two free"])
      withExtendedLifetime(waiting) {}
    }

    @Test("Of many threads on two machines, only one holds it at a time")
    func threads() throws {
      let all = [leases(), leases()]
      let state = Lock((holders: 0, most: 0, taken: 0))
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for _ in 0..<50 {
          guard let lease = take(all[thread % 2]) else { continue }
          state.withLock {
            $0.holders += 1
            $0.most = max($0.most, $0.holders)
            $0.taken += 1
          }
          state.withLock { $0.holders -= 1 }
          withExtendedLifetime(lease) {}
        }
      }
      let (most, taken) = state.withLock { ($0.most, $0.taken) }
      #expect(most == 1)
      #expect(taken > 0)
    }

    @Test("Waiters on another machine find out that it was released")
    func seen() async throws {
      let (one, two) = (leases(), leases())
      var lease = take(one)
      #expect(lease != nil)
      let waiting = try wait("two", for: two)
      lease = nil
      #expect(await log.entries(count: 1) == ["two free"])
      withExtendedLifetime(waiting) {}
    }

    @Test("Waiting times out, and ends on cancellation")
    func late() async throws {
      let (one, two) = (leases(), leases())
      let lease = take(one)
      let cancelled = try wait("cancelled", for: two, seconds: 60)
      cancelled.cancel()
      cancelled.cancel()
      let waiting = try wait("two", for: two, seconds: 0.02)
      #expect(await log.entries(count: 1) == ["two late"])
      #expect(two.waitingCount == 0)
      withExtendedLifetime((lease, waiting)) {}
    }

    @Test("It expires soon after the machine that holds it has crashed")
    func death() async throws {
      // As of a process that is gone: what is left is the key, which nobody renews.
      try server.command("SET", key, "another token", "PX", "60000")
      let leases = leases()
      #expect(take(leases) == nil)
      let waiting = try wait("one", for: leases)
      try server.command("PEXPIRE", key, "1")
      #expect(await log.entries(count: 1) == ["one free"])
      #expect(take(leases) != nil)
      withExtendedLifetime(waiting) {}
    }

    /// Leases that live for an hour, with timers that a test calls.
    private func timedLeases(_ timers: Timers) -> RedisLeases {
      let pool = RedisPool(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
          $0.leaseTimeToLive = 3600
        }, clock: { 0 })
      return RedisLeases(pool, log: RedisLog(pool.configuration)) { nanoseconds, body in
        #expect(nanoseconds == 3_600_000_000_000 / 3)
        timers.bodies.withLock { $0.append(body) }
      }
    }

    private final class Timers: Sendable {
      let bodies = Lock<[@Sendable () -> Void]>([])

      /// A third of a lease's life passes.
      func ring(_ leases: RedisLeases) {
        bodies.withLock { $0 }.last?()
        leases.flush()
      }
    }

    @Test("It is renewed while it is held, and not afterwards")
    func renewed() throws {
      let timers = Timers()
      let leases = timedLeases(timers)
      var lease = take(leases)
      #expect(lease != nil)
      #expect(timers.bodies.withLock { $0.count } == 1)
      #expect((3_000_000...3_600_000).contains(try #require(try server.number("PTTL", key))))
      try server.command("PEXPIRE", key, "1800000")
      timers.ring(leases)
      #expect(try #require(try server.number("PTTL", key)) > 1_800_000)
      #expect(leases.lostCount == 0)
      lease = nil
      try released()
      let other = take(leases, "b")
      try server.command("SET", key, "another token", "PX", "60000")
      timers.ring(leases)
      #expect(try #require(try server.number("PTTL", key)) <= 60_000)
      #expect(leases.lostCount == 0)
      withExtendedLifetime(other) {}
    }

    @Test(
      "A lease that has expired or that another machine holds is counted as lost, and not renewed",
      arguments: [true, false])
    func lostMeanwhile(isTaken: Bool) throws {
      let timers = Timers()
      let leases = timedLeases(timers)
      let lease = take(leases)
      if isTaken {
        try server.command("SET", key, "another token", "PX", "60000")
      } else {
        try server.command("DEL", key)
      }
      for _ in 0..<3 { timers.ring(leases) }
      #expect(leases.lostCount == 1)
      #expect(try server.number("EXISTS", key) == (isTaken ? 1 : 0))
      if isTaken { #expect(try #require(try server.number("PTTL", key)) <= 60_000) }
      withExtendedLifetime(lease) {}
    }

    @Test("It is renewed for at most ten times its time to live")
    func hanging() throws {
      let timers = Timers()
      let leases = timedLeases(timers)
      let lease = take(leases)
      for _ in 0..<30 { timers.ring(leases) }
      // What began after that is renewed still.
      let other = take(leases, "b")
      let keyOfOther = RedisKeys(prefix: "nuke:").lease("b")
      for key in [key, keyOfOther] { try server.command("PEXPIRE", key, "1800000") }
      timers.ring(leases)
      #expect(try #require(try server.number("PTTL", key)) <= 1_800_000)
      #expect(try #require(try server.number("PTTL", keyOfOther)) > 1_800_000)
      #expect(leases.lostCount == 0)
      withExtendedLifetime((lease, other)) {}
    }

    @Test("A lease that another machine holds now is not released")
    func lost() throws {
      let one = leases()
      var lease = take(one)
      #expect(lease != nil)
      try server.command("SET", key, "another token", "PX", "60000")
      lease = nil
      one.flush()
      #expect(one.takenCount == 0)
      #expect(try server.number("EXISTS", key) == 1)
    }

    @Test("No lease is granted if the server is unavailable")
    func unavailable() throws {
      let leases = leases()
      server.stop()
      // Some of these are answered before the failed attempt is forgotten.
      for _ in 0..<5 { _ = leases.lease(for: "a") }
      leases.flush()
      #expect(leases.takenCount == 0)
      let attempt = leases.lease(for: "b")
      guard case .unavailable = attempt else { throw Unexpected(attempt) }
    }

    @Test(
      "No lease is granted if the reply of the server is not valid",
      arguments: [":1\r\n", "*0\r\n", "-ERR\r\n", "$1\r\na\r\n", "hello\r\n"])
    func malformed(answer: String) throws {
      let listener = try ScriptedListener(Array(answer.utf8))
      let leases = RedisLeases(listener.configuration())
      let attempt = leases.lease(for: "a")
      guard case .unavailable = attempt else { throw Unexpected(attempt) }
      leases.flush()
      #expect(leases.takenCount == 0)
    }

    @Test("It is released after the stored data was sent, however much that is")
    func behindData() async throws {
      let caches = (0..<2).map { _ in cache() }
      var lease = take(caches[0])
      #expect(lease != nil)
      for number in 0..<20 { caches[0].storeData(Data(count: 1 << 20), for: "\(number)") }
      caches[0].storeData(Data([1]), for: "a")
      let waiting = try wait("second", for: caches[1].leases)
      lease = nil
      #expect(await log.entries(count: 1) == ["second free"])
      #expect(caches[1].cachedData(for: "a") == Data([1]))
      withExtendedLifetime(waiting) {}
    }

    @Test("It is also released if the stored data is removed again, or the server stops", arguments: [true, false])
    func withoutData(isRemoved: Bool) async throws {
      let cache = cache()
      var lease = take(cache)
      #expect(lease != nil)
      server.pause()
      cache.storeData(Data([1]), for: "a")
      lease = nil
      if isRemoved {
        cache.removeAll()
        server.goOn()
      } else {
        server.stop()
      }
      try await waitUntil { cache.leases.takenCount == 0 }
      if isRemoved { #expect(take(cache.leases) != nil) }
    }

    @Test("If the server stops, waiters continue without the lease")
    func serverGone() async throws {
      let (one, two) = (leases(), leases())
      let lease = take(one)
      let waiting = try wait("two", for: two)
      server.stop()
      #expect(await log.entries(count: 1) == ["two free"])
      withExtendedLifetime((lease, waiting)) {}
    }
  }
#endif
