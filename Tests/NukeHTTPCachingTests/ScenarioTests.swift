import NukeHTTPCaching
import Testing

/// Whole stories of a cache in memory in front of an origin that follows a script.
@Suite("A cache and its origin") struct ScenarioTests {
  /// An origin that answers the first request with the first answer and so on, and every further one with the last.
  func cache(_ answers: SimulatedCache.OriginResponse...) -> SimulatedCache {
    var rest = answers[...]
    let cache = SimulatedCache { _ in rest.count > 1 ? rest.removeFirst() : rest[rest.startIndex] }
    cache.now = noon
    return cache
  }

  func ok(_ fields: HTTPFields, _ body: String = "picture") -> SimulatedCache.OriginResponse {
    .response(200, fields, body)
  }

  @Test("A response is downloaded once while it is fresh, and delivered with its age and date")
  func fresh() {
    let cache = cache(ok(["Cache-Control": "max-age=60", "Date": httpDate(), "Age": "30"]))
    cache.load(request())
    cache.pass(seconds: 3)
    let second = cache.load(request())
    #expect(cache.sent.count == 1)
    #expect(second.body == "picture" && second.fields["Age"] == "33" && second.fields["Date"] == httpDate())
    #expect(second.cacheStatus?.text == "Nuke; hit; ttl=27")
    cache.pass(seconds: 27)
    cache.load(request())
    #expect(cache.sent.count == 2)
  }

  @Test("A 304 updates the fields without a body, and extends the lifetime")
  func validated() {
    let cache = cache(
      ok(["Cache-Control": "max-age=2", "ETag": "\"a\"", "X": "1"]),
      .response(304, ["Cache-Control": "max-age=60", "ETag": "\"a\"", "X": "2"], ""))
    cache.load(request())
    cache.pass(seconds: 3)
    let second = cache.load(request())
    #expect(cache.sent.last?.fields["If-None-Match"] == "\"a\"")
    #expect(second.status == 200 && second.body == "picture" && second.fields["X"] == "2")
    cache.pass(seconds: 59)
    #expect(cache.load(request()).fields["X"] == "2")
    #expect(cache.sent.count == 2)
  }

  @Test("A 200 replaces the stale response")
  func changed() {
    let cache = cache(
      ok(["Cache-Control": "max-age=2", "Last-Modified": httpDate(-9)]), ok(["Cache-Control": "max-age=60"], "new"))
    cache.load(request())
    cache.pass(seconds: 3)
    #expect(cache.load(request()).body == "new")
    #expect(cache.sent.last?.fields["If-Modified-Since"] == httpDate(-9))
    #expect(cache.load(request()).body == "new")
    #expect(cache.sent.count == 2 && cache.store[CacheURL.key(url)]?.count == 1)
  }

  @Test("After a 304 for another entity tag, the image is loaded again without conditions")
  func wrongNotModified() {
    let cache = cache(
      ok(["Cache-Control": "no-cache", "ETag": "\"a\""]), .response(304, ["ETag": "\"b\""], ""),
      ok(["ETag": "\"b\""], "new"))
    cache.load(request())
    #expect(cache.load(request()).body == "new")
    #expect(cache.sent.map { $0.fields["If-None-Match"] } == [nil, "\"a\"", nil])
  }

  @Test("RFC 5861: The stale image is delivered first, and the new one afterwards")
  func staleWhileRevalidate() {
    let cache = cache(
      ok(["Cache-Control": "max-age=1, stale-while-revalidate=4", "ETag": "\"a\""]),
      ok(["Cache-Control": "no-cache", "ETag": "\"b\""], "new"), .response(304, [:], ""))
    cache.load(request())
    cache.pass(seconds: 3)
    #expect(cache.load(request()).body == "picture")
    #expect(cache.sent.count == 2)
    #expect(cache.load(request()).body == "new")
    #expect(cache.sent.map { $0.fields["If-None-Match"] } == [nil, "\"a\"", "\"b\""])
  }

  @Test(
    "Without the origin, the stale image is delivered, unless it must be validated",
    arguments: ["", ", must-revalidate", ", no-cache"])
  func disconnected(_ directive: String) {
    let cache = cache(ok(["Cache-Control": "max-age=2" + directive]), .unreachable)
    cache.load(request())
    cache.pass(seconds: 999)
    let second = cache.load(request())
    #expect(second.status == (directive.isEmpty ? 200 : 0))
    #expect(second.cacheStatus?.detail == (directive.isEmpty ? "disconnected" : nil))
  }

