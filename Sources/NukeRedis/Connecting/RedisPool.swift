#if Redis
  import Dispatch
  package import Foundation
  import Nuke

  /// A pool of connections to one server, for threads that may block. With sentinels, that is the current primary.
  ///
  /// No caller waits longer than the configured timeouts. Connections are opened on separate threads, because resolving
  /// a host name has no time limit.
  package final class RedisPool: Sendable {
    /// The purpose of commands, for metrics.
    package enum Operation: String, CaseIterable, Sendable {
      case read, write, lease
    }

    fileprivate struct State {
      /// The address, with the sentinel that replied last at the front.
      var address: RedisConfiguration.Address
      var idle: [Member] = []
      /// The number of times that the server turned out to be a replica. Connections of before are not used again.
      var demotions = 0
      /// The number of connections, including those that are being opened.
      var count = 0
      var connecting = 0
      /// The number of callers that wait for a connection.
      var waiting = 0
      /// The number of failed connection attempts, and the last error.
      var failures: (count: UInt64, last: RedisError) = (0, .closed)
      var breaker = CircuitBreaker(threshold: RedisPool.failureThreshold, pauses: 1...30)
    }

    fileprivate struct Member {
      let connection: RedisConnection
      /// The value of ``State/demotions`` when the connection was opened.
      let demotions: Int
    }

    /// The number of consecutive failures after which the server is not used for a while.
    package static let failureThreshold = 3
    /// The number of closed connections in a row after which a command fails.
    package static let closedLimit = 4

    package let configuration: RedisConfiguration
    /// The log of this pool and of those who use it.
    let log: RedisLog
    private let clock: @Sendable () -> TimeInterval
    private let durations: RequestDurations<Operation>?
    private let state: Lock<State>
    private let freed = Signal()
    private let connecting = DispatchQueue(label: "nuke.redis.connecting", attributes: .concurrent)

    /// - Parameter clock: returns a monotonic time in seconds.
    package init(_ configuration: RedisConfiguration, clock: @escaping @Sendable () -> TimeInterval) {
      self.configuration = configuration
      log = RedisLog(configuration)
      self.clock = clock
      durations = configuration.metricsFactory.map { RequestDurations("nuke_redis_request_duration_seconds", $0) }
      state = Lock(State(address: configuration.address))
    }

    /// `true` if the server is not used for a while after failures.
    package var isOpen: Bool { state.withLock { $0.breaker.isOpen } }

    /// Starts a trial connection if the server has failed and the pause is over. For callers that send no command: a
    /// server that is not ready may receive no requests, so no command would discover that Redis is back.
    package func askAgain() {
      let verdict = state.withLock { $0.breaker.verdict(at: clock()) }
      if case .tryOnce = verdict { connecting.async { self.probe() } }
    }

    /// Treats the server as failed until it has been reached, and tries to reach it at once.
    package func awaitServer() {
      state.withLock { $0.breaker.beginTrying() }
      connecting.async { self.probe() }
    }

    /// Sends commands and returns their replies. The commands must have the same effect if they are sent twice.
    ///
    /// - Parameters:
    ///   - operation: the purpose of the commands, for metrics.
    ///   - limit: the maximum size of all replies, in bytes.
    package func exchange(
      _ commands: RedisCommands, as operation: Operation, limit: Int
    ) throws(RedisError) -> [RedisReply] {
      guard let durations else { return try exchange(commands, limit: limit) }
      let start = RedisConnection.now
      do throws(RedisError) {
        let replies = try exchange(commands, limit: limit)
        durations.record(operation, isSuccess: true, seconds: RedisConnection.now - start)
        return replies
      } catch {
        // Nothing is sent to a suspended server.
        if error != .suspended { durations.record(operation, isSuccess: false, seconds: RedisConnection.now - start) }
        throw error
      }
    }

    private func exchange(_ commands: RedisCommands, limit: Int) throws(RedisError) -> [RedisReply] {
      if let replies = try attempt(commands, limit: limit) { return replies }
      // The sentinels know the primary by now, or connecting fails.
      if let replies = try attempt(commands, limit: limit) { return replies }
      failed()
      throw .notConnected("the server is a replica")
    }

    /// - Returns: the replies; `nil` if sentinels have replaced the server with another primary.
    private func attempt(_ commands: RedisCommands, limit: Int) throws(RedisError) -> [RedisReply]? {
      let member: Member
      do {
        member = try take()
      } catch {
        if error != .suspended { failed() }
        throw error
      }
      do {
        // Large values need more time on slow networks.
        let seconds = configuration.commandTimeout * TimeInterval(1 + commands.byteCount >> 20)
        let replies = try member.connection.exchange(commands, seconds: seconds, limit: limit)
        guard hasSentinels, replies.contains(where: \.isOfReplica) else {
          giveBack(member)
          return replies
        }
      } catch {
        state.withLock { $0.count -= 1 }
        failed()
        throw error
      }
      demoted(member)
      return nil
    }

    private var hasSentinels: Bool { if case .sentinels = configuration.address { true } else { false } }

    // MARK: Connections

    private func take() throws(RedisError) -> Member {
      let deadline = RedisConnection.now + configuration.connectTimeout
      for _ in 0..<Self.closedLimit {
        let member = try takeAny(until: deadline)
        guard member.connection.isStale else { return member }
        // The server closed an idle connection, for example when it was restarted. The others were idle for longer.
        let released = state.withLock { state -> [Member] in
          state.count -= 1
          return state.takeIdle()
        }
        withExtendedLifetime(released) {}
      }
      // It also closes new connections.
      throw .closed
    }

    private func takeAny(until deadline: TimeInterval) throws(RedisError) -> Member {
      let earlierFailures = try admit()
      let result: Result<Member, RedisError> = state.withLock(
        waitingFor: freed, seconds: max(0, deadline - RedisConnection.now)
      ) { state, awakening in
        if awakening == nil { state.waiting += 1 }
        let result: Result<Member, RedisError>
        if let member = state.idle.popLast() {
          result = .success(member)
        } else if state.failures.count != earlierFailures {
          result = .failure(state.failures.last)
        } else if RedisConnection.now >= deadline {
          result = .failure(.timedOut)
        } else {
          if state.count < configuration.connectionLimit, state.connecting < state.waiting { connect(&state) }
          return nil
        }
        state.waiting -= 1
        return result
      }
      return try result.get()
    }

    /// - Returns: the number of failed connection attempts so far.
    private func admit() throws(RedisError) -> UInt64 {
      let (verdict, failures) = state.withLock { ($0.breaker.verdict(at: clock()), $0.failures.count) }
      switch verdict {
      case .ask: return failures
      case .refuse: break
      case .tryOnce: connecting.async { self.probe() }
      }
      throw .suspended
    }

    private func giveBack(_ member: Member) {
      state.withLock { state in
        state.breaker.succeeded()
        guard member.demotions == state.demotions else {
          state.count -= 1
          return freed.wakeOne()
        }
        state.idle.append(member)
        freed.wakeOne()
      }
    }

    /// Closes a connection to a server that is no primary any more, and all others of the time before.
    private func demoted(_ member: Member) {
      let released = state.withLock { state -> [Member] in
        state.count -= 1
        freed.wakeOne()
        guard member.demotions == state.demotions else { return [] }
        state.demotions += 1
        return state.takeIdle()
      }
      withExtendedLifetime(released) {}
    }

    private func failed() {
      let released = state.withLock { state -> [Member] in
        state.breaker.failed(at: clock())
        return state.breaker.isOpen ? state.takeIdle() : []
      }
      withExtendedLifetime(released) {}
    }

    // MARK: Connecting

    private func connect(_ state: inout State) {
      state.count += 1
      state.connecting += 1
      connecting.async {
        let result = self.connected()
        self.state.withLock { state in
          state.connecting -= 1
          switch result {
          case .success(let connection):
            state.idle.append(Member(connection: connection, demotions: state.demotions))
            self.freed.wakeOne()
          case .failure(let error):
            state.count -= 1
            state.failures = (state.failures.count + 1, error)
            for _ in 0..<state.waiting { self.freed.wakeOne() }
          }
        }
      }
    }

    private func probe() {
      let result = connected()
      // No command fails for this reason while the server is not used.
      if case .failure(let error) = result { log.note(error) }
      state.withLock { state in
        guard case .success(let connection) = result else { return state.breaker.trialFailed(at: clock()) }
        state.breaker.succeeded()
        state.count += 1
        state.idle.append(Member(connection: connection, demotions: state.demotions))
        freed.wakeOne()
      }
    }

    private func connected() -> Result<RedisConnection, RedisError> {
      Result { () throws(RedisError) in
        var current = configuration
        current.address = state.withLock { $0.address }
        guard let (connection, sentinel) = try RedisConnection.openPrimary(current) else {
          return try RedisConnection(current)
        }
        state.withLock { $0.address.prefer(sentinel) }
        return connection
      }
    }
  }

  extension RedisPool.State {
    /// Removes all idle connections. They close when the returned array is released.
    fileprivate mutating func takeIdle() -> [RedisPool.Member] {
      count -= idle.count
      return exchange(&idle, with: [])
    }
  }
#endif
