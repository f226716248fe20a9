#if Server
  import Foundation
  import NukeImaging
  import NukeServing

  /// A URL whose signature is good, and what it asks for.
  struct ResolvedURL: Sendable {
    let source: URL
    let options: ImageOptions
    /// `true` if it says ``ImageOptions/dpr``, be it the default.
    let hasDPR: Bool
    let isSigned: Bool
    /// The first option that does not come from a preset; `nil` if there is none.
    let firstNonPresetOption: String?

    /// Parses a path. Errors in its options and source are reported only after its signature has been verified.
    ///
    /// - Parameters:
    ///   - path: as it was sent, from the slash before the signature on.
    ///   - now: seconds since 1970.
    init(path: String, _ verifier: URLVerifier, _ presets: ImagePresets, now: Int) throws(ServingError) {
      let url = try ImageURL(path: path)
      try verifier.verify(url)
      options = try url.imageOptions(presets: presets, now: now)
      guard let source = URL(string: url.source), source.scheme != nil else {
        throw .malformedURL("the source is no absolute URL")
      }
      self.source = source
      hasDPR = options.dpr != 1 || url.options.contains { $0.name == "dpr" }
      firstNonPresetOption = url.firstNonPresetOption
      isSigned = verifier.signer?.isSigned(url) ?? false
    }

    /// - Parameter now: seconds since 1970.
    func isExpired(at now: Int) -> Bool { options.expires.map { $0 <= now } ?? false }
  }

  extension ImageURL {
    /// The name of the first option that does not name presets; `nil` if there is none.
    var firstNonPresetOption: String? { options.first { $0.name != "preset" && $0.name != "pr" }?.name }
  }

  extension ServingError {
    /// Why a URL is refused where presets alone may be named.
    static func isNoPreset(_ option: String) -> ServingError {
      .invalidOption(option, "URLs may name presets and nothing else here")
    }
  }

  extension AnswerRules {
    /// Chooses what a URL leaves to the client.
    func negotiate(_ url: ResolvedURL, _ head: RequestHead) -> NegotiatedRequest {
      negotiate(source: url.source, options: url.options, hasDPR: url.hasDPR, isSigned: url.isSigned, head)
    }
  }

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

  /// The values stored recently, by path.
  ///
  /// Two generations take the place of an order: what is used moves to the young one, and when that is full, the old one is
  /// forgotten.
  struct Generations<Value> {
    private var young: [String: Value] = [:]
    private var old: [String: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: paths of one generation.
    init(capacity: Int) { self.capacity = capacity }

    /// Paths that are remembered, each at most twice.
    var count: Int { young.count + old.count }

    mutating func find(_ path: String) -> Value? {
      if let value = young[path] { return value }
      guard let value = old[path] else { return nil }
      keep(value, for: path)
      return value
    }

    mutating func keep(_ value: Value, for path: String) {
      if young.count >= capacity {
        old = young
        young = [:]
      }
      young[path] = value
    }
  }
#endif