  @Test("RFC 5861: If the origin fails, the stale image is delivered within stale-if-error")
  func staleIfError() {
    let cache = cache(ok(["Cache-Control": "max-age=2, stale-if-error=60"]), .response(503, [:], "sorry"))
    cache.load(request())
    cache.pass(seconds: 60)
    #expect(cache.load(request()).body == "picture")
    cache.pass(seconds: 3)
    #expect(cache.load(request()).body == "sorry")
    cache.origin = { _ in .response(304, [:], "") }
    #expect(cache.store[CacheURL.key(url)]?.count == 1, "The error is not kept, and removes nothing.")
  }

  @Test("Variants are stored separately, and a 304 can select a stored one for a new request")
  func variants() {
    let cache = SimulatedCache { sent in
      let format = sent.fields["Accept"] == "avif" ? "avif" : "jpeg"
      let fields: HTTPFields = ["Vary": "Accept", "ETag": "\"\(format)\"", "Cache-Control": "max-age=60"]
      let isKnown = sent.fields["If-None-Match"]?.contains("\"\(format)\"") ?? false
      return isKnown ? .response(304, fields, "") : .response(200, fields, format)
    }
    let formats = ["avif", "png", "avif", "png", "webp", "webp"]
    let answers = formats.map { cache.load(request(["Accept": $0])) }
    #expect(answers.map(\.body) == ["avif", "jpeg", "avif", "jpeg", "jpeg", "jpeg"])
    #expect(cache.sent.map { $0.fields["If-None-Match"] } == [nil, "\"avif\"", "\"avif\", \"jpeg\""])
    #expect(answers[4].status == 200)
  }

  @Test("RFC 9111 §4.4: A successful unsafe request invalidates stored responses")
  func invalidation() {
    let cache = SimulatedCache { sent in
      switch sent.method {
      case "POST": .response(201, ["Location": "/a.jpg", "Content-Location": "/c.jpg"], "")
      case "PUT": .response(500, [:], "")
      case "DELETE": .response(204, [:], "")
      default: .response(200, ["Cache-Control": "max-age=60"], "picture")
      }
    }
    func loads(_ path: String) -> Int {
      let before = cache.sent.count
      cache.load(request(url: "https://pictures.test/\(path)"))
      return cache.sent.count - before
    }
    #expect(["a.jpg", "b.jpg", "c.jpg"].map(loads) == [1, 1, 1])
    cache.load(request(method: "PUT", url: "https://pictures.test/b.jpg"))
    #expect(["a.jpg", "b.jpg", "c.jpg"].map(loads) == [0, 0, 0])
    cache.load(request(method: "POST", url: "https://pictures.test/new"))
    #expect(["a.jpg", "b.jpg", "c.jpg"].map(loads) == [1, 0, 1])
    cache.load(request(method: "DELETE", url: "https://pictures.test/b.jpg"))
    #expect(["a.jpg", "b.jpg", "c.jpg"].map(loads) == [0, 1, 0])
  }

  @Test("RFC 9110 §9.3.3: A response to POST with a Content-Location answers a later GET")
  func post() {
    let cache = cache(ok(["Cache-Control": "max-age=60", "Content-Location": "a.jpg"], "posted"))
    cache.load(request(method: "POST"))
    #expect(cache.load(request()).body == "posted")
    #expect(cache.sent.count == 1)
  }

  @Test("RFC 9111 §4.3.5: A HEAD updates the stored response")
  func head() {
    let cache = cache(
      ok(["Cache-Control": "max-age=2"]), .response(200, ["Cache-Control": "max-age=60", "X": "1"], ""))
    cache.load(request())
    cache.pass(seconds: 3)
    cache.load(request(method: "HEAD"))
    let answer = cache.load(request())
    #expect(answer.body == "picture" && answer.fields["X"] == "1" && cache.sent.count == 2)
  }

