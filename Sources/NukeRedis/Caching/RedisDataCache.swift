#if Redis
  import Dispatch
  public import Foundation
  public import Nuke

  /// A data cache in a Redis server, shared by many machines.
  ///
  /// ```swift
  /// let redis = RedisDataCache(try RedisConfiguration(url: "redis://:secret@cache.internal:6379/1"))
  /// let pipeline = ImagePipeline { $0.dataCache = redis }
  /// ```
  ///
  /// If several machines need the same entry at the same time, one downloads or processes it, and the others read it
  /// from the cache; see ``RedisLeases``.
  ///
  /// The cache throws no errors. If the server is unreachable or slow, reads count as misses and stored data is
  /// dropped. A caller waits at most for ``RedisConfiguration/connectTimeout`` and
  /// ``RedisConfiguration/commandTimeout``. After several failures, it does not wait at all until the server works
  /// again. ``statistics`` counts these cases.
  ///
  /// Stored data can be read back at once. A thread of the cache sends it. Values have a checksum; a damaged value is a
  /// miss and is removed.
  ///
  /// With ``RedisConfiguration/Address/sentinels(_:primary:)``, the cache uses the current primary.
  ///
  /// Removals that fail because the server is unreachable are repeated later. Configure the server to evict old values
  /// (`maxmemory-policy allkeys-lru`). May be used from any thread and by several programs.
  public final class RedisDataCache: DataCaching, DataLeasing {
    struct State {
      var changes: PendingWrites
      var isWriting = false
      var counts = Statistics()
    }

    public let configuration: RedisConfiguration
    /// The leases shared by all machines that use the same server and key prefix.
    public let leases: RedisLeases

    package let pool: RedisPool
    let log: RedisLog
    let keys: RedisKeys
    let state: Lock<State>
    /// The maximum number of steps when all data is removed.
    let scanLimit: Int
    let queue = DispatchQueue(label: "nuke.redis.writing", qos: .utility)

    /// Creates a cache. Connects on first use.
    public convenience init(_ configuration: RedisConfiguration) {
      self.init(RedisPool(configuration) { RedisConnection.now })
    }

    /// - Parameter scanLimit: the maximum number of steps when all data is removed. No server has enough keys to reach
    ///   the default.
    package init(_ pool: RedisPool, scanLimit: Int = 10_000_000) {
      self.pool = pool
      self.scanLimit = scanLimit
      configuration = pool.configuration
      log = pool.log
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
      // `GETRANGE` limits the reply: other clients may have stored larger values.
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
      default: note(.malformedReply("GETRANGE must return bytes"))
      }
      return count(nil)
    }

    /// Returns `true` if data is stored for `key`, without verifying the data. Returns `false` if the server does not
    /// respond in time.
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
      default: note(.malformedReply("EXISTS must return a number"))
      }
      return false
    }

    /// Stores data for ``RedisConfiguration/timeToLive`` and returns at once; it can be read back at once.
    public func storeData(_ data: Data, for key: String) {
      storeData(data, for: key, timeToLive: configuration.timeToLiveOfValue?(key, data) ?? configuration.timeToLive)
    }

    /// Stores data and returns at once. The data can be read back at once.
    ///
    /// Data above ``RedisConfiguration/maximumValueSize`` is dropped, and so is data above
    /// ``RedisConfiguration/backlogLimit``. The old data for `key` is then removed.
    ///
    /// - Parameters:
    ///   - data: the data.
    ///   - key: the key of the cache, without the prefix.
    ///   - timeToLive: the lifetime of the data in seconds. If it is 0, the data for `key` is removed.
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

    /// Removes all data with this cache's key prefix, including data from other machines. Returns at once.
    public func removeAll() { change { $0.changes.removeAll() } }

    // MARK: DataLeasing

    /// The value of ``RedisConfiguration/leaseTimeout``.
    public var leaseTimeout: TimeInterval { leases.leaseTimeout }

    /// Acquires the lease for the work whose result is stored for `key`. Only one of all machines holds it. It is
    /// released after the data that was stored meanwhile is on the server.
    public func lease(for key: String) -> DataLeaseAttempt {
      leases.lease(for: key) { [self] release in
        follow(key, release)
      }
    }

    /// Calls `body` when the pending change of `key` is on the server or was dropped. Returns `false` if there is no
    /// pending change.
    private func follow(_ key: String, _ body: @escaping @Sendable () -> Void) -> Bool {
      let isPending = state.withLock { $0.changes.follow(key, body) }
      // A removal may be pending because the server was unreachable.
      if isPending { writeIfNeeded() }
      return isPending
    }

    // MARK: Commands

    private func pending(_ key: String) -> PendingWrites.Write? { state.withLock { $0.changes[key] } }

    /// Returns the reply to a command; `nil` if it fails, which is counted and logged.
    private func ask(_ command: RedisCommands, limit: Int) -> RedisReply? {
      do throws(RedisError) {
        let reply = try pool.exchange(command, as: .read, limit: limit)[0]
        // Sends removals that failed while the server was unreachable.
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
      /// The number of reads that returned data.
      public var hits = 0
      /// The number of reads that returned no data, for any reason.
      public var misses = 0
      /// The number of failed commands, commands that were not sent after failures, and damaged values.
      public var errors = 0
      /// The number of values that were dropped instead of stored: too large, above the limit of pending writes,
      /// refused by the server, or waiting when a connection failed.
      public var dropped = 0
      /// The number of leases that had expired, or were held by another machine, when they were released.
      public var leasesLost = 0
      /// The number of values that were stored on the server.
      public var stored = 0
      /// A Boolean value that indicates whether the server is not used for a while after repeated failures.
      public var isOpen = false
    }

    /// The statistics since the cache was created.
    public var statistics: Statistics {
      var statistics = state.withLock { $0.counts }
      statistics.isOpen = pool.isOpen
      statistics.leasesLost = leases.lostCount
      return statistics
    }
  }
#endif
