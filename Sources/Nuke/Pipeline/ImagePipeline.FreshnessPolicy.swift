import Synchronization

extension ImagePipeline {
  /// How a pipeline treats the freshness of cached images. It applies to images loaded over HTTP; files, `data:` URLs
  /// and closures have no freshness.
  ///
  /// With ``respect`` and ``revalidate``, entries of the memory cache and of a ``DataCache`` record the version of
  /// their original. A 304 response renews the original and all images made from it. A new version makes all of them
  /// stale. Custom disk caches do not record versions: they are written, but only cache-only requests read them.
  public enum FreshnessPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// Uses cached images of any age. Nothing is validated.
    case ignore
    /// Uses cached images while they are fresh, and validates stale ones (RFC 9111). Responses are not stored if the
    /// server forbids it.
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
