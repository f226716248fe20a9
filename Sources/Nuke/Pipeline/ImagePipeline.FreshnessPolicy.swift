import Synchronization

extension ImagePipeline {
  /// How a pipeline treats the freshness of cached images. It applies to images loaded over HTTP; files, `data:` URLs
  /// and closures have no freshness.
  ///
  /// By the two that ask, what the memory cache and a ``DataCache`` keep carries which version of the original it was
  /// made of. One answer of the server renews the original and all that was made of it, and one new version makes all
  /// of them stale. A disk cache of the program's own cannot keep this: it is written, and read only where nothing may
  /// be loaded.
  public enum FreshnessPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Uses cached images of any age. Nothing is validated.
    case ignore
    /// Uses cached images while they are fresh, and validates stale ones (RFC 9111). Responses that the server forbids
    /// to store are not stored.
    case respect
    /// Validates cached images before each use, except fresh ones that the server marks as immutable (RFC 8246).
    case revalidate
  }

  /// A Boolean value that indicates whether nothing is sent: requests for URLs get what is stored, however old, and
  /// fail with ``Error/dataMissingInCache`` where nothing is. Files are read, and closures called.
  ///
  /// At first what ``Configuration-swift.struct/isOffline`` says. A change is for requests from then on.
  public var isOffline: Bool {
    get { offline.load(ordering: .relaxed) }
    set { offline.store(newValue, ordering: .relaxed) }
  }
}
