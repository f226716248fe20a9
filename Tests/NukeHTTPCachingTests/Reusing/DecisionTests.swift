import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4: how a request is answered") struct DecisionTests {
  var policy = CachePolicy()

  /// Fresh for a minute, as all tests here want it that say nothing else.
  let fresh: HTTPFields = ["Cache-Control": "max-age=60", "Date": httpDate(), "ETag": "\"a\""]

  func decide(_ request: CacheRequest, _ stored: StoredResponse..., after seconds: Int = 0) -> Decision {
    policy.decide(request, stored: stored, now: noon + seconds)
  }

  @Test("A fresh response is used without a request to the origin")
  func withoutAsking() throws {
    let reuse = try #require(decide(request(), stored(fresh), after: 59).reuse)
    #expect(reuse.staleness == nil && reuse.kind == .whole && reuse.freshness.age == 59)
    #expect(decide(request(method: "HEAD"), stored(fresh)).kind == "use")
  }

  @Test("A stale response is validated")
  func stale() throws {
    let decision = decide(request(), stored(fresh), after: 60)
    #expect(decision.kind == "validate")
    let forward = try #require(decision.forward)
    #expect(forward.reason == .stale && forward.validating == [0])
    #expect(forward.fields == ["If-None-Match": "\"a\""])
  }

  @Test("§5.2.2.7: A private response is validated if the cache serves other clients")
  mutating func forOthers() {
    let own = stored(["Cache-Control": "private, max-age=60", "ETag": "\"a\""])
    #expect(decide(request(), own).kind == "use")
    policy.storesPrivate = false
    #expect(decide(request(), own).forward?.validating == [0])
  }

  @Test("The request is sent to the origin if no response is stored or no variant matches")
  func misses() {
    #expect(decide(request()).forward?.reason == .uriMiss)
    let variant = stored(["Cache-Control": "max-age=60", "Vary": "Foo"], selecting: ["Foo": "1"])
    let other = decide(request(["Foo": "2"]), variant)
    #expect(other.kind == "fetch" && other.forward?.reason == .varyMiss)
    #expect(decide(request(["Foo": "1"]), variant).kind == "use")
  }

  @Test(
    "Methods other than GET and HEAD are always sent to the origin",
    arguments: ["POST", "PUT", "OPTIONS", "get", ""])
  func methods(_ method: String) {
    let decision = decide(request(["Cache-Control": "only-if-cached"], method: method), stored(fresh))
    #expect(decision.kind == "fetch" && decision.forward?.reason == .method)
    #expect(decide(request(method: method, mode: .onlyStored), stored(fresh)).kind == "unavailable")
  }

  @Test("§4: The newest of several matching responses is used")
  func newest() {
    let old = stored(["Cache-Control": "max-age=600", "Date": httpDate(-20)])
    let new = stored(["Cache-Control": "max-age=600", "Date": httpDate(-10)])
    let late = stored(["Cache-Control": "max-age=600", "Date": httpDate(-10)], at: noon + 1)
    #expect(decide(request(), old, new).reuse?.index == 1)
    #expect(decide(request(), new, old).reuse?.index == 0)
    #expect(decide(request(), new, late, old, after: 2).reuse?.index == 1)
  }

  @Test("§5.2.2.4: A response with no-cache is always validated")
  func noCache() {
    let response = stored(["Cache-Control": "max-age=60, no-cache", "ETag": "\"a\""])
    #expect(decide(request(), response).kind == "validate")
    #expect(decide(request(), response).forward?.reason == .request)
    #expect(decide(request(["Cache-Control": "max-stale"]), response, after: 99).kind == "validate")
    #expect(decide(request(), stored(["Cache-Control": "max-age=60, no-cache=\"a\""])).kind == "use")
  }

  @Test("§4.4: An invalidated response is always validated")
  func doubtful() {
    var response = stored(fresh)
    response.isDoubtful = true
    #expect(decide(request(), response).kind == "validate")
    #expect(decide(request(["Cache-Control": "max-stale"]), response).kind == "validate")
  }

  @Test("§5.2.1.1: A response older than the request's max-age is validated")
  func maxAge() {
    #expect(decide(request(["Cache-Control": "max-age=10"]), stored(fresh), after: 10).kind == "use")
    #expect(decide(request(["Cache-Control": "max-age=10"]), stored(fresh), after: 11).kind == "validate")
    #expect(decide(request(["Cache-Control": "max-age=0"]), stored(fresh)).kind == "validate")
    #expect(decide(request(["Cache-Control": "max-age=x"]), stored(fresh)).kind == "validate")
    #expect(decide(request(["Cache-Control": "max-age=10, max-stale"]), stored(fresh), after: 70).kind == "validate")
  }

  @Test("§5.2.1.2: A stale response is used within the request's max-stale")
  func maxStale() {
    let tolerant = request(["Cache-Control": "max-stale=10"])
    #expect(decide(tolerant, stored(fresh), after: 70).reuse?.staleness == .request)
    #expect(decide(tolerant, stored(fresh), after: 71).kind == "validate")
    #expect(decide(request(["Cache-Control": "max-stale"]), stored(fresh), after: 86_400).kind == "use")
    #expect(decide(request(["Cache-Control": "max-stale=x"]), stored(fresh), after: 61).kind == "validate")
  }

  @Test("§5.2.1.3: A response that is fresh for less than the request's min-fresh is validated")
  func minFresh() {
    #expect(decide(request(["Cache-Control": "min-fresh=20"]), stored(fresh), after: 40).kind == "use")
    #expect(decide(request(["Cache-Control": "min-fresh=20"]), stored(fresh), after: 41).kind == "validate")
    #expect(
      decide(
        request(["Cache-Control": "min-fresh=x"]), stored(["Cache-Control": "max-age=99999999999", "ETag": "\"a\""])
      ).kind == "validate")
  }

  @Test("§5.2.1.4, §5.2.1.5: A request with no-cache or no-store is sent to the origin")
  func requestNoCache() {
    let decision = decide(request(["Cache-Control": "no-cache"]), stored(fresh))
    #expect(decision.kind == "validate" && decision.forward?.reason == .request)
    #expect(decide(request(["Pragma": "no-cache"]), stored(fresh)).kind == "validate")
    let fetch = decide(request(["Cache-Control": "no-store"]), stored(fresh))
    #expect(fetch.kind == "fetch" && fetch.forward?.fields.isEmpty == true)
  }

  @Test("§5.2.1.7: only-if-cached without a usable stored response is answered with 504")
  func onlyIfCached() {
    let only = request(["Cache-Control": "only-if-cached"])
    #expect(decide(only, stored(fresh)).kind == "use")
    #expect(decide(only, stored(fresh), after: 60).kind == "unavailable")
    #expect(decide(only).kind == "unavailable")
    #expect(decide(request(["Cache-Control": "only-if-cached, no-store"]), stored(fresh)).kind == "unavailable")
    #expect(decide(request(["Cache-Control": "only-if-cached, max-stale"]), stored(fresh), after: 99).kind == "use")
  }

  @Test("§5.2.2.2: A stale response with must-revalidate is validated, regardless of request and policy")
  mutating func mustRevalidate() {
    policy.staleWhileRevalidating = .always
    let response = stored(["Cache-Control": "max-age=60, must-revalidate, stale-while-revalidate=99", "ETag": "\"a\""])
    #expect(decide(request(), response, after: 59).kind == "use")
    #expect(decide(request(["Cache-Control": "max-stale"]), response, after: 60).kind == "validate")
    #expect(decide(request(), response, after: 60).kind == "validate")
  }

  @Test("RFC 5861 §3: Within stale-while-revalidate, a stale response is used and validated in the background")
  func staleWhileRevalidate() throws {
    let response = stored(["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""])
    let decision = decide(request(), response, after: 90)
    #expect(decision.kind == "useStale" && decision.reuse?.staleness == .whileRevalidating)
    #expect(decision.forward?.fields == ["If-None-Match": "\"a\""])
    #expect(decide(request(), response, after: 91).kind == "validate")
    #expect(decide(request(), response, after: 59).kind == "use")
    // Who says how old or how fresh it has to be does not want it.
    #expect(decide(request(["Cache-Control": "max-age=70"]), response, after: 80).kind == "validate")
    #expect(decide(request(["Cache-Control": "no-cache"]), response, after: 80).kind == "validate")
  }

  @Test("RFC 5861 §3: The policy can allow stale responses during validation")
  mutating func policyWhileRevalidating() {
    policy.staleWhileRevalidating = .upTo(10)
    #expect(decide(request(), stored(fresh), after: 70).kind == "useStale")
    #expect(decide(request(), stored(fresh), after: 71).kind == "validate")
  }

  @Test("§4.3.2: A request whose conditions only the origin can evaluate is sent to the origin")
  func originConditions() {
    #expect(decide(request(["If-Match": "\"a\""]), stored(fresh)).kind == "fetch")
    #expect(decide(request(["If-Unmodified-Since": httpDate()]), stored(fresh)).kind == "fetch")
  }

  @Test("The modes of a request: never validated, always validated, never reused, or never loaded")
  func modes() {
    let noCache = stored(["Cache-Control": "no-cache", "ETag": "\"a\""])
    #expect(decide(request(mode: .ignore), noCache, after: 9999).reuse?.staleness == .request)
    #expect(decide(request(mode: .ignore), stored(fresh)).reuse?.staleness == Optional<Reuse.Staleness>.none)
    #expect(decide(request(mode: .ignore)).kind == "fetch")
    #expect(decide(request(mode: .onlyStored), noCache, after: 9999).kind == "use")
    #expect(decide(request(mode: .onlyStored)).kind == "unavailable")
    #expect(decide(request(mode: .reload), stored(fresh)).forward?.reason == .bypass)
    #expect(decide(request(mode: .revalidate), stored(fresh)).kind == "validate")
  }

  @Test("RFC 8246 §2: A fresh immutable response is not validated")
  func immutable() throws {
    let response = stored(["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""])
    #expect(decide(request(mode: .revalidate), response).kind == "use")
    let stale = decide(request(mode: .revalidate), response, after: 60)
    #expect(stale.forward?.fields == ["Cache-Control": "max-age=0", "If-None-Match": "\"a\""])
    #expect(decide(request(["Cache-Control": "no-cache"], mode: .revalidate), response).kind == "validate")
  }
}
