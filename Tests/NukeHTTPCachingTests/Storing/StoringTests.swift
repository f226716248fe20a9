import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §3: what may be stored") struct StoringTests {
  var policy = CachePolicy()

  func refusal(_ response: ReceivedResponse, to request: CacheRequest = request()) -> Refusal? {
    do {
      _ = try policy.entry(for: response, to: request)
      return nil
    } catch {
      return error
    }
  }

  @Test("Final responses to GET can be stored, with almost every status")
  func statuses() {
    for status in [200, 203, 204, 299, 301, 302, 400, 401, 404, 410, 499, 500, 503, 599] {
      #expect(refusal(received(status, ["Cache-Control": "max-age=60"])) == nil, "\(status)")
    }
    for status in [0, -1, 100, 103, 199, 600, 999] {
      #expect(refusal(received(status, ["Cache-Control": "max-age=60"])) == .statusNotFinal, "\(status)")
    }
  }

  @Test("Responses to a condition, a range or a proxy cannot be stored, nor those that RFC 6585 excludes")
  func statusesOfOneRequest() {
    for status in [304, 407, 412, 416, 428, 429, 431, 511] {
      #expect(refusal(received(status, ["Cache-Control": "public, max-age=60"])) == .statusOfOneRequest, "\(status)")
    }
  }

  @Test("A response without explicit freshness can be stored if its status allows heuristic freshness")
  func nothingAllows() {
    for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501] {
      #expect(refusal(received(status, [:])) == nil, "\(status)")
    }
    for status in [201, 302, 403, 500, 503] {
      #expect(refusal(received(status, ["ETag": "\"a\""])) == .nothingAllowsIt, "\(status)")
      #expect(refusal(received(status, ["Expires": "0"])) == nil, "\(status)")
      #expect(refusal(received(status, ["Cache-Control": "public"])) == nil, "\(status)")
    }
  }

  @Test(
    "§5.2.2.5: no-store in the response or the request forbids storing",
    arguments: ["no-store", "No-Store, max-age=9", "a=\"\", no-store=x"])
  func noStore(_ value: String) {
    #expect(refusal(received(200, ["Cache-Control": value])) == .noStoreInResponse)
    #expect(refusal(received(200, [:]), to: request(["Cache-Control": value])) == .noStoreInRequest)
  }

  @Test("§5.2.2.3: must-understand overrides no-store if the status is understood")
  func mustUnderstand() {
    let fields: HTTPFields = ["Cache-Control": "max-age=60, no-store, must-understand"]
    #expect(refusal(received(200, fields)) == nil)
    #expect(refusal(received(599, fields)) == .statusNotUnderstood)
    #expect(refusal(received(599, ["Cache-Control": "max-age=60, must-understand"])) == .statusNotUnderstood)
  }

  @Test("§5.2.2.7, §3.5: A private cache stores private responses, and those to requests with credentials")
  func privateCache() {
    #expect(refusal(received(200, ["Cache-Control": "private, max-age=60"])) == nil)
    #expect(refusal(received(200, ["Cache-Control": "private=\"set-cookie\""])) == nil)
    #expect(refusal(received(200, [:]), to: request(["Authorization": "Basic x"])) == nil)
  }

  @Test("§3.5: A cache of several users does not store responses to requests with credentials")
  mutating func authorized() {
    policy.storesAuthorized = false
    let authorized = request(["Authorization": "Basic x"])
    #expect(refusal(received(200, ["Cache-Control": "max-age=60"]), to: authorized) == .authorized)
    for directive in ["public", "must-revalidate", "s-maxage=1"] {
      #expect(refusal(received(200, ["Cache-Control": directive]), to: authorized) == nil)
    }
  }

  @Test("§5.2.2.7: A cache that serves other clients does not store private responses")
  mutating func forOthers() {
    policy.storesPrivate = false
    #expect(refusal(received(200, ["Cache-Control": "private, max-age=60"])) == .forOneClient)
    #expect(refusal(received(200, ["Cache-Control": "private, must-understand, no-store"])) == .forOneClient)
    #expect(refusal(received(200, ["Cache-Control": "private=\"set-cookie\", max-age=60"])) == nil)
  }

  @Test("§4.1: A response with Vary: * is not stored")
  func varyAny() {
    #expect(refusal(received(200, ["Vary": "Accept, *"])) == .variesByEverything)
  }

  @Test(
    "Responses to other methods are not stored",
    arguments: ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "M-SEARCH"])
  func methods(_ method: String) {
    #expect(refusal(received(200, ["Cache-Control": "max-age=60"]), to: request(method: method)) == .method)
  }

  @Test("RFC 9110 §9.3.3: A response to POST can be stored, with explicit freshness and a matching Content-Location")
  func post() {
    let post = request(method: "POST")
    #expect(refusal(received(200, ["Cache-Control": "max-age=60", "Content-Location": "a.jpg"]), to: post) == nil)
    #expect(refusal(received(200, ["Expires": httpDate(9), "Content-Location": url]), to: post) == nil)
    #expect(refusal(received(200, ["Content-Location": url]), to: post) == .method)
    #expect(refusal(received(200, ["Cache-Control": "max-age=60"]), to: post) == .method)
    #expect(refusal(received(200, ["Cache-Control": "max-age=60", "Content-Location": "b.jpg"]), to: post) == .method)
    #expect(refusal(received(201, ["Cache-Control": "max-age=60", "Content-Location": url]), to: post) == .method)
  }

  @Test("§3.3: A part of a body can be stored if its range is valid")
  func parts() throws {
    let fields: HTTPFields = ["Content-Range": "bytes 5-9/20", "ETag": "\"a\""]
    let entry = try policy.entry(for: received(206, fields), to: request(["Range": "bytes=5-9"]))
    #expect(entry.content == .part(first: 5, count: 5, total: 20))
    for range in ["", "bytes */20", "bytes 9-5/20", "lines 5-9/20"] {
      #expect(refusal(received(206, ["Content-Range": range])) == .unclearPart)
    }
    #expect(refusal(received(206, ["Content-Type": "multipart/byteranges; boundary=x"])) == .unclearPart)
    #expect(refusal(received(206, ["Content-Range": "bytes 5-9/20", "Content-Length": "6"])) == .unclearPart)
    // In a 200 the field means nothing.
    #expect(refusal(received(200, ["Content-Range": "bytes 5-9/20"])) == nil)
  }

  @Test("Each reason has a description of one word")
  func descriptions() {
    let all: [Refusal] = [
      .method, .statusNotFinal, .statusOfOneRequest, .statusNotUnderstood, .noStoreInRequest, .noStoreInResponse,
      .authorized, .variesByEverything, .unclearPart, .nothingAllowsIt,
    ]
    #expect(Set(all.map(\.description)).count == all.count)
    #expect(all.allSatisfy { $0.description.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D } })
  }
}

