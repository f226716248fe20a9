import Synchronization

extension ImagePipeline {
  /// What a pipeline makes of how old stored images are. It is about images that http and https brought; files, `data:`
  /// URLs and closures have no freshness.
  ///
  /// By the two that ask, what the memory cache and a ``DataCache`` keep carries which version of the original it was made
  /// of. One answer of the server renews the original and all that was made of it, and one new version makes all of them
  /// stale. A disk cache of the program's own cannot keep this: it is written, and read only where nothing may be loaded.
  public enum FreshnessPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// What is stored is used, however old. Nothing is validated.
    case ignore
    /// What is stored is used while it is fresh, and validated after that (RFC 9111). What the server forbids to keep is
    /// not kept.
    case respect
    /// What is stored is always validated before it is used, except where it is fresh and the server says that it never
    /// changes (RFC 8246).
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
