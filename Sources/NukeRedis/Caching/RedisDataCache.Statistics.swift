#if Redis
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
