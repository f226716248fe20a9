#if Server
  import Foundation
  import NukeImaging
  import NukeServing

  /// A parsed URL with a valid signature.
  struct ResolvedURL: Sendable {
    let source: URL
    let options: ImageOptions
    /// `true` if the URL sets ``ImageOptions/dpr``, even to its default.
    let hasDPR: Bool
    let isSigned: Bool
    /// The first option that does not come from a preset; `nil` if there is none.
    let firstNonPresetOption: String?

    /// Parses a path. Errors in its options and source are reported only after its signature has been verified.
    ///
    /// - Parameters:
    ///   - path: the path as it was sent, beginning with `/info` if it requests metadata, and otherwise with the slash
    ///     before the signature.
    ///   - now: seconds since 1970.
    init(path: String, _ verifier: URLVerifier, _ presets: ImagePresets, now: Int) throws(ServingError) {
      let subject: URLSigner.Subject = path.hasPrefix("/info/") ? .info : .image
      let url = try ImageURL(path: String(path.dropFirst(subject.rawValue.count)))
      try verifier.verify(url, for: subject)
      options = try url.imageOptions(presets: presets, now: now)
      guard let source = URL(string: url.source), source.scheme != nil else {
        throw .malformedURL("the source is not an absolute URL")
      }
      self.source = source
      hasDPR = options.dpr != 1 || url.options.contains { $0.name == "dpr" }
      firstNonPresetOption = url.firstNonPresetOption
      isSigned = verifier.signer?.isSigned(url, for: subject) ?? false
    }

    /// - Parameter now: seconds since 1970.
    func isExpired(at now: Int) -> Bool { options.expires.map { $0 <= now } ?? false }
  }

  extension ImageURL {
    /// The name of the first option that does not name presets; `nil` if there is none.
    var firstNonPresetOption: String? { options.first { $0.name != "preset" && $0.name != "pr" }?.name }
  }

  extension ServingError {
    /// The error for a URL with an option that is not a preset, if only presets are allowed.
    static func isNoPreset(_ option: String) -> ServingError {
      .invalidOption(option, "only presets are allowed in URLs")
    }
  }

  extension AnswerRules {
    /// Applies content negotiation and client hints to what the URL leaves open.
    func negotiate(_ url: ResolvedURL, _ head: RequestHead) -> NegotiatedRequest {
      negotiate(source: url.source, options: url.options, hasDPR: url.hasDPR, isSigned: url.isSigned, head)
    }
  }

  /// Caches parsed URLs by path, so that a popular image is not parsed and verified for each request. Only paths with a
  /// valid signature are stored.
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

    /// The number of stored entries. A path can be stored twice.
    var count: Int { known.withLock { $0.count } }
  }

  /// A cache of recently used values, by path.
  ///
  /// It consists of two generations. A used value moves to the young generation. When that is full, the old generation
  /// is dropped.
  struct Generations<Value> {
    private var young: [String: Value] = [:]
    private var old: [String: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: the maximum number of paths in one generation.
    init(capacity: Int) { self.capacity = capacity }

    /// The number of stored entries. A path can be stored twice.
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
