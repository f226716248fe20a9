import NukeHTTPCaching
import Testing

@Suite("How a stored response answers") struct ResponseKindTests {
  let policy = CachePolicy()
  let fields: HTTPFields = [
    "Cache-Control": "max-age=600", "Date": httpDate(), "ETag": "\"a\"", "Last-Modified": httpDate(-900),
    "Content-Length": "100", "Content-Type": "image/jpeg", "Age": "5",
  ]

  func reuse(_ request: HTTPFields, _ response: StoredResponse? = nil, method: String = "GET") -> Reuse? {
    policy.decide(
      CacheRequest(method: method, url: url, fields: request), stored: [response ?? stored(fields)], now: noon + 7
    ).reuse
  }

  @Test("RFC 9111 §4: A stored response is returned unchanged, with its age")
  func whole() throws {
    let head = stored(fields).head(for: try #require(self.reuse([:])))
    #expect(head.status == 200)
    #expect(head.fields["Age"] == "12")
    #expect(head.fields["Date"] == httpDate())
    #expect(head.fields.count == fields.count)
  }

  @Test(
    "RFC 9110 §14: A range is answered with 206 and its bytes",
    arguments: [("bytes=0-9", 0...9), ("bytes=90-", 90...99), ("bytes=-1", 99...99), ("bytes=50-999", 50...99)])
  func range(_ range: String, _ bytes: ClosedRange<Int>) throws {
    let response = stored(fields)
    let reuse = try #require(self.reuse(["Range": range]))
    #expect(reuse.kind == .part(bytes))
    let head = response.head(for: reuse)
    #expect(head.status == 206)
    #expect(head.fields["Content-Range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound)/100")
    #expect(head.fields["Content-Length"] == "\(bytes.count)")
    #expect(head.fields["ETag"] == "\"a\"")
    #expect(response.bodyRange(for: reuse.kind, storedLength: 100) == bytes.lowerBound..<bytes.upperBound + 1)
  }

  @Test("RFC 9110 §15.5.17: An unsatisfiable range is answered with 416")
  func unsatisfiable() throws {
    let reuse = try #require(self.reuse(["Range": "bytes=100-"]))
    #expect(reuse.kind == .unsatisfiable)
    let head = stored(fields).head(for: reuse)
    #expect(head.status == 416)
    #expect(head.fields["Content-Range"] == "bytes */100")
    #expect(head.fields["ETag"] == nil)
    #expect(stored(fields).bodyRange(for: reuse.kind, storedLength: 100).isEmpty)
  }

  @Test(
    "RFC 9110 §14.2: An ignored range is answered with the whole body",
    arguments: ["bytes=0-1,5-6", "lines=1-2", "bytes=x", ""])
  func ignoredRanges(_ range: String) {
    #expect(reuse(["Range": range])?.kind == .whole)
  }

  @Test("RFC 9110 §14.2: A range is ignored for HEAD, for other statuses, and while the length is unknown")
  func withoutRanges() {
    #expect(reuse(["Range": "bytes=0-1"], method: "HEAD")?.kind == .whole)
    #expect(reuse(["Range": "bytes=0-1"], stored(fields, status: 404))?.kind == .whole)
    #expect(reuse(["Range": "bytes=0-1"], stored(fields, content: .whole(length: nil)))?.kind == .whole)
  }

  @Test(
    "RFC 9110 §13.1.5: If-Range with the validator of the body is answered with the range, otherwise with the whole body"
  )
  func ifRange() {
    func kind(_ condition: String, _ fields: HTTPFields) -> Reuse.ResponseKind? {
      reuse(["Range": "bytes=0-1", "If-Range": condition], stored(fields))?.kind
    }
    #expect(kind("\"a\"", fields) == .part(0...1))
    #expect(kind("\"b\"", fields) == .whole)
    #expect(kind("W/\"a\"", fields) == .whole)
    #expect(kind(httpDate(-900), fields) == .whole)
    let dated: HTTPFields = ["Cache-Control": "max-age=600", "Date": httpDate(), "Last-Modified": httpDate(-900)]
    #expect(kind(httpDate(-900), dated) == .part(0...1))
    #expect(kind(httpDate(-901), dated) == .whole)
    let weak: HTTPFields = ["Cache-Control": "max-age=600", "ETag": "W/\"a\""]
    #expect(kind("W/\"a\"", weak) == .whole)
  }

  @Test("RFC 9111 §3.3: A stored part answers the ranges within it")
  func parts() throws {
    let part = stored(fields, status: 206, content: .part(first: 20, count: 10, total: 100))
    let within = try #require(self.reuse(["Range": "bytes=22-24"], part))
    #expect(within.kind == .part(22...24))
    #expect(part.bodyRange(for: within.kind, storedLength: 10) == 2..<5)
    #expect(part.head(for: within).fields["Content-Range"] == "bytes 22-24/100")
    for range in ["bytes=19-24", "bytes=22-30", "bytes=22-", "bytes=-5", "bytes=0-1,22-23"] {
      #expect(reuse(["Range": range], part) == nil, "\(range)")
    }
    #expect(reuse([:], part) == nil)
    let end = stored(fields, status: 206, content: .part(first: 90, count: 10, total: 100))
    #expect(reuse(["Range": "bytes=-3"], end)?.kind == .part(97...99))
    #expect(reuse(["Range": "bytes=95-"], end)?.kind == .part(95...99))
    let unknown = stored(fields, status: 206, content: .part(first: 20, count: 10, total: nil))
    #expect(reuse(["Range": "bytes=22-24"], unknown)?.kind == .part(22...24))
    #expect(reuse(["Range": "bytes=22-"], unknown) == nil)
    #expect(
      unknown.head(for: try #require(self.reuse(["Range": "bytes=22-24"], unknown))).fields["Content-Range"]
        == "bytes 22-24/*")
  }

  @Test(
    "RFC 9110 §13.1.2: A matching entity tag is answered with 304",
    arguments: ["\"a\"", "W/\"a\"", "\"x\", \"a\", \"y\"", "*", "x, \"a\"", "\"x\",, W/\"a\""])
  func ifNoneMatch(_ tags: String) throws {
    let reuse = try #require(self.reuse(["If-None-Match": tags, "If-Modified-Since": httpDate(-9999)]))
    #expect(reuse.kind == .notModified)
    let head = stored(fields).head(for: reuse)
    #expect(head.status == 304)
    #expect(head.fields["ETag"] == "\"a\"")
    #expect(head.fields["Age"] == "12")
    #expect(head.fields["Content-Length"] == nil && head.fields["Content-Type"] == nil)
  }

  @Test(
    "RFC 9110 §13.1.2: The whole body is returned if no entity tag matches, regardless of If-Modified-Since",
    arguments: ["\"b\"", "a", "", "\"a"])
  func ifNoneMatchOther(_ tags: String) {
    #expect(reuse(["If-None-Match": tags, "If-Modified-Since": httpDate()])?.kind == .whole)
  }

  @Test("RFC 9110 §13.1.3: If-Modified-Since is answered with 304 if the response was not modified")
  func ifModifiedSince() throws {
    #expect(reuse(["If-Modified-Since": httpDate(-900)])?.kind == .notModified)
    #expect(reuse(["If-Modified-Since": httpDate(-901)])?.kind == .whole)
    #expect(reuse(["If-Modified-Since": "then"])?.kind == .whole)
    // Without a date of modification, its own date has to do (RFC 9111 §4.3.2).
    let undated = stored(["Cache-Control": "max-age=600", "Date": httpDate()])
    #expect(reuse(["If-Modified-Since": httpDate()], undated)?.kind == .notModified)
    #expect(reuse(["If-Modified-Since": httpDate(-1)], undated)?.kind == .whole)
    #expect(reuse(["If-Modified-Since": httpDate(-900)], stored(fields, status: 404))?.kind == .whole)
  }

  @Test("RFC 9110 §15.4.5: A 304 without an entity tag has the modification date")
  func notModifiedByDate() throws {
    let dated = stored(["Cache-Control": "max-age=600", "Last-Modified": httpDate(-900), "Server": "x"])
    let head = dated.head(for: try #require(self.reuse(["If-Modified-Since": httpDate(-900)], dated)))
    #expect(head.fields == ["Cache-Control": "max-age=600", "Last-Modified": httpDate(-900), "Age": "7"])
  }
}
