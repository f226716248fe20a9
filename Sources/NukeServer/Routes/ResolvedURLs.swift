#if Server
  import NukeImaging
  import NukeServing

  /// Remembers what paths ask for that were asked for lately, so that a picture that many want is not signed and read
  /// again each time.
  ///
  /// Only paths with a good signature come in. Two generations take the place of an order: what is used moves to the young
  /// one, and when that is full, the old one is forgotten.
  final class ResolvedURLs: Sendable {
    private struct Generations {
      var young: [String: ResolvedURL] = [:]
      var old: [String: ResolvedURL] = [:]
    }

    private let verifier: URLVerifier
    private let presets: ImagePresets
    private let capacity: Int
    private let generations = Lock(Generations())

    /// - Parameter capacity: paths of one generation.
    init(_ verifier: URLVerifier, _ presets: ImagePresets, capacity: Int = 1024) {
      self.verifier = verifier
      self.presets = presets
      self.capacity = capacity
    }

    /// - Parameter now: seconds since 1970.
    func resolve(_ path: String, now: Int) throws(ServingError) -> ResolvedURL {
      if let known = known(path) {
        if let expires = known.options.expires, expires <= now { throw .expired }
        return known
      }
      let resolved = try ResolvedURL(path: path, verifier, presets, now: now)
      keep(resolved, for: path)
      return resolved
    }

    private func known(_ path: String) -> ResolvedURL? {
      generations.withLock { generations in
        if let young = generations.young[path] { return young }
        guard let old = generations.old[path] else { return nil }
        keep(old, for: path, in: &generations)
        return old
      }
    }

    private func keep(_ resolved: ResolvedURL, for path: String) {
      generations.withLock { keep(resolved, for: path, in: &$0) }
    }

    private func keep(_ resolved: ResolvedURL, for path: String, in generations: inout Generations) {
      if generations.young.count >= capacity {
        generations.old = generations.young
        generations.young = [:]
      }
      generations.young[path] = resolved
    }

    /// Paths that are remembered, each at most twice.
    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
  }
#endif
