#if Server
  import NukeImaging
  import NukeServing

  /// Remembers what paths ask for that were asked for lately, so that an image that many want is not signed and read
  /// again each time. Only paths with a good signature come in.
  final class ResolvedURLs: Sendable {
    private let verifier: URLVerifier
    private let presets: ImagePresets
    private let known: Lock<Generations<ResolvedURL>>

    /// - Parameter capacity: see ``Generations``.
    init(_ verifier: URLVerifier, _ presets: ImagePresets, capacity: Int = 1024) {
      self.verifier = verifier
      self.presets = presets
      known = Lock(Generations(capacity: capacity))
    }

    /// - Parameter now: seconds since 1970.
    func resolve(_ path: String, now: Int) throws(ServingError) -> ResolvedURL {
      if let known = known.withLock({ $0.find(path) }) {
        if known.isExpired(at: now) { throw .expired }
        return known
      }
      let resolved = try ResolvedURL(path: path, verifier, presets, now: now)
      known.withLock { $0.keep(resolved, for: path) }
      return resolved
    }

    /// Paths that are remembered, each at most twice.
    var count: Int { known.withLock { $0.count } }
  }
#endif
