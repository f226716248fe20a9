import Nuke

/// The server of the model, and its responses as a cache sees them.
extension FreshnessModel {
  struct Server {
    enum Validator { case none, tag, date }
    enum State: Equatable { case working, unreachable, refusing(Int) }

    var version = 1
    var control = Control()
    var validator = Validator.tag
    var state = State.working
    var now = 0

    /// The `Last-Modified` of version 1, long before the first request.
    static let firstDate = -1_000_000
  }

  /// The `Cache-Control` of a response. Intervals are in seconds.
  struct Control: Equatable {
    var maxAge: Int? = 60
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var mustRevalidate = false
    var noCache = false
    var noStore = false
    var immutable = false
  }

  /// A response as a cache knows it. All 200 responses are different copies: only a 304 says that a copy is current.
  struct Response: Equatable {
    let copy: Int
    let version: Int
    let validator: Server.Validator
    var control: Control
    /// The time at which it was received or last validated.
    var validated: Int

    var condition: String? {
      switch validator {
      case .none: nil
      case .tag: "tag \(version)"
      case .date: "date \(version)"
      }
    }

    /// RFC 9111 §4.2.1: `max-age`, else a tenth of the time since the last modification, at most a week.
    var lifetime: Int {
      if let maxAge = control.maxAge { return maxAge }
      guard validator == .date else { return 0 }
      return min(7 * 86_400, (validated - Server.firstDate - version) / 10)
    }

    func staleness(at now: Int) -> Int { now - validated - lifetime }
    func isFresh(at now: Int) -> Bool { staleness(at: now) < 0 }

    /// RFC 9111 §3.2: the fields of a 304 replace the stored ones. A server without directives sends no field.
    func renewed(by server: Server) -> Response {
      var renewed = self
      if server.control != Control(maxAge: nil) { renewed.control = server.control }
      renewed.validated = server.now
      return renewed
    }
  }
}

extension FreshnessModel.Response {
  /// RFC 9111 §4: how a response may be used without asking the server.
  enum Rule: Equatable {
    case fresh, accepted
    case stale(whileRevalidating: Bool)
  }

  /// - Parameter maxStale: in seconds; `nil` if the client wants no stale response.
  func rule(at now: Int, maxStale: Int?, revalidates: Bool) -> Rule {
    let (isFresh, staleness) = (isFresh(at: now), staleness(at: now))
    if control.noCache || revalidates && !(isFresh && control.immutable) { return .stale(whileRevalidating: false) }
    if isFresh { return .fresh }
    if control.mustRevalidate { return .stale(whileRevalidating: false) }
    if let maxStale, staleness <= maxStale { return .accepted }
    return .stale(whileRevalidating: control.staleWhileRevalidate.map { staleness <= $0 } ?? false)
  }

  /// RFC 9111 §4.2.4, RFC 5861 §4: what may be used after a failure of the server.
  func fallback(at now: Int, after failure: FreshnessModel.Failure) -> FreshnessModel.Freshness? {
    if control.noCache { return nil }
    switch failure {
    case .unreachable:
      if isFresh(at: now) { return .fresh }
      return control.mustRevalidate ? nil : .stale(.disconnected)
    case .status(500), .status(502), .status(503), .status(504):
      if isFresh(at: now) { return .fresh }
      guard !control.mustRevalidate, let limit = control.staleIfError else { return nil }
      return staleness(at: now) <= limit ? .stale(.serverError) : nil
    case .status, .missing: return nil
    }
  }
}
