#if Server
  import Foundation
  import NukeBase
  import NukeServing

  /// A parsed URL with a valid signature.
  struct ResolvedURL: Sendable {
    /// The source and the options, before content negotiation.
    let request: RenditionRequest
    /// `true` if the URL sets ``ImageOptions/dpr``, even to its default.
    let hasDPR: Bool
    let isSigned: Bool
    /// The version of the keys and rules by which ``ResolvedURLs`` has verified it.
    fileprivate(set) var version = 0

    /// Parses a path. Errors in its options and source are reported only after its signature has been verified.
    ///
    /// - Parameters:
    ///   - path: the path as it was sent, beginning with `/info` if it requests metadata, and otherwise with the slash
    ///     before the signature.
    ///   - subject: what the signature must be for. The default is what the path requests.
    ///   - now: seconds since 1970.
    init(
      path: String, for subject: URLSigner.Subject? = nil, _ verifier: URLVerifier, _ rules: URLRules, now: Int
    ) throws(ServingError) {
      let subject: URLSigner.Subject = subject ?? (path.hasPrefix("/info/") ? .info : .image)
      let url = try rules.url(path: String(path.dropFirst(subject.pathPrefix.count)))
      try verifier.verify(url, for: subject)
      let options = try rules.options(of: url, now: now)
      request = RenditionRequest(source: try rules.source(of: url), options: options)
      hasDPR = options.dpr != 1 || url.options.contains { $0.name == "dpr" }
      isSigned = verifier.isSigned(url, for: subject)
    }

    var source: URL { request.source }

    /// - Parameter now: seconds since 1970.
    func isExpired(at now: Int) -> Bool { request.options.expires.map { $0 <= now } ?? false }
  }

  extension ResponseRules {
    /// Applies content negotiation and client hints to what the URL leaves open.
    func negotiate(_ url: ResolvedURL, _ head: RequestHead) -> NegotiatedRequest {
      negotiate(url.request, hasDPR: url.hasDPR, isSigned: url.isSigned, head)
    }
  }

  /// Caches parsed URLs by path, so that a popular image is not parsed and verified for each request. Only paths with a
  /// valid signature are stored, and all are forgotten when keys or rules change.
  final class ResolvedURLs: Sendable {
    private struct State {
      var verifier: URLVerifier
      var rules: URLRules
      var known: RecentTable<String, ResolvedURL>
      /// Paths as they were sent, for which an image was sent.
      var answered: RecentTable<String, AnsweredPath>
      /// The number of times that the keys or rules have changed.
      var version = 0
    }

    private let state: Lock<State>

    /// - Parameters:
    ///   - limit: the maximum number of cached paths.
    ///   - answeredLimit: the maximum number of paths for which an image was sent.
    init(_ verifier: URLVerifier, _ rules: URLRules, limit: Int = 2048, answeredLimit: Int = 4096) {
      state = Lock(
        State(
          verifier: verifier, rules: rules, known: RecentTable(limit: limit),
          answered: RecentTable(limit: answeredLimit)))
    }

    var rules: URLRules { state.withLock { $0.rules } }
    var signer: URLSigner? { state.withLock { $0.verifier.signer } }
    /// `true` if there are signatures that are valid for purges.
    var verifiesPurges: Bool { state.withLock { $0.verifier.purgeSigner != nil } }

    /// Uses other keys and rules from now on.
    func use(_ verifier: URLVerifier, _ rules: URLRules) {
      state.withLock { state in
        (state.verifier, state.rules) = (verifier, rules)
        state.known.removeAll()
        state.answered.removeAll()
        state.version += 1
      }
    }

    /// Parses the path of an image that is to be purged. The result is not cached.
    ///
    /// - Parameter now: seconds since 1970.
    func resolvePurge(_ path: String, now: Int) throws(ServingError) -> ResolvedURL {
      let (verifier, rules) = state.withLock { ($0.verifier, $0.rules) }
      return try ResolvedURL(path: path, for: .purge, verifier, rules, now: now)
    }

    /// - Parameter now: seconds since 1970.
    func resolve(_ path: String, now: Int) throws(ServingError) -> ResolvedURL {
      let hasOneSpelling = path.hasOneSpelling
      let (known, verifier, rules, version) = state.withLock { state in
        (hasOneSpelling ? state.known.find(path) : nil, state.verifier, state.rules, state.version)
      }
      if let known {
        if known.isExpired(at: now) { throw .expired }
        return known
      }
      var resolved = try ResolvedURL(path: path, verifier, rules, now: now)
      resolved.version = version
      if hasOneSpelling { state.withLock { if $0.version == version { $0.known[path] = resolved } } }
      return resolved
    }

    /// Returns `true` if a request with this `Authorization` field may be answered.
    func accepts(authorization: @autoclosure () -> String?) -> Bool {
      let verifier = state.withLock { $0.verifier }
      return verifier.accepts(authorization: authorization())
    }

    /// Returns the request of a path, as it was sent, for which an image was sent.
    func answered(_ path: String) -> AnsweredPath? {
      path.hasOneSpelling ? state.withLock { $0.answered.find(path) } : nil
    }

    /// Returns the same, or `nil` if a request with this `Authorization` field may not be answered.
    func answered(_ path: String, authorization: @autoclosure () -> String?) -> AnsweredPath? {
      let (entry, token) = state.withLock { ($0.answered.find(path), $0.verifier.bearerToken) }
      guard let entry, token == nil || accepts(authorization: authorization()) else { return nil }
      return entry
    }

    /// Remembers a path for which an image was sent. Does nothing if the keys or rules have changed since it was verified.
    ///
    /// - Parameter prefix: the prefix of all image paths.
    func noteAnswered(_ path: String, _ resolved: ResolvedURL, prefix: String) {
      guard path.hasOneSpelling, answered(path) == nil, let entry = AnsweredPath(path, resolved, prefix: prefix) else {
        return
      }
      state.withLock { if $0.version == resolved.version { $0.answered[path] = entry } }
    }

    var count: Int { state.withLock { $0.known.count } }
  }

  extension String {
    /// `true` if only the same bytes are an equal string. Strings that are not in ASCII are equal to others that differ in
    /// Unicode normalization, and name other files.
    fileprivate var hasOneSpelling: Bool { utf8.allSatisfy { $0 < 0x80 } }
  }
#endif