@Suite("RFC 9111 §3.1: which fields are stored") struct StoredFieldsTests {
  func entry(_ fields: HTTPFields) throws -> HTTPFields {
    try CachePolicy().entry(for: received(200, fields), to: request()).fields
  }

  @Test("Fields of the connection and of proxies are not stored")
  func hopByHop() throws {
    let fields: HTTPFields = [
      "Connection": "close", "Keep-Alive": "timeout=5", "Proxy-Connection": "x", "TE": "x", "Transfer-Encoding": "x",
      "Upgrade": "x", "Proxy-Authenticate": "x", "Proxy-Authentication-Info": "x", "Proxy-Authorization": "x",
      "Server": "x",
    ]
    #expect(try entry(fields) == ["Server": "x"])
  }

  @Test("Fields that Connection names are not stored, except those that caching depends on")
  func connection() throws {
    let fields: HTTPFields = [
      "Connection": "A, b,cache-control", "connection": "X-c, Vary", "a": "1", "B": "2", "x-C": "3", "d": "4",
      "Cache-Control": "no-cache", "Vary": "Accept",
    ]
    #expect(try entry(fields) == ["d": "4", "Cache-Control": "no-cache", "Vary": "Accept"])
  }

  @Test("§5.2.2.4: Fields that no-cache names are not stored")
  func noCache() throws {
    let fields: HTTPFields = [
      "Cache-Control": "no-cache=\"A, set-cookie\", max-age=9", "a": "1", "Set-Cookie": "x", "b": "2",
    ]
    #expect(try entry(fields) == ["Cache-Control": "no-cache=\"A, set-cookie\", max-age=9", "b": "2"])
  }

  @Test("All other fields are stored, such as cookies and those that private names")
  func others() throws {
    let fields: HTTPFields = [
      "Set-Cookie": "a=b", "set-cookie": "c=d", "Content-Security-Policy": "x", "Clear-Site-Data": "cookies",
      "Content-Range": "nonsense", "Cache-Control": "private=\"set-cookie\"", "Age": "5", "X-Own": "",
    ]
    #expect(try entry(fields) == fields)
  }
}

@Suite("A received body") struct FinishedBodyTests {
  func finished(_ content: StoredResponse.Content, status: Int = 200, length: Int) -> StoredResponse.Content? {
    stored([:], status: status, content: content).finished(bodyLength: length)?.content
  }

  @Test("It is complete if it has the stated length, or if none was stated")
  func whole() {
    #expect(finished(.whole(length: nil), length: 7) == .whole(length: 7))
    #expect(finished(.whole(length: nil), length: 0) == .whole(length: 0))
    #expect(finished(.whole(length: 7), length: 7) == .whole(length: 7))
    #expect(finished(.whole(length: 7), length: 8) == nil)
  }

  @Test("RFC 9111 §3.3: An interrupted body is stored as a part")
  func broken() {
    #expect(finished(.whole(length: 7), length: 3) == .part(first: 0, count: 3, total: 7))
    #expect(finished(.whole(length: 7), length: 0) == nil)
    #expect(finished(.whole(length: 7), status: 404, length: 3) == nil)
    #expect(
      finished(.part(first: 5, count: 5, total: 10), status: 206, length: 2) == .part(first: 5, count: 2, total: 10))
    #expect(
      finished(.part(first: 5, count: 5, total: 10), status: 206, length: 5) == .part(first: 5, count: 5, total: 10))
    #expect(finished(.part(first: 5, count: 5, total: nil), status: 206, length: 6) == nil)
    #expect(finished(.part(first: 5, count: 5, total: nil), status: 206, length: 0) == nil)
  }
}
