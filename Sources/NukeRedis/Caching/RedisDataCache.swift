#if Redis
  import Dispatch
  public import Foundation
  public import Nuke
  import NukeImaging

  /// Data that many machines share, in a Redis server.
  ///
  /// ```swift
  /// let redis = RedisDataCache(try RedisConfiguration(url: "redis://:secret@cache.internal:6379/1"))
  /// let pipeline = ImagePipeline { $0.dataCache = redis }
  /// ```
  ///
  /// Of several machines whose pipelines want the same at the same time one downloads it, or makes the processed image,
  /// and the others find it here: see ``RedisLeases``.
  ///
  /// Nothing is thrown. A server that is gone or slow makes for misses, and what is to be stored is dropped: a caller waits
  /// for ``RedisConfiguration/connectTimeout`` and ``RedisConfiguration/commandTimeout`` at most, and after some failures
  /// not at all, until the server is well again. ``statistics`` counts that. What is stored can be read back at once; it is
  /// sent by a thread of the cache's own. Values are checked when they are read, and one that is damaged is a miss and is
  /// removed.
  ///
  /// What was to be removed while the server was away is removed when it is back. Servers that are told to keep less
  /// than they are given (`maxmemory-policy allkeys-lru`) suit best. May be used from any thread, also by several programs.
  public final class RedisDataCache: DataCaching, DataLeasing {
    struct State {
      var changes: PendingWrites
      var isWriting = false
      var counts = Statistics()
    }

    public let configuration: RedisConfiguration
    /// The leases among all machines that share the server and the prefix of its keys.
    public let leases: RedisLeases

    package let pool: RedisPool
    let log: RedisLog
    let keys: RedisKeys
    let state: Lock<State>
    let queue = DispatchQueue(label: "nuke.redis.writing", qos: .utility)

    /// A cache on a server, which is asked for nothing yet.
    public convenience init(_ configuration: RedisConfiguration) {
      self.init(RedisPool(configuration) { RedisConnection.now })
    }

    package init(_ pool: RedisPool) {
      self.pool = pool
      configuration = pool.configuration
      log = RedisLog(configuration)
      keys = RedisKeys(prefix: configuration.keyPrefix)
      state = Lock(
        State(changes: PendingWrites(byteLimit: configuration.backlogLimit, countLimit: 100_000, removalLimit: 200_000))
      )
      leases = RedisLeases(pool, log: log)
    }

    // MARK: Data

    /// Returns the data stored for `key`; `nil` if there is none, if it is damaged, or if the server does not answer in time.
    public func cachedData(for key: String) -> Data? {
      switch pending(key) {
      case .store(let data, _): return count(data)
      case .remove: return count(nil)
      case nil: break
      }
      // Bounded by the server, since others may have larger limits.
      let limit = ValueSeal.length + configuration.maximumValueSize
      let command = RedisCommands("GETRANGE", .text(keys.data(key)), "0", .number(limit))
      switch ask(command, limit: limit + 1024) {
      case .bytes(let bytes) where bytes.count == 0 || bytes.count > limit: return count(nil)
      case .bytes(let bytes):
        if bytes.withBytes({ ValueSeal.holds($0, key: key) }) { return count(bytes.data(from: ValueSeal.length)) }
        removeDamaged(key)
      case .error(let text) where text.hasPrefix("WRONGTYPE"): removeDamaged(key)
      case .error(let text): note(.refused(text))
      case nil: break
      default: note(.malformedReply("GETRANGE gives bytes"))
      }
      return count(nil)
    }

    /// Returns `true` if data is stored for `key`. The data itself is not looked at. No, where there is no answer in
    /// time.
    public func containsData(for key: String) -> Bool {
      switch pending(key) {
      case .store: return true
      case .remove: return false
      case nil: break
      }
      switch ask(RedisCommands("EXISTS", .text(keys.data(key))), limit: 1024) {
      case .integer(let count): return count > 0
      case .error(let text): note(.refused(text))
      case nil: break
      default: note(.malformedReply("EXISTS gives a number"))
      }
      return false
    }

    /// Stores data for ``RedisConfiguration/timeToLive`` and returns at once; it can be read back at once.
    public func storeData(_ data: Data, for key: String) {
      storeData(data, for: key, timeToLive: configuration.timeToLiveOfValue?(key, data) ?? configuration.timeToLive)
    }

    /// Stores data and returns at once; it can be read back at once.
    ///
    /// Data above ``RedisConfiguration/maximumValueSize`` is dropped, and so is any where
    /// ``RedisConfiguration/backlogLimit`` is reached; nothing is stored for `key` any more then.
    ///
    /// - Parameter timeToLive: seconds; where there are none nothing is stored for `key` any more.
    public func storeData(_ data: Data, for key: String, timeToLive: TimeInterval) {
      let milliseconds = Int((min(max(timeToLive, 0), 1e10) * 1000).rounded())
      change { state in
        if milliseconds > 0, data.count <= configuration.maximumValueSize {
          if state.changes.add(.store(data, milliseconds: milliseconds), for: key) { return }
        } else {
          _ = state.changes.add(.remove, for: key)
          if milliseconds == 0 { return }
        }
        state.counts.dropped += 1
      }
    }

    /// Removes the data stored for `key`. Returns at once.
    public func removeData(for key: String) { change { _ = $0.changes.add(.remove, for: key) } }

    /// Removes all data under the prefix of this cache, also that of other machines. Returns at once.
    public func removeAll() { change { $0.changes.removeAll() } }

    // MARK: DataLeasing

    /// ``RedisConfiguration/leaseTimeout``.
    public var leaseTimeout: TimeInterval { leases.leaseTimeout }

    /// Asks for the right to do the work whose result is stored for `key`, of all machines. It is let go of when the data
    /// that was stored meanwhile is on the server.
    public func lease(for key: String) -> DataLeaseAttempt {
      leases.lease(for: key) { [self] release in
        follow(key, release)
      }
    }

    /// Calls `body` once the pending change of `key` is on the server or was given up. Returns `false` if there is none.
    private func follow(_ key: String, _ body: @escaping @Sendable () -> Void) -> Bool {
      let isPending = state.withLock { $0.changes.follow(key, body) }
      // What was to be removed may be waiting for a server that was gone.
      if isPending { writeIfNeeded() }
      return isPending
    }

    // MARK: The server

    private func pending(_ key: String) -> PendingWrites.Write? { state.withLock { $0.changes[key] } }

    /// Returns the reply to a command; `nil` if it fails, which is counted and logged.
    private func ask(_ command: RedisCommands, limit: Int) -> RedisReply? {
      do throws(RedisError) {
        let reply = try pool.exchange(command, limit: limit)[0]
        // Removals that the server was not there for.
        writeIfNeeded()
        return reply
      } catch {
        note(error)
        return nil
      }
    }

    private func removeDamaged(_ key: String) {
      note(.malformedReply("a value is damaged, and is removed"))
      removeData(for: key)
    }

    /// Counts and logs a failure.
    func note(_ error: RedisError) {
      state.withLock { $0.counts.errors += 1 }
      log.note(error)
    }

    private func count(_ found: Data?) -> Data? {
      state.withLock { state in
        if found == nil { state.counts.misses += 1 } else { state.counts.hits += 1 }
      }
      return found
    }
  }

  extension RedisDataCache {
    /// The statistics of a cache since it was created.
    public struct Statistics: Sendable, Hashable {
      /// Reads that gave data.
      public var hits = 0
      /// Reads that gave none, for whatever reason.
      public var misses = 0
      /// Times that the server failed, was not asked since it had failed, or had a value that was damaged.
      public var errors = 0
      /// Values that were not stored.
      public var dropped = 0
      /// Leases that were over, or another machine's, before they were released.
      public var leasesLost = 0
      /// Values that were stored on the server.
      public var stored = 0
      /// A Boolean value that indicates whether the server has failed so often that it is not asked for a while.
      public var isOpen = false
    }

    /// The statistics so far.
    public var statistics: Statistics {
      var statistics = state.withLock { $0.counts }
      statistics.isOpen = pool.isOpen
      statistics.leasesLost = leases.lostCount
      return statistics
    }
  }
#endif
