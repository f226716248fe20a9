import NukeHTTPCaching
import Testing

/// Requests and responses of random fields: right ones, damaged ones, and nonsense.
@Suite("10,000 random sets of header fields") struct RandomResponsesTests {
  static let names = [
    "Cache-Control", "cache-control", "Age", "Date", "Expires", "Last-Modified", "ETag", "Vary", "Pragma",
    "Content-Range", "Content-Length", "Content-Location", "Location", "Connection", "Set-Cookie", "Range",
    "If-None-Match", "If-Modified-Since", "If-Range", "If-Match", "Authorization", "Accept", "Accept-Language",
    "Content-Language", "Transfer-Encoding", "X-Own",
  ]
  static let values = [
    "no-store", "no-cache", "max-age=60", "max-age=0", "max-age=99999999999999999999", "max-age=-1", "max-age",
    "must-revalidate", "public", "private", "immutable", "must-understand", "s-maxage=9",
    "stale-while-revalidate=60", "stale-if-error=600", "max-stale", "max-stale=30", "min-fresh=20",
    "min-fresh=99999999999999999", "only-if-cached", "no-cache=\"Set-Cookie\"", "no-cache=\"", "0", "-1", "5", "100",
    "2147483648", "\"a\"", "W/\"a\"", "\"b\", \"a\"", "*", "a", "", ",,,", "\"", "Accept", "Accept, Foo",
    "bytes 0-9/100", "bytes 10-99/100", "bytes 9-0/5", "bytes */100", "bytes=0-9", "bytes=-5", "bytes=90-", "bytes=x",
    "bytes=0-9,20-29", "/b.jpg", "https://other.test/", "a.jpg", "//", "close, X-Own", "en, de;q=0.5", "de", httpDate(),
    httpDate(-3600), httpDate(3600), httpDate(-90), "Sunday, 06-Nov-94 08:49:37 GMT", "Thu, 99 Zzz 2020 00:00:00 GMT",
  ]
  static let statuses = [
    200, 200, 200, 200, 203, 204, 206, 206, 301, 304, 304, 404, 410, 416, 500, 503, 599, 100, 0, -7, 1000,
  ]
  static let methods = ["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "", "BREW"]
  static let modes: [CacheRequest.Mode] = [.respect, .respect, .respect, .revalidate, .ignore, .onlyStored, .reload]

  func fields(_ random: inout Generator) -> HTTPFields {
    var fields = HTTPFields()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var value = Self.values.randomElement(using: &random) ?? ""
      if Int.random(in: 0..<3, using: &random) == 0 {
        value += ", " + (Self.values.randomElement(using: &random) ?? "")
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        var bytes = Array(value.utf8)
        bytes.insert(UInt8.random(in: 0...127, using: &random), at: Int.random(in: 0...bytes.count, using: &random))
        value = String(decoding: bytes, as: UTF8.self)
      }
      fields.append(Self.names.randomElement(using: &random) ?? "", value)
    }
    return fields
  }

  func request(_ random: inout Generator) -> CacheRequest {
    CacheRequest(
      method: Self.methods.randomElement(using: &random) ?? "", url: url, fields: fields(&random),
      mode: Self.modes.randomElement(using: &random) ?? .respect)
  }

  func policy(_ random: inout Generator) -> CachePolicy {
    var policy = CachePolicy()
    let allowances: [StaleAllowance] = [.never, .upTo(30), .upTo(-1), .upTo(.max), .always]
    policy.staleOnServerError = allowances.randomElement(using: &random) ?? .never
    policy.staleWhenDisconnected = allowances.randomElement(using: &random) ?? .never
    policy.staleWhileRevalidating = allowances.randomElement(using: &random) ?? .never
    policy.negative = [.off, .seconds(20), .seconds(.max), .seconds(.min)].randomElement(using: &random) ?? .off
    return policy
  }

  /// What is stored after a few exchanges, through decisions, receptions and bytes.
  func store(_ policy: CachePolicy, _ random: inout Generator, now: inout Timestamp) throws -> [StoredResponse] {
    var stored: [StoredResponse] = []
    for _ in 0..<4 {
      let request = request(&random)
      now = now + Int.random(in: 0...100, using: &random)
      guard let forward = policy.decide(request, stored: stored, now: now).forward else { continue }
      let response = received(
        Self.statuses.randomElement(using: &random) ?? 200, fields(&random), at: now,
        delay: Int.random(in: -1...9, using: &random))
      let reception = policy.receive(response, to: request, sending: forward, stored: stored)
      try check(reception, of: response, to: request, stored)
      for renewal in reception.renewals { stored[renewal.index] = renewal.response }
      stored = stored.indices.filter { !reception.removals.contains($0) }.map { stored[$0] }
      if let entry = reception.entry?.finished(bodyLength: Int.random(in: 0...100, using: &random)) {
        let bytes = try #require(entry.encoded)
        let read = try #require(StoredResponse(encoded: bytes))
        #expect(read == entry)
        stored.append(read)
      }
    }
    return stored
  }

