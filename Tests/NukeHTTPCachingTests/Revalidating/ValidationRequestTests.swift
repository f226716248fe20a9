import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.3.1: validation requests") struct ValidationRequestTests {
  func forward(_ fields: HTTPFields, status: Int = 200, request fields2: HTTPFields = [:], method: String = "GET")
    -> Forward?
  {
    CachePolicy().decide(
      request(fields2, method: method), stored: [stored(fields, status: status)], now: noon + 999_999_999
    ).forward
  }

  @Test("They contain the entity tag and the modification date")
  func validators() {
    #expect(
      forward(["ETag": "W/\"a\"", "Last-Modified": httpDate(-9)])?.fields == [
        "If-None-Match": "W/\"a\"", "If-Modified-Since": httpDate(-9),
      ])
    #expect(
      forward(["Last-Modified": "Sun Nov  6 08:49:37 1994"])?.fields == [
        "If-Modified-Since": "Sun Nov  6 08:49:37 1994"
      ])
    // As it was received: what is not quoted is compared by the server that sent it.
    #expect(forward(["ETag": "a"])?.fields == ["If-None-Match": "a"])
  }

  @Test("They have no condition without a validator")
  func withoutValidators() {
    for fields in [[:], ["ETag": ""], ["Last-Modified": "then"], ["ETag": "\"a\"", "etag": "\"b\""]] as [HTTPFields] {
      let forward = forward(fields)
      #expect(forward?.validating == [] && forward?.fields.isEmpty == true)
    }
    #expect(forward(["ETag": "\"a\""], status: 404)?.validating == [])
  }

  @Test("They do not change requests with conditions, or for HEAD")
  func ownConditions() {
    for name in ["If-None-Match", "If-Modified-Since"] {
      var own = HTTPFields()
      own.append(name, "\"b\"")
      #expect(forward(["ETag": "\"a\""], request: own)?.fields.isEmpty == true)
    }
    #expect(forward(["ETag": "\"a\""], request: ["Range": "bytes=0-1", "If-Range": "\"b\""])?.fields.isEmpty == true)
    #expect(forward(["ETag": "\"a\""], method: "HEAD")?.fields.isEmpty == true)
  }

  @Test("They contain only the entity tag if the request has a range")
  func range() {
    #expect(
      forward(["ETag": "\"a\"", "Last-Modified": httpDate(-9)], request: ["Range": "bytes=0-1"])?.fields == [
        "If-None-Match": "\"a\""
      ])
  }

  @Test("They contain the entity tags of all variants if none matches")
  func variants() throws {
    let variants = ["\"1\"", "W/\"2\"", "", "\"3\""].enumerated().map { index, tag in
      stored(["Vary": "Foo", "ETag": tag], selecting: ["Foo": "\(index)"])
    }
    let decision = CachePolicy().decide(request(["Foo": "x"]), stored: variants, now: noon)
    #expect(decision.kind == "validate")
    let forward = try #require(decision.forward)
    #expect(forward.reason == .varyMiss && forward.validating == [0, 1, 3])
    #expect(forward.fields == ["If-None-Match": "\"1\", W/\"2\", \"3\""])
    let many = [StoredResponse](repeating: variants[0], count: 50)
    #expect(CachePolicy().decide(request(["Foo": "x"]), stored: many, now: noon).forward?.validating.count == 16)
    for fields in [["Foo": "x", "Range": "bytes=0-1"], ["Foo": "x", "If-None-Match": "\"9\""]] as [HTTPFields] {
      #expect(CachePolicy().decide(request(fields), stored: variants, now: noon).kind == "fetch")
    }
  }

  @Test("§3.3: They request the rest of a stored part, with a strong validator")
  func completion() throws {
    func forward(_ fields: HTTPFields, _ content: StoredResponse.Content, request fields2: HTTPFields = [:]) -> Forward?
    {
      CachePolicy().decide(
        request(fields2), stored: [stored(fields, status: 206, content: content)], now: noon + 9999
      ).forward
    }
    let beginning = StoredResponse.Content.part(first: 0, count: 40, total: 100)
    let rest = try #require(forward(["ETag": "\"a\""], beginning))
    #expect(rest.reason == .partial && rest.completing == 0 && rest.validating.isEmpty)
    #expect(rest.fields == ["Range": "bytes=40-", "If-Range": "\"a\""])
    let dated: HTTPFields = ["Last-Modified": httpDate(-60), "Date": httpDate()]
    #expect(forward(dated, beginning)?.fields["If-Range"] == httpDate(-60))
    for fields in [["ETag": "W/\"a\""], [:], ["Last-Modified": httpDate(-59), "Date": httpDate()]] as [HTTPFields] {
      #expect(forward(fields, beginning) == Forward(reason: .partial))
    }
    #expect(forward(["ETag": "\"a\""], .part(first: 1, count: 40, total: 100)) == Forward(reason: .partial))
    #expect(forward(["ETag": "\"a\""], .part(first: 0, count: 100, total: 100)) == Forward(reason: .partial))
    #expect(forward(["ETag": "\"a\""], .part(first: 0, count: 9, total: nil))?.completing == 0)
    #expect(forward(["ETag": "\"a\""], beginning, request: ["Range": "bytes=0-99"])?.fields.isEmpty == true)
    #expect(forward(["ETag": "\"a\""], beginning, request: ["If-None-Match": "\"a\""])?.fields.isEmpty == true)
  }
}
