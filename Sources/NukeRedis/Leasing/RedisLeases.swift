#if Redis
  import Dispatch
  public import Foundation
  public import Nuke

  /// Leases shared by all machines and threads that use one Redis server.
  ///
  /// A lease is a key that expires after ``RedisConfiguration/leaseTimeToLive``. It is renewed while the work runs, so
  /// it becomes free soon after its holder dies. Waiters poll the server together, at intervals of an eighth of the
  /// time they have waited. Waiters in the holder's process are notified directly.
  ///
  /// If the server fails, there are no leases, and work may be done twice. The same happens if a holder is suspended
  /// for longer than the lease lives. Work that hangs keeps its lease for at most ten times its lifetime.
  public final class RedisLeases: DataLeasing {
    /// Calls `release` when other machines can read the stored data.
    ///
    /// - Returns: `true` if `release` will be called; `false` if the caller may release at once.
    typealias Deferral = @Sendable (_ release: @escaping @Sendable () -> Void) -> Bool

    private struct Taken {
      let token: String
      /// The number of renewals; `nil` until the server has granted the lease.
      var renewals: Int?
    }

    private struct State {
      /// The leases that this process holds or is acquiring.
      var taken: [String: Taken] = [:]
      var lostCount = 0
      var waiters = LeaseWaiters<String>(pauses: 10_000_000...250_000_000)
      var isRenewing = false
    }

    let pool: RedisPool
    let log: RedisLog
    let keys: RedisKeys
    private let timer: DiskLeases.Timer
    private let state = Lock(State())
    private let queue = DispatchQueue(label: "nuke.redis.leases", qos: .utility)
    private static let renewalLimit = 30

    /// Creates leases. Connects on first use. The keys have the prefix of the configuration.
    public convenience init(_ configuration: RedisConfiguration) {
      let pool = RedisPool(configuration) { RedisConnection.now }
      self.init(pool, log: pool.log)
    }

    package init(_ pool: RedisPool, log: RedisLog, timer: @escaping DiskLeases.Timer = DiskLeases.systemTimer) {
      self.pool = pool
      self.log = log
      self.timer = timer
      keys = RedisKeys(prefix: pool.configuration.keyPrefix)
    }

    /// The value of ``RedisConfiguration/leaseTimeout``.
    public var leaseTimeout: TimeInterval { pool.configuration.leaseTimeout }

    // MARK: Acquiring

    public func lease(for key: String) -> DataLeaseAttempt { lease(for: key) { _ in false } }

    func lease(for key: String, deferral: @escaping Deferral) -> DataLeaseAttempt {
      let leaseKey = keys.lease(key)
      let token = Self.token()
      let isMine = state.withLock { state in
        guard state.taken[leaseKey] == nil else { return false }
        state.taken[leaseKey] = Taken(token: token)
        return true
      }
      guard isMine else { return .held(HeldRedisLease(leaseKey: leaseKey, leases: self)) }
      let command = RedisCommands("SET", .text(leaseKey), .text(token), "NX", "PX", .number(lifeInMilliseconds))
      do throws(RedisError) {
        switch try pool.exchange(command, as: .lease, limit: 1024)[0] {
        case .status:
          renewLater(leaseKey)
          return .taken(RedisLease(leaseKey: leaseKey, token: token, leases: self, deferral: deferral))
        case .none:
          forget(leaseKey)
          return .held(HeldRedisLease(leaseKey: leaseKey, leases: self))
        case .error(let text): log.note(.refused(text))
        default: log.note(.malformedReply("SET must return a status"))
        }
        forget(leaseKey)
      } catch {
        log.note(error)
        // The command may have succeeded even though there was no reply.
        if error == .suspended { forget(leaseKey) } else { release(leaseKey, token) }
      }
      return .unavailable
    }

    private var lifeInMilliseconds: Int { max(1, Int(pool.configuration.leaseTimeToLive * 1000)) }

    private static func token() -> String {
      let (high, low) = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
      return String(high, radix: 36) + String(low, radix: 36)
    }

    private func forget(_ leaseKey: String) { state.withLock { state in state.taken[leaseKey] = nil } }

    // MARK: Releasing

    fileprivate func releaseWhenStored(_ leaseKey: String, _ token: String, _ deferral: Deferral) {
      let isDeferred = deferral { [self] in release(leaseKey, token) }
      // Within this process, the stored data can already be read.
      if isDeferred { wake(leaseKey) } else { release(leaseKey, token) }
    }

    private static let releasing =
      "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0"

    private func release(_ leaseKey: String, _ token: String) {
      queue.async { [self] in
        _ = answers(RedisCommands("EVAL", .text(Self.releasing), "1", .text(leaseKey), .text(token)))
        forget(leaseKey)
        wake(leaseKey)
      }
    }

    private func wake(_ leaseKey: String) {
      let woken = state.withLock { $0.waiters.removeAll { $0 == leaseKey } }
      for waiter in woken { waiter.body(true) }
    }

    /// Waits until all leases that were released before this call are released on the server, or the server has not
    /// replied.
    package func flush() { queue.sync {} }

    // MARK: Renewing

    private static let renewing =
      "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) end return 0"

    private func renewLater(_ leaseKey: String) {
      let isFirst = state.withLock { state in
        state.taken[leaseKey]?.renewals = 0
        return !exchange(&state.isRenewing, with: true)
      }
      if isFirst { setRenewalTimer() }
    }

    private func setRenewalTimer() {
      timer(UInt64(lifeInMilliseconds) * 1_000_000 / 3) { [weak self] in
        guard let self else { return }
        queue.async { self.renew() }
      }
    }

    private func renew() {
      let (isOver, due) = state.withLock { state in
        state.isRenewing = !state.taken.isEmpty
        let due = state.taken.filter { $0.value.renewals.map { $0 < Self.renewalLimit } ?? false }
        for leaseKey in due.keys { state.taken[leaseKey]?.renewals? += 1 }
        return (state.taken.isEmpty, due.map { (leaseKey: $0.key, token: $0.value.token) })
      }
      if isOver { return }
      var commands = RedisCommands()
      for (leaseKey, token) in due {
        commands.add(
          "EVAL", .text(Self.renewing), "1", .text(leaseKey), .text(token), .number(lifeInMilliseconds))
      }
      let answers = due.isEmpty ? [] : answers(commands)
      let lost = zip(due, answers).filter { if case .integer(0) = $1 { true } else { false } }.map(\.0)
      state.withLock { state in
        for (leaseKey, token) in lost where state.taken[leaseKey]?.token == token {
          state.taken[leaseKey]?.renewals = Self.renewalLimit
          state.lostCount += 1
        }
      }
      setRenewalTimer()
    }

    // MARK: Waiting

    fileprivate func wait(
      for leaseKey: String, seconds: TimeInterval,
      _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
    ) -> UInt64 {
      let now = Self.now
      let deadline = now + UInt64(min(seconds, 1e9) * 1e9)
      let (number, delay) = state.withLock { state in
        let number = state.waiters.add(
          .init(lease: leaseKey, since: now, deadline: deadline) { body($0, TimeInterval(Self.now &- now) / 1e9) })
        return (number, state.waiters.timerDelay(at: now))
      }
      setTimer(delay)
      return number
    }

    fileprivate func cancel(_ number: UInt64) {
      let waiter = state.withLock { $0.waiters.remove(number) }
      withExtendedLifetime(waiter) {}
    }

    /// The number of waiters in this process.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// The number of leases that had expired, or were held by another machine, when they were released.
    package var lostCount: Int { state.withLock { $0.lostCount } }

    /// The number of leases that this process holds, acquires or releases.
    package var takenCount: Int { state.withLock { $0.taken.count } }

    private func setTimer(_ delay: UInt64?) {
      guard let delay else { return }
      timer(delay) { [weak self] in
        guard let self else { return }
        queue.async { self.lookAgain() }
      }
    }

    private func lookAgain() {
      let due = state.withLock { $0.waiters.due(at: Self.now) }
      let held = heldKeys(of: Set(due.map(\.lease)))
      let free = due.filter { !held.contains($0.lease) }.map(\.number)
      let now = Self.now
      let (woken, late, delay) = state.withLock { state in
        let woken = state.waiters.remove(free)
        let late = state.waiters.putOff(due.map(\.number), at: now)
        return (woken, late, state.waiters.timerDelay(at: now))
      }
      setTimer(delay)
      for waiter in woken { waiter.body(true) }
      for waiter in late { waiter.body(false) }
    }

    /// Returns the places whose lease is held. If the server does not reply, returns none, so that no caller waits.
    private func heldKeys(of places: Set<String>) -> Set<String> {
      let own = state.withLock { state in places.filter { state.taken[$0] != nil } }
      let asked = Array(places.subtracting(own))
      var commands = RedisCommands()
      for leaseKey in asked { commands.add("EXISTS", .text(leaseKey)) }
      let answers = asked.isEmpty ? [] : answers(commands)
      let others = zip(asked, answers).filter { if case .integer(1) = $1 { true } else { false } }.map(\.0)
      return own.union(others)
    }

    private func answers(_ commands: RedisCommands) -> [RedisReply] {
      do throws(RedisError) {
        return try pool.exchange(commands, as: .lease, limit: 64 << 10 + commands.count * 512)
      } catch {
        log.note(error)
        return []
      }
    }

    private static var now: UInt64 { UInt64(RedisConnection.now * 1e9) }
  }

  private final class RedisLease: DataLease {
    private let leaseKey: String
    private let token: String
    private let leases: RedisLeases
    private let deferral: RedisLeases.Deferral

    init(leaseKey: String, token: String, leases: RedisLeases, deferral: @escaping RedisLeases.Deferral) {
      self.leaseKey = leaseKey
      self.token = token
      self.leases = leases
      self.deferral = deferral
    }

    deinit { leases.releaseWhenStored(leaseKey, token, deferral) }
  }

  private struct HeldRedisLease: HeldDataLease {
    let leaseKey: String
    let leases: RedisLeases

    func wait(
      seconds: TimeInterval, _ body: @escaping @Sendable (_ isFree: Bool, _ waited: TimeInterval) -> Void
    ) -> any Cancellable {
      WaitForRedisLease(number: leases.wait(for: leaseKey, seconds: seconds, body), leases: leases)
    }
  }

  private struct WaitForRedisLease: Cancellable {
    let number: UInt64
    let leases: RedisLeases

    func cancel() { leases.cancel(number) }
  }
#endif
