public import Foundation
public import Nuke

extension S3DataCache {
  /// The limits that a cache keeps.
  public struct Configuration: Sendable, Hashable {
    /// Seconds that one request may take; whoever reads waits no longer than this.
    public var timeout: TimeInterval = 2
    /// Seconds to a connection.
    public var connectTimeout: TimeInterval = 1
    /// Bytes that wait to be written, at most. What comes while there is no room is not kept, and what its key had before
    /// is removed.
    public var maximumPendingBytes = 64 << 20
    /// Writes at a time.
    public var maximumConcurrentWrites = 4
    /// The largest object that is read, in bytes.
    public var maximumObjectSize = 64 << 20
    /// Failures in a row after which the store is left alone for ``restTime``.
    public var failureThreshold = 5
    /// Seconds for which a store that fails is left alone. All reads are misses meanwhile, at once, and nothing is written.
    public var restTime: TimeInterval = 10
    /// The proxy. The default is the one in the environment.
    public var proxy = DataLoader.Configuration.Proxy.environment
    /// A file with the certificates of the authorities to trust, in PEM, in place of the system's.
    public var caFile: String?

    /// The defaults.
    public init() {}
  }

  /// The statistics of a cache.
  public struct Statistics: Sendable, Hashable {
    public var hits = 0
    public var misses = 0
    public var writes = 0
    public var removals = 0
    /// Requests that failed: the store was not reached, did not answer in time, or refused a write.
    public var failures = 0
    /// Reads that were refused (403), which are misses too: Amazon's store says so of objects that are not there where the
    /// key may not list the bucket, and all stores say so of a key that is wrong, whose writes fail as well.
    public var refusals = 0
    /// Objects that were not what was stored under their keys.
    public var damaged = 0
    /// Writes that were given up, since there was no room for them or the store rested.
    public var dropped = 0
    /// Reads that were not tried while the store rested.
    public var skipped = 0
    /// Bytes that wait to be written, or are about to be.
    public var pendingBytes = 0
    /// A Boolean value that indicates whether the store is left alone for now.
    public var isResting = false
    /// The last failure in words, for whoever runs the server.
    public var lastFailure: String?

    public init() {}
  }

  /// Why there cannot be such a cache.
  public enum Error: Swift.Error, Hashable, CustomStringConvertible {
    case invalidBucket(String)
    /// A prefix that is empty, or has other characters than letters, digits, `-._` and single slashes.
    case invalidPrefix(String)

    public var description: String {
      switch self {
      case .invalidBucket(let name): "\"\(name)\" cannot be the name of a bucket."
      case .invalidPrefix(let prefix):
        "\"\(prefix)\" cannot be the prefix of a cache: it takes letters, digits, \"-._\" and single slashes."
      }
    }
  }
}
