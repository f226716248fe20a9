import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.3.3: a response from the origin") struct ReceivingTests {
  var policy = CachePolicy()

  func receive(
    _ response: ReceivedResponse, stored: [StoredResponse], request: CacheRequest = request()
  ) throws -> Reception {
    let forward = try #require(policy.decide(request, stored: stored, now: noon + 99_999).forward)
    return policy.receive(response, to: request, sending: forward, stored: stored)
  }

  @Test("It replaces only the response that the request would have selected")
  func replaces() throws {
    let variants = ["1", "2"].map { stored(["Vary": "Foo", "ETag": "\"\($0)\""], selecting: ["Foo": $0]) }
    let reception = try receive(
      received(200, ["Vary": "Foo", "ETag": "\"3\""]), stored: variants, request: request(["Foo": "2"]))
    #expect(reception.delivery == .response && reception.removals == [1])
    #expect(reception.entry?.fields["ETag"] == "\"3\"")
  }

  @Test("If it must not be stored, it removes the response that it replaces", arguments: [200, 301, 404, 410])
  func removes(_ status: Int) throws {
    let reception = try receive(received(status, ["Cache-Control": "no-store"]), stored: [stored(["ETag": "\"a\""])])
    #expect(reception.refusal == .noStoreInResponse && reception.entry == nil && reception.removals == [0])
  }

  @Test("If it is not stored, responses that it does not replace remain", arguments: [401, 403, 429, 500, 503])
  func leaves(_ status: Int) throws {
    let reception = try receive(received(status, [:]), stored: [stored(["ETag": "\"a\""])])
    #expect(reception.refusal != nil && reception.removals.isEmpty && reception.delivery == .response)
  }

  @Test("If the request has no-store, the cache does not change")
  func requestNoStore() throws {
    let reception = try receive(
      received(200, [:]), stored: [stored(["ETag": "\"a\""])], request: request(["Cache-Control": "no-store"]))
    #expect(reception.refusal == .noStoreInRequest && reception.removals.isEmpty)
  }

  @Test("If it is an error, a stored response may be used instead")
  func error() throws {
    let tolerant = stored(["Cache-Control": "max-age=9, stale-if-error=999999", "ETag": "\"a\""])
    let reception = try receive(received(503, [:], at: noon + 99_999), stored: [tolerant])
    let reuse = try #require(reception.reuse)
    #expect(reuse.staleness == .error && reception.removals.isEmpty && reception.renewals.isEmpty)
    #expect(try receive(received(404, [:], at: noon + 99_999), stored: [tolerant]).delivery == .response)
  }
}

@Suite("RFC 9111 §3.4: parts of a body") struct PartialContentTests {
  let policy = CachePolicy()
  let tagged: HTTPFields = ["ETag": "\"a\"", "Content-Type": "image/png"]

  func part(_ fields: HTTPFields? = nil, first: Int = 0, count: Int = 40, total: Int? = 100) -> StoredResponse {
    stored(fields ?? tagged, status: 206, content: .part(first: first, count: count, total: total))
  }

  func receive(_ status: Int, _ fields: HTTPFields, stored: StoredResponse, request: CacheRequest = request()) throws
    -> Reception
  {
    let forward = try #require(policy.decide(request, stored: [stored], now: noon + 9).forward)
    return policy.receive(received(status, fields, at: noon + 9), to: request, sending: forward, stored: [stored])
  }

