import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.3.4: a 304") struct NotModifiedTests {
  var policy = CachePolicy()

  /// What becomes of stale responses when the origin answers 304 with these fields.
  func receive(
    _ fields: HTTPFields, stored: [StoredResponse], request: CacheRequest = request(),
    at time: Timestamp = noon + 99_999
  ) throws -> Reception {
    let forward = try #require(policy.decide(request, stored: stored, now: time).forward)
    return policy.receive(received(304, fields, at: time, delay: 1), to: request, sending: forward, stored: stored)
  }

  @Test("§3.2: It replaces stored fields with its own, and makes the response fresh")
  func update() throws {
    let old = stored([
      "ETag": "\"a\"", "Cache-Control": "max-age=9", "X": "1", "x": "2", "Y": "3", "Age": "7", "Date": httpDate(),
    ])
    let fields: HTTPFields = ["ETag": "\"a\"", "Cache-Control": "max-age=50", "X": "9", "Date": httpDate(99_999)]
    let reception = try receive(fields, stored: [old])
    let renewed = try #require(reception.renewals.first).response
    #expect(
      renewed.fields == ["Y": "3", "ETag": "\"a\"", "Cache-Control": "max-age=50", "X": "9", "Date": httpDate(99_999)])
    #expect(renewed.responseTime == noon + 99_999 && renewed.requestTime == noon + 99_998)
    #expect(renewed.content == old.content && renewed.bodyTime == old.bodyTime)
    let reuse = try #require(reception.reuse)
    #expect(reuse.index == 0 && reuse.kind == .whole && reuse.freshness.isFresh && reuse.freshness.age == 1)
    #expect(reception.entry == nil && reception.removals.isEmpty && reception.refusal == nil)
  }

  @Test("§3.2: It does not update fields that describe the body, or fields that are not stored")
  func bodyFields() throws {
    let old = stored(["ETag": "\"a\"", "Content-Length": "100", "Content-Encoding": "x", "Content-Type": "image/png"])
    let fields: HTTPFields = [
      "Content-Length": "5", "Content-Encoding": "y", "Content-Range": "bytes 0-1/2", "Content-Type": "image/jpeg",
      "Connection": "Foo", "Foo": "1", "Keep-Alive": "x",
    ]
    let renewed = try #require(try receive(fields, stored: [old]).renewals.first).response
    #expect(
      renewed.fields == [
        "ETag": "\"a\"", "Content-Length": "100", "Content-Encoding": "x", "Content-Type": "image/jpeg",
      ])
  }

  @Test("Without a date, it removes the stored date, which would make the response stale")
  func date() throws {
    let old = stored(["ETag": "\"a\"", "Cache-Control": "max-age=9", "Date": httpDate()])
    let renewed = try #require(try receive([:], stored: [old]).renewals.first).response
    #expect(policy.freshness(of: renewed, now: noon + 99_999).age == 1)
  }

  @Test("With a strong entity tag, it updates only the responses that have this tag")
  func strongTag() throws {
    let one = stored(["ETag": "\"a\"", "Last-Modified": httpDate(-9)])
    #expect(try receive(["ETag": "\"a\"", "Last-Modified": httpDate(5)], stored: [one]).renewals.count == 1)
    let other = try receive(["ETag": "\"b\"", "Last-Modified": httpDate(-9)], stored: [one])
    #expect(other.delivery == .again && other.renewals.isEmpty)
    // Its bytes would be taken for those of the strong tag from then on.
    #expect(try receive(["ETag": "\"a\""], stored: [stored(["ETag": "W/\"a\""])]).delivery == .again)
  }

  @Test("With a weak validator, it updates the responses that have the same")
  func weakValidator() throws {
    let tagged = stored(["ETag": "\"a\""])
    #expect(try receive(["ETag": "W/\"a\""], stored: [tagged]).renewals.count == 1)
    #expect(try receive(["ETag": "W/\"b\""], stored: [tagged]).delivery == .again)
    let dated = stored(["Last-Modified": httpDate(-9)])
    #expect(try receive(["Last-Modified": httpDate(-9)], stored: [dated]).renewals.count == 1)
    #expect(try receive(["Last-Modified": httpDate(-8)], stored: [dated]).delivery == .again)
    #expect(try receive(["Last-Modified": httpDate(-8)], stored: [tagged]).renewals.count == 1)
  }

  @Test("Without validators, it updates the response that was validated, if it was the only one")
  func withoutValidator() throws {
    #expect(try receive([:], stored: [stored(["ETag": "\"a\""])]).renewals.count == 1)
    let variants = ["1", "2"].map { stored(["Vary": "Foo", "ETag": "\"\($0)\""], selecting: ["Foo": $0]) }
    #expect(try receive([:], stored: variants, request: request(["Foo": "3"])).delivery == .again)
    #expect(try receive([:], stored: [variants[0]], request: request(["Foo": "3"])).renewals.count == 1)
  }

  @Test("§4.1: It selects a variant, which then also matches the new request")
  func variants() throws {
    let variants = ["1", "2"].map { stored(["Vary": "Foo", "ETag": "\"\($0)\""], selecting: ["Foo": $0]) }
    let asking = request(["Foo": "3"])
    let reception = try receive(["ETag": "\"2\"", "Cache-Control": "max-age=9"], stored: variants, request: asking)
    let renewal = try #require(reception.renewals.first)
    #expect(renewal.index == 1 && reception.renewals.count == 1)
    #expect(policy.decide(asking, stored: [variants[0], renewal.response], now: noon + 99_999).reuse?.index == 1)
  }

  @Test("It updates every stored response that has its strong tag")
  func severalWithOneTag() throws {
    let variants = ["1", "2"].map { stored(["Vary": "Foo", "ETag": "\"a\""], selecting: ["Foo": $0]) }
    let reception = try receive(["ETag": "\"a\"", "X": "1"], stored: variants, request: request(["Foo": "2"]))
    #expect(reception.renewals.map(\.index) == [1, 0])
    #expect(reception.renewals.allSatisfy { $0.response.fields["X"] == "1" })
    #expect(reception.renewals.map(\.response.selecting) == [variants[1].selecting, variants[0].selecting])
  }

  @Test("With no-store, it is answered by the stored response, which is then removed")
  func noStore() throws {
    let reception = try receive(["Cache-Control": "no-store"], stored: [stored(["ETag": "\"a\""])])
    #expect(reception.removals == [0])
    #expect(reception.delivery != .response && reception.delivery != .again)
  }

  @Test("With private, it is answered by the stored response, which is then removed if the cache serves other clients")
  mutating func forOthers() throws {
    let fields: HTTPFields = ["Cache-Control": "private, max-age=60"]
    let own = try receive(fields, stored: [stored(["ETag": "\"a\""])])
    #expect(own.removals.isEmpty)
    policy.storesPrivate = false
    let reception = try receive(fields, stored: [stored(["ETag": "\"a\""])])
    #expect(reception.removals == [0])
    #expect(reception.delivery != .response && reception.delivery != .again)
  }

  @Test("It is delivered to a program that sent its own condition, and validates the stored response")
  func ownCondition() throws {
    let own = request(["If-None-Match": "\"a\""])
    let reception = try receive(
      ["ETag": "\"a\""], stored: [stored(["ETag": "\"a\"", "Cache-Control": "no-cache"])], request: own)
    #expect(reception.delivery == .response && reception.renewals.count == 1)
    let other = try receive(
      ["ETag": "\"b\""], stored: [stored(["ETag": "\"a\"", "Cache-Control": "no-cache"])], request: own)
    #expect(other.delivery == .response && other.renewals.isEmpty)
    let silent = try receive([:], stored: [stored(["ETag": "\"a\"", "Cache-Control": "no-cache"])], request: own)
    #expect(silent.delivery == .response && silent.renewals.isEmpty)
  }

  @Test("It validates an invalidated response")
  func doubts() throws {
    var doubtful = stored(["ETag": "\"a\"", "Cache-Control": "max-age=9"])
    doubtful.isDoubtful = true
    let renewed = try #require(try receive([:], stored: [doubtful]).renewals.first).response
    #expect(!renewed.isDoubtful)
  }

  @Test("It answers a range request with the requested bytes")
  func range() throws {
    let reception = try receive(
      ["ETag": "\"a\""], stored: [stored(["ETag": "\"a\""])], request: request(["Range": "bytes=5-6"]))
    let reuse = try #require(reception.reuse)
    #expect(reuse.kind == .part(5...6))
  }
}
