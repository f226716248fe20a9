#if Redis
  import Foundation
  import Nuke
  import NukeImaging
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

    private func take(_ leases: RedisLeases, _ key: String = "a") -> (any DataLease)? {
      if case .taken(let lease) = leases.lease(for: key) { lease } else { nil }
    }

    private func wait(_ name: String, for leases: RedisLeases, seconds: Double = 60) throws -> any Cancellable {
      guard case .held(let held) = leases.lease(for: "a") else { throw CancellationError() }
      return held.wait(seconds: seconds) { [log] isFree, _ in log.append("\(name) \(isFree ? "free" : "late")") }
    }

    /// Returns when the server has no lease any more.
    private func released() throws { try server.waitUntilGone(key) }

    @Test("is given to one of two machines, for one key, until it is let go of")
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

    @Test("is given once in one process too, where those who wait are told")
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

    @Test("is held by one thread at a time, of many on two machines")
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

    @Test("is seen to be free by another machine's waiters when they look")
    func seen() async throws {
      let (one, two) = (leases(), leases())
      var lease = take(one)
      #expect(lease != nil)
      let waiting = try wait("two", for: two)
      lease = nil
      #expect(await log.entries(count: 1) == ["two free"])
      withExtendedLifetime(waiting) {}
    }

    @Test("is given up on after a time, and not waited for by who has canceled")
    func late() async throws {
      let (one, two) = (leases(), leases())
      let lease = take(one)
      let cancelled = try wait("cancelled", for: two, seconds: 0.01)
      cancelled.cancel()
      cancelled.cancel()
      let waiting = try wait("two", for: two, seconds: 0.02)
      #expect(await log.entries(count: 1) == ["two late"])
      #expect(two.waitingCount == 0)
      withExtendedLifetime((lease, waiting)) {}
    }

    @Test("is free soon when its holder's machine has died, and is not let go of by the dead one then")
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

    @Test("is renewed while it is held")
    func renewed() throws {
      let timers = Lock<[@Sendable () -> Void]>([])
      let pool = RedisPool(
        server.configuration {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
          $0.leaseTimeToLive = 3600
        }, clock: { 0 })
      let leases = RedisLeases(pool, log: RedisLog(pool.configuration)) { nanoseconds, body in
        #expect(nanoseconds == 3_600_000_000_000 / 3)
        timers.withLock { $0.append(body) }
      }
      var lease = take(leases)
      #expect(lease != nil)
      #expect(timers.withLock { $0.count } == 1)
      try server.command("PEXPIRE", key, "1800000")
      // A third of its life passes.
      timers.withLock { $0 }.last?()
      leases.flush()
      #expect(try #require(try server.number("PTTL", key)) > 1_800_000)
      lease = nil
      try released()
    }

    @Test("that another machine has by now is neither renewed nor let go of")
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

    @Test("is not to be had from a server that is not there")
    func unavailable() throws {
      let leases = leases()
      server.stop()
      for _ in 0..<5 {
        guard case .unavailable = leases.lease(for: "a") else {
          // Asked again before the failed attempt was forgotten.
          continue
        }
      }
      leases.flush()
      #expect(leases.takenCount == 0)
      guard case .unavailable = leases.lease(for: "b") else {
        Issue.record("a lease without a server")
        return
      }
    }

    // MARK: Tokens

    @Test("may be had as a token, which gives it back from anywhere, and ends by itself")
    func tokens() async throws {
      let (one, two) = (leases(), leases())
      let token = try #require(try await one.takeToken(for: "a", seconds: 3600))
      #expect(try await two.takeToken(for: "a", seconds: 60) == nil)
      #expect(take(two) == nil)
      #expect((3_000_000...3_600_000).contains(try #require(try server.number("PTTL", key))))
      await two.giveBack("another token", for: "a")
      #expect(try await two.takeToken(for: "a", seconds: 60) == nil)
      await two.giveBack(token, for: "a")
      #expect(try await two.takeToken(for: "a", seconds: 60) != nil)
      try server.command("PEXPIRE", key, "1")
      try released()
      #expect(try await one.takeToken(for: "a", seconds: 60) != nil)
    }

    @Test("is renewed by its token, and by no other")
    func renewedToken() async throws {
      let leases = leases()
      let token = try #require(try await leases.takeToken(for: "a", seconds: 600))
      #expect(try await leases.renew("another token", for: "a", seconds: 3600) == false)
      #expect(try #require(try server.number("PTTL", key)) <= 600_000)
      #expect(try await leases.renew(token, for: "a", seconds: 3600))
      #expect(try #require(try server.number("PTTL", key)) > 600_000)
      try server.command("SET", key, "another token", "PX", "60000")
      #expect(try await leases.renew(token, for: "a", seconds: 3600) == false)
      try server.command("DEL", key)
      #expect(try await leases.renew(token, for: "a", seconds: 3600) == false)
      #expect(try server.number("EXISTS", key) == 0)
      server.stop()
      await #expect(throws: RedisError.self) { try await leases.renew(token, for: "a", seconds: 60) }
    }

    @Test("is given back behind what was stored, however much is to be sent before")
    func tokenBehindData() async throws {
      let caches = (0..<2).map { _ in
        server.cache {
          $0.connectTimeout = 10
          $0.commandTimeout = 10
        }
      }
      let token = try #require(try await caches[0].leases.takeToken(for: "a", seconds: 3600))
      for number in 0..<20 { caches[0].storeData(Data(count: 1 << 20), for: "\(number)") }
      caches[0].storeData(Data([1]), for: "a")
      await caches[0].giveBackLease(token, for: "a")
      #expect(try await caches[1].leases.takeToken(for: "a", seconds: 3600) != nil)
      #expect(caches[1].cachedData(for: "a") == Data([1]))
    }

    @Test("is given back also where what was stored is removed again, or the server goes", arguments: [true, false])
    func tokenWithoutData(isRemoved: Bool) async throws {
      let cache = server.cache {
        $0.connectTimeout = 10
        $0.commandTimeout = 10
      }
      let token = try #require(try await cache.leases.takeToken(for: "a", seconds: 3600))
      server.pause()
      cache.storeData(Data([1]), for: "a")
      async let end: Void = cache.giveBackLease(token, for: "a")
      if isRemoved {
        cache.removeAll()
        server.goOn()
      } else {
        server.stop()
      }
      await end
      if isRemoved { #expect(try await cache.leases.takeToken(for: "a", seconds: 3600) != nil) }
    }

    @Test("has no token while the server is not there")
    func noTokens() async throws {
      let leases = leases()
      server.stop()
      await #expect(throws: RedisError.self) { try await leases.takeToken(for: "a", seconds: 60) }
      await leases.giveBack("token", for: "a")
    }

    @Test("is let go of by nobody's waiters when the server goes: they go on by themselves")
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