  @Test("A part is appended to one with the same strong validator, and its fields are used")
  func joined() throws {
    let reception = try receive(
      206, ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100", "Content-Length": "60", "X": "1"], stored: part())
    #expect(reception.delivery == .joined(index: 0, offset: 40))
    let entry = try #require(reception.entry)
    #expect(entry.status == 200 && entry.content == .whole(length: 100))
    #expect(entry.fields == ["Content-Type": "image/png", "ETag": "\"a\"", "X": "1", "Content-Length": "100"])
    #expect(entry.finished(bodyLength: 100) == entry)
    #expect(entry.finished(bodyLength: 70)?.content == .part(first: 0, count: 70, total: 100))
  }

  @Test("A part that begins within the stored one is appended, too")
  func overlapping() throws {
    let reception = try receive(206, ["ETag": "\"a\"", "Content-Range": "bytes 30-99/100"], stored: part())
    #expect(reception.delivery == .joined(index: 0, offset: 30))
  }

  @Test("A strong date is a sufficient validator, and the length can become known")
  func dated() throws {
    let fields: HTTPFields = ["Last-Modified": httpDate(-90), "Date": httpDate()]
    let reception = try receive(
      206, ["Last-Modified": httpDate(-90), "Date": httpDate(9), "Content-Range": "bytes 40-99/100"],
      stored: part(fields, total: nil))
    #expect(reception.entry?.content == .whole(length: 100))
    let silent = try receive(206, ["ETag": "\"a\"", "Content-Range": "bytes 40-99/*"], stored: part())
    #expect(silent.entry?.content == .whole(length: 100))
  }

  @Test(
    "A part that may not match is not appended, and the request is repeated without a range",
    arguments: [
      ["ETag": "\"b\"", "Content-Range": "bytes 40-99/100"], ["Content-Range": "bytes 40-99/100"],
      ["ETag": "W/\"a\"", "Content-Range": "bytes 40-99/100"], ["ETag": "\"a\"", "Content-Range": "bytes 41-99/100"],
      ["ETag": "\"a\"", "Content-Range": "bytes 40-89/100"], ["ETag": "\"a\"", "Content-Range": "bytes 40-100/101"],
      ["ETag": "\"a\""], ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100", "Cache-Control": "no-store"],
      ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100", "Content-Encoding": "gzip"],
    ] as [HTTPFields])
  func doubts(_ fields: HTTPFields) throws {
    let reception = try receive(206, fields, stored: part())
    #expect(reception.delivery == .again && reception.entry == nil)
  }

  @Test("A part of an encoded body is not stored, and a stored one is not completed")
  func encoded() throws {
    let fields: HTTPFields = ["ETag": "\"a\"", "Content-Range": "bytes 0-39/100", "Content-Encoding": "x, gzip"]
    let first = policy.receive(
      received(206, fields), to: request(["Range": "bytes=0-39"]), sending: Forward(reason: .method), stored: [])
    #expect(first.delivery == .response && first.entry == nil && first.refusal == .unclearPart)
    // An earlier version has stored it.
    let old = part(["ETag": "\"a\"", "Content-Encoding": "gzip"])
    let forward = try #require(policy.decide(request(), stored: [old], now: noon + 9).forward)
    #expect(forward.completing == nil && forward.fields["Range"] == nil)
    let asking = request(["Range": "bytes=40-", "If-Range": "\"a\""])
    let rest = try receive(206, ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100"], stored: old, request: asking)
    #expect(rest.entry?.content == .part(first: 40, count: 60, total: 100) && rest.storedPrefix == nil)
  }

  @Test("A value that is no content coding does not prevent it", arguments: ["identity", "None", "", "aws-chunked,"])
  func notEncoded(_ value: String) throws {
    let fields: HTTPFields = ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100", "Content-Encoding": value]
    #expect(try receive(206, fields, stored: part()).delivery == .joined(index: 0, offset: 40))
  }

  @Test("A whole response and a 416 replace the stored part")
  func replaced() throws {
    let whole = try receive(200, ["ETag": "\"b\""], stored: part())
    #expect(whole.delivery == .response && whole.entry?.content == .whole(length: nil) && whole.removals == [0])
    let none = try receive(416, ["Content-Range": "bytes */20"], stored: part())
    #expect(none.delivery == .again && none.removals == [0])
    #expect(try receive(304, [:], stored: part()).delivery == .again)
  }

  @Test("The part that a program requested to resume its download is stored combined with the first")
  func continued() throws {
    let asking = request(["Range": "bytes=40-", "If-Range": "\"a\""])
    let fields: HTTPFields = ["ETag": "\"a\"", "Content-Range": "bytes 40-99/100"]
    let reception = try receive(206, fields, stored: part(), request: asking)
    #expect(reception.delivery == .response && reception.removals == [0])
    #expect(reception.entry?.content == .whole(length: 100))
    #expect(reception.storedPrefix?.index == 0 && reception.storedPrefix?.count == 40)
    let other = try receive(206, fields, stored: part(["ETag": "\"b\""]), request: asking)
    #expect(other.entry?.content == .part(first: 40, count: 60, total: 100) && other.storedPrefix == nil)
  }

  @Test("A part that a program requested is stored, unless the whole body is")
  func asked() throws {
    let asking = request(["Range": "bytes=50-59"])
    let fields: HTTPFields = ["ETag": "\"a\"", "Content-Range": "bytes 50-59/100", "X": "1"]
    let first = try receive(206, fields, stored: part(), request: asking)
    #expect(first.delivery == .response && first.removals == [0])
    #expect(first.entry?.content == .part(first: 50, count: 10, total: 100))
    let whole = stored(["ETag": "\"a\"", "Cache-Control": "no-cache"])
    let same = try receive(206, fields, stored: whole, request: asking)
    #expect(same.entry == nil && same.removals.isEmpty && same.delivery == .response)
    #expect(same.renewals.first?.response.fields["X"] == "1")
    #expect(same.renewals.first?.response.content == .whole(length: 100))
    let changed = try receive(
      206, ["ETag": "\"b\"", "Content-Range": "bytes 50-59/100"], stored: whole, request: asking)
    #expect(changed.entry != nil && changed.removals == [0])
  }
}

@Suite("RFC 9111 §4.3.5: a response to HEAD") struct HeadTests {
  func renewals(_ status: Int, _ fields: HTTPFields, _ stored: [StoredResponse]) -> [StoredResponse] {
    CachePolicy().receive(
      received(status, fields, at: noon + 9), to: request(["Foo": "1"], method: "HEAD"),
      sending: Forward(reason: .method), stored: stored
    ).renewals.map(\.response)
  }

  @Test("It updates the stored response if they agree")
  func agrees() throws {
    let old = stored(["ETag": "\"a\"", "Content-Length": "100", "X": "1"])
    let renewed = try #require(renewals(200, ["ETag": "\"a\"", "Content-Length": "100", "X": "2"], [old]).first)
    #expect(renewed.fields["X"] == "2" && !renewed.isDoubtful && renewed.responseTime == noon + 9)
    #expect(
      try #require(renewals(200, ["Cache-Control": "max-age=9"], [old]).first).fields["Cache-Control"] == "max-age=9")
  }

  @Test(
    "It invalidates the stored response if they contradict each other",
    arguments: [["ETag": "\"b\""], ["Last-Modified": httpDate()], ["Content-Length": "99"]] as [HTTPFields])
  func contradicts(_ fields: HTTPFields) throws {
    let old = stored(["ETag": "\"a\"", "Last-Modified": httpDate(-9)])
    let renewed = try #require(renewals(200, fields, [old]).first)
    #expect(renewed.isDoubtful && renewed.fields == old.fields)
  }

  @Test("It removes the stored response if it forbids storing", arguments: ["no-store", "private"])
  func forbids(_ directive: String) {
    var policy = CachePolicy()
    func removals(_ status: Int, _ fields: HTTPFields) -> [Int] {
      policy.receive(
        received(status, fields, at: noon + 9), to: request(["Foo": "2"], method: "HEAD"),
        sending: Forward(reason: .method),
        stored: ["1", "2"].map { stored(["Vary": "Foo", "ETag": "\"a\""], selecting: ["Foo": $0]) }
      ).removals
    }
    #expect(removals(200, ["ETag": "\"a\"", "Cache-Control": "max-age=9"]).isEmpty)
    #expect(removals(200, ["ETag": "\"a\"", "Cache-Control": "private"]).isEmpty)
    policy.storesPrivate = false
    let fields: HTTPFields = ["ETag": "\"a\"", "Cache-Control": directive]
    #expect(removals(200, fields) == [1])
    #expect(removals(404, fields).isEmpty)
  }

  @Test("It does not affect other variants, and an error changes nothing")
  func others() {
    let variants = ["1", "2"].map { stored(["Vary": "Foo"], selecting: ["Foo": $0]) }
    #expect(renewals(200, ["X": "1"], variants).count == 1)
    #expect(renewals(404, [:], variants).isEmpty)
  }
}

@Suite("RFC 9111 §4.4: invalidation") struct InvalidationTests {
  func keys(_ method: String, _ status: Int, _ fields: HTTPFields = [:]) -> [String] {
    CachePolicy().receive(
      received(status, fields), to: request(method: method), sending: Forward(reason: .method), stored: []
    ).invalidations
  }

  @Test(
    "A successful unsafe request invalidates the stored responses",
    arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "get"])
  func methods(_ method: String) {
    #expect(keys(method, 200) == [url])
    #expect(keys(method, 204) == [url])
    #expect(keys(method, 303) == [url])
    for status in [100, 400, 404, 409, 500] { #expect(keys(method, status).isEmpty) }
  }

  @Test("A safe request invalidates nothing", arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
  func safe(_ method: String) {
    #expect(keys(method, 200, ["Location": "b.jpg"]).isEmpty)
  }

  @Test("The Location and Content-Location of the same origin are invalidated, too")
  func locations() {
    #expect(
      keys("POST", 201, ["Location": "b.jpg", "Content-Location": "/c#x"]) == [
        url, "https://pictures.test/b.jpg", "https://pictures.test/c",
      ])
    #expect(
      keys("POST", 201, ["Location": "https://other.test/b", "Content-Location": "HTTPS://PICTURES.test:443/a.jpg"])
        == [url])
    #expect(keys("POST", 500, ["Location": "b.jpg"]).isEmpty)
  }

  @Test("RFC 9110 §9.3.3: The response to a POST can be stored, and replaces the previous responses")
  func post() throws {
    let reception = CachePolicy().receive(
      received(200, ["Cache-Control": "max-age=9", "Content-Location": url]), to: request(method: "POST"),
      sending: Forward(reason: .method), stored: [stored([:])])
    #expect(reception.entry != nil && reception.removals == [0] && reception.invalidations == [url])
  }
}
