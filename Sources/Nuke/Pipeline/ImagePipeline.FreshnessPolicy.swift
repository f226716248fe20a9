import Synchronization

extension ImagePipeline {
  /// How a pipeline treats the freshness of cached images. It applies to images loaded over HTTP; files, `data:` URLs
  /// and closures have no freshness.
  ///
  /// With ``respect`` and ``revalidate``, entries of the memory cache and of a ``DataCache`` record the version of the
  /// original that they were made of. A 304 renews the original and all images made of it, and a new version makes all
  /// of them stale. Other disk caches do not record versions: they are written, and read only by cache-only requests.
  public enum FreshnessPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Uses cached images of any age. Nothing is validated.
    case ignore
    /// Uses cached images while they are fresh, and validates stale ones (RFC 9111). Responses that the server forbids
    /// to store are not stored.
    case respect
    /// Validates cached images before each use, except fresh ones that the server marks as immutable (RFC 8246).
    case revalidate
  }

  /// A Boolean value that indicates whether the pipeline sends no requests.
  ///
  /// Requests for URLs then get cached images of any age, or fail with ``Error/dataMissingInCache``. Files are read,
  /// and closures are called. The initial value is ``Configuration-swift.struct/isOffline``. A change applies to later
  /// requests.
  public var isOffline: Bool {
    get { offline.load(ordering: .relaxed) }
    set { offline.store(newValue, ordering: .relaxed) }
  }
}
