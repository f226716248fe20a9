public import Foundation
public import Nuke

extension S3DataCache {
  /// The limits of a cache.
  public struct Configuration: Sendable, Hashable {
    /// The time limit for a request in seconds. A read takes no longer than this, except while there are no valid
    /// credentials: then it also waits for ``S3CredentialProvider``.
    public var timeout: TimeInterval = 2
    /// The time limit for connecting, in seconds.
    public var connectTimeout: TimeInterval = 1
    /// The maximum size of pending writes, in bytes. Above it, new data is dropped, and the old object with the same
    /// key is removed.
    public var maximumPendingBytes = 64 << 20
    /// The maximum number of concurrent writes.
    public var maximumConcurrentWrites = 4
    /// The maximum size of an object that is read, in bytes.
    public var maximumObjectSize = 64 << 20
    /// The number of consecutive failures after which the store is not used for ``restTime``.
    public var failureThreshold = 5
    /// The time for which a failing store is not used, in seconds. In that time all reads are misses, and nothing is
    /// written.
    public var restTime: TimeInterval = 10
    /// The proxy. The default is the one in the environment.
    public var proxy = DataLoader.Configuration.Proxy.environment
    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?

    /// Creates a configuration with the default values.
    public init() {}
  }

  /// The statistics of a cache.
  public struct Statistics: Sendable, Hashable {
    public var hits = 0
    public var misses = 0
    public var writes = 0
    public var removals = 0
    /// The number of failed requests: the store was unreachable, timed out, refused a write, or sent an invalid list.
    public var failures = 0
    /// The number of refused reads (403), which count as misses. Amazon S3 sends this status for a missing object if
    /// the credentials do not allow listing the bucket. All stores send it for wrong credentials, and then writes fail
    /// too.
    public var refusals = 0
    /// The number of objects whose data does not match their key and checksum.
    public var damaged = 0
    /// The number of writes that were dropped because of the limit or because the store was suspended.
    public var dropped = 0
    /// The number of reads that were not attempted because the store was suspended.
    public var skipped = 0
    /// The size of pending and running writes, in bytes.
    public var pendingBytes = 0
    /// A Boolean value that indicates whether the store is suspended after failures.
    public var isResting = false
    /// A description of the last failure, for the operator.
    public var lastFailure: String?

    public init() {}
  }

  /// The reason why a cache cannot be created.
  public enum Error: Swift.Error, Hashable, CustomStringConvertible {
    case invalidBucket(String)
    /// The prefix is empty, or contains characters other than letters, digits, `-._` and single slashes.
    case invalidPrefix(String)

    public var description: String {
      switch self {
      case .invalidBucket(let name): "\"\(name)\" is not a valid bucket name."
      case .invalidPrefix(let prefix):
        "\"\(prefix)\" cannot be the prefix of a cache: use letters, digits, \"-._\" and single slashes."
      }
    }
  }
}