  @Test("An interrupted download is resumed if the image has not changed")
  func resumed() {
    let fields: HTTPFields = ["ETag": "\"a\"", "Content-Length": "7", "Cache-Control": "max-age=60"]
    let rest: HTTPFields = [
      "ETag": "\"a\"", "Content-Length": "4", "Content-Range": "bytes 3-6/7", "Cache-Control": "max-age=60",
    ]
    let same = cache(.broken(200, fields, "pic"), .response(206, rest, "ture"))
    same.load(request())
    #expect(same.load(request()).body == "picture")
    #expect(same.sent.last?.fields["Range"] == "bytes=3-" && same.sent.last?.fields["If-Range"] == "\"a\"")
    #expect(same.load(request()).body == "picture")
    #expect(same.sent.count == 2)

    let changed = cache(.broken(200, fields, "pic"), ok(["ETag": "\"b\"", "Cache-Control": "max-age=60"], "new"))
    changed.load(request())
    #expect(changed.load(request()).body == "new")
    #expect(changed.load(request()).body == "new")
    #expect(changed.sent.count == 2)

    var lying = rest
    lying.set(.eTag, "\"b\"")
    let mixed = cache(.broken(200, fields, "pic"), .response(206, lying, "ture"), ok(["ETag": "\"b\""], "new"))
    mixed.load(request())
    #expect(mixed.load(request()).body == "new")
    #expect(mixed.sent.last?.fields["Range"] == nil)
  }

  @Test("RFC 9110 §14: Ranges are answered from a stored image, or from a stored part that contains them")
  func ranges() {
    let cache = cache(ok(["Cache-Control": "max-age=60"], "0123456789A"))
    cache.load(request())
    let bodies = ["bytes=0-1", "bytes=1-", "bytes=-1", "bytes=99-"].map { cache.load(request(["Range": $0])).body }
    #expect(bodies == ["01", "123456789A", "A", ""] && cache.sent.count == 1)

    let part = self.cache(.response(206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 5-9/10"], "56789"))
    part.load(request(["Range": "bytes=-5"]))
    let parts = ["bytes=-5", "bytes=6-8", "bytes=6-", "bytes=-1"].map { part.load(request(["Range": $0])) }
    #expect(parts.map(\.body) == ["56789", "678", "6789", "9"] && parts.allSatisfy { $0.status == 206 })
    #expect(part.sent.count == 1)
    part.load(request(["Range": "bytes=4-"]))
    #expect(part.sent.count == 2)
  }

  @Test("Negative caching stores 404 for a while, and network errors never")
  func negative() {
    let missing = cache(.response(404, [:], "none"))
    missing.policy.negative = .seconds(30)
    for _ in 0..<5 { #expect(missing.load(request()).status == 404) }
    #expect(missing.sent.count == 1)
    missing.pass(seconds: 30)
    missing.load(request())
    #expect(missing.sent.count == 2)
    let unreachable = cache(.unreachable)
    unreachable.policy.negative = .seconds(30)
    for _ in 0..<3 { #expect(unreachable.load(request()).status == 0) }
    #expect(unreachable.sent.count == 3)
  }

  @Test("RFC 8246: Revalidating everything excludes immutable responses")
  func immutable() {
    let cache = cache(ok(["Cache-Control": "max-age=2, immutable", "ETag": "\"a\""]), .response(304, [:], ""))
    cache.load(request())
    cache.load(request(mode: .revalidate))
    #expect(cache.sent.count == 1)
    cache.pass(seconds: 3)
    #expect(cache.load(request(mode: .revalidate)).body == "picture")
    #expect(cache.sent.last?.fields["Cache-Control"] == "max-age=0")
  }

  @Test("A response with no-store is not stored, and removes the stored one")
  func noStore() {
    let cache = cache(
      ok(["Cache-Control": "max-age=2"], "old"), ok(["Cache-Control": "no-store"], "secret"), .unreachable)
    cache.load(request())
    cache.pass(seconds: 3)
    #expect(cache.load(request()).body == "secret")
    #expect(cache.load(request()).status == 0)
  }

  @Test("The whole URL except its fragment is the key")
  func keys() {
    let cache = cache(ok(["Cache-Control": "max-age=60"]))
    for suffix in ["", "?a", "?b", "?a#x", "#y"] { cache.load(request(url: url + suffix)) }
    #expect(cache.sent.count == 3)
  }

  @Test("The mode can forbid loading, or the reuse of stored responses")
  func modes() {
    let cache = cache(ok(["Cache-Control": "no-cache"], "old"), ok(["Cache-Control": "no-cache"], "new"))
    #expect(cache.load(request(mode: .onlyStored)).status == 504)
    cache.load(request())
    #expect(cache.load(request(mode: .onlyStored)).body == "old")
    #expect(cache.load(request(mode: .ignore)).body == "old")
    #expect(cache.load(request(mode: .reload)).body == "new")
    #expect(cache.load(request(mode: .ignore)).body == "new")
    #expect(cache.sent.count == 2)
  }
}