  func check(
    _ reception: Reception, of response: ReceivedResponse, to request: CacheRequest, _ stored: [StoredResponse]
  ) throws {
    let control = ResponseCacheControl(response.fields)
    if control.noStore && !control.mustUnderstand || request.directives.noStore {
      #expect(reception.entry == nil, "no-store is never stored")
    }
    #expect(reception.removals.allSatisfy { stored.indices.contains($0) })
    #expect(reception.renewals.allSatisfy { stored.indices.contains($0.index) })
    #expect(Set(reception.renewals.map(\.index)).count == reception.renewals.count)
    if case .stored(let reuse) = reception.delivery { #expect(stored.indices.contains(reuse.index)) }
    #expect(reception.entry == nil || reception.refusal == nil)
  }

  @Test("Decisions never use a response that must be validated")
  func decisions() throws {
    var random = Generator(seed: 20_260_921)
    var kinds: [String: Int] = [:]
    for _ in 0..<2500 {
      let policy = policy(&random)
      var now = noon
      let stored = try store(policy, &random, now: &now)
      for _ in 0..<4 {
        let request = request(&random)
        now = now + Int.random(in: -5...80, using: &random)
        let decision = policy.decide(request, stored: stored, now: now)
        kinds[decision.kind, default: 0] += 1
        if let reuse = decision.reuse { check(reuse, request, stored[reuse.index], isFallback: false) }
        if let reuse = policy.fallback(for: request, stored: stored, after: .disconnected, now: now) {
          kinds["fallback", default: 0] += 1
          check(reuse, request, stored[reuse.index], isFallback: true)
        }
        if case .validate(let forward) = decision { #expect(!forward.fields.isEmpty) }
        if request.directives.onlyIfCached && (request.method == "GET" || request.method == "HEAD"),
          request.mode != .reload
        {
          #expect(decision.kind != "fetch" && decision.kind != "validate")
        }
      }
    }
    // The sets are of every kind.
    for kind in ["use", "useStale", "validate", "fetch", "unavailable", "fallback"] {
      #expect(kinds[kind, default: 0] > 20, "\(kind): \(kinds)")
    }
  }

  func check(_ reuse: Reuse, _ request: CacheRequest, _ response: StoredResponse, isFallback: Bool) {
    let control = response.facts.cacheControl
    #expect(request.method == "GET" || request.method == "HEAD")
    #expect(request.mode != .reload)
    #expect((reuse.staleness == nil) == reuse.freshness.isFresh)
    let head = response.head(for: reuse)
    #expect((200..<600).contains(head.status))
    #expect(head.fields.only(.age) != nil)
    let range = response.bodyRange(for: reuse.kind, storedLength: 50)
    #expect(range.lowerBound >= 0 && range.upperBound <= 50)
    guard request.mode == .respect || request.mode == .revalidate else { return }
    #expect(!control.noCache && !response.isDoubtful && !request.directives.noCache && !request.directives.noStore)
    if !reuse.freshness.isFresh { #expect(!control.mustRevalidate) }
    if request.mode == .revalidate, !isFallback { #expect(control.immutable && reuse.freshness.isFresh) }
    if let maxAge = request.directives.maxAge { #expect(reuse.freshness.age <= maxAge && maxAge > 0) }
    if case .part = response.content, case .part = reuse.kind {
    } else if case .part = response.content {
      Issue.record("a part in the place of the whole")
    }
  }

  @Test("A stale response never becomes fresh again, and its age never decreases")
  func monotony() throws {
    var random = Generator(seed: 1)
    for _ in 0..<2500 {
      let policy = policy(&random)
      let response = stored(
        fields(&random), status: Self.statuses.randomElement(using: &random) ?? 200,
        delay: Int.random(in: 0...9, using: &random))
      var last = policy.freshness(of: response, now: noon)
      for seconds in [0, 1, 5, 59, 60, 61, 3600, 86_400, 1 << 32] {
        let freshness = policy.freshness(of: response, now: noon + seconds)
        #expect(freshness.ageInMilliseconds >= last.ageInMilliseconds && freshness.lifetime == last.lifetime)
        #expect(!freshness.isFresh || last.isFresh)
        #expect(freshness.lifetime >= 0 && freshness.lifetime <= 1 << 31)
        last = freshness
      }
    }
  }
}
