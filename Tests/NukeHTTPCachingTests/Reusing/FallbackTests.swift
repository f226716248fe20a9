import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.2.4: stored responses served when the origin fails") struct FallbackTests {
  var policy = CachePolicy()

  init() { policy.staleWhenDisconnected = .never }

  func fallback(
    _ control: String, _ failure: Failure, after seconds: Int = 70, request fields: HTTPFields = [:],
    mode: CacheRequest.Mode = .respect
  ) -> Reuse? {
    policy.fallback(
      for: request(fields, mode: mode), stored: [stored(["Cache-Control": control])], after: failure,
      now: noon + seconds)
  }

  @Test(
    "RFC 5861 §4: A response within stale-if-error is used",
    arguments: [.disconnected, .status(500), .status(502), .status(503), .status(504)] as [Failure])
  func staleIfError(_ failure: Failure) {
    #expect(
      fallback("max-age=60, stale-if-error=10", failure)?.staleness
        == (failure == .disconnected ? .disconnected : .error))
    #expect(fallback("max-age=60, stale-if-error=10", failure, after: 71) == nil)
    #expect(fallback("max-age=60", failure) == nil)
    #expect(fallback("max-age=60", failure, request: ["Cache-Control": "stale-if-error=10"]) != nil)
  }

  @Test("A private response is not used if the cache serves other clients")
  mutating func forOthers() {
    #expect(fallback("private, max-age=60, stale-if-error=10", .status(500)) != nil)
    policy.storesPrivate = false
    #expect(fallback("private, max-age=60, stale-if-error=10", .status(500)) == nil)
  }

  @Test(
    "Statuses that are not failures of the origin have no fallback",
    arguments: [200, 304, 400, 404, 410, 429, 501, 505])
  func otherStatuses(_ status: Int) {
    #expect(fallback("max-age=60, stale-if-error=10", .status(status)) == nil)
  }

  @Test("The policy can allow stale responses if the origin cannot be reached or fails")
  mutating func allowed() {
    policy.staleWhenDisconnected = .upTo(10)
    #expect(fallback("max-age=60", .disconnected)?.staleness == .disconnected)
    #expect(fallback("max-age=60", .disconnected, after: 71) == nil)
    #expect(fallback("max-age=60", .status(503)) == nil)
    policy.staleOnServerError = .always
    #expect(fallback("max-age=60", .status(503), after: 86_400)?.staleness == .error)
    #expect(CachePolicy().staleWhenDisconnected == .always && CachePolicy().staleOnServerError == .never)
  }

  @Test("A fallback that the response or the request forbids is not used", arguments: ["must-revalidate", "no-cache"])
  mutating func forbidden(_ directive: String) {
    policy.staleWhenDisconnected = .always
    policy.staleOnServerError = .always
    for failure in [Failure.disconnected, .status(503)] {
      #expect(fallback("max-age=60, stale-if-error=99, \(directive)", failure) == nil)
      #expect(fallback("max-age=60, stale-if-error=99", failure, request: ["Cache-Control": "no-cache"]) == nil)
      #expect(fallback("max-age=60, stale-if-error=99", failure, request: ["Cache-Control": "no-store"]) == nil)
      #expect(fallback("max-age=60, stale-if-error=99", failure, request: ["Cache-Control": "max-age=65"]) == nil)
      #expect(fallback("max-age=60, stale-if-error=99", failure, mode: .reload) == nil)
    }
  }

  @Test("A fresh response is used, although the program requested validation")
  func fresh() {
    #expect(
      fallback("max-age=60, must-revalidate", .disconnected, after: 5, mode: .revalidate)?.staleness
        == Optional<Reuse.Staleness>.none)
    #expect(fallback("max-age=60, must-revalidate", .disconnected, after: 5, mode: .revalidate) != nil)
  }

  @Test("Only a whole, valid response of the matching variant is used")
  mutating func selected() {
    policy.staleWhenDisconnected = .always
    func fallback(_ response: StoredResponse, _ request: CacheRequest = request(["Foo": "1"])) -> Reuse? {
      policy.fallback(for: request, stored: [response], after: .disconnected, now: noon)
    }
    #expect(fallback(stored(["Vary": "Foo"], selecting: ["Foo": "1"])) != nil)
    #expect(fallback(stored(["Vary": "Foo"], selecting: ["Foo": "2"])) == nil)
    #expect(fallback(stored([:], status: 206, content: .part(first: 0, count: 5, total: 10))) == nil)
    #expect(fallback(stored([:]), request(method: "POST")) == nil)
    var doubtful = stored([:])
    doubtful.isDoubtful = true
    #expect(fallback(doubtful) == nil)
  }
}
