import Foundation
import Testing

@testable import NukeServing

@Suite("The response for an image") struct ResponseRulesTests {
  @Test("A GET returns the file and all response fields")
  func image() {
    let rules = Sample.rules()
    let response = rules.response(
      .get(), Sample.negotiated(), with: Sample.rendition(freshUntil: Sample.now + 60), requestID: "7", now: Sample.now)
    #expect(response.status == 200)
    #expect(response.body == .whole)
    let expected: [(ResponseField.Name, String)] = [
      (.contentTypeOptions, "nosniff"),
      (.contentSecurityPolicy, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
      (.crossOriginResourcePolicy, "cross-origin"), (.accessControlAllowOrigin, "*"),
      (.accessControlExposeHeaders, "ETag, Content-Range, Retry-After, Server-Timing, X-Request-ID"),
      (.acceptRanges, "bytes"), (.cacheControl, "public, max-age=60"), (.requestID, "7"), (.entityTag, "\"abc\""),
      (.lastModified, "Tue, 14 Nov 2023 21:56:40 GMT"), (.contentType, "image/webp"), (.contentLength, "100"),
    ]
    #expect(rules.fields(response.constant) + response.fields == expected.map { ResponseField($0.0, $0.1) })
  }

  @Test("Cache tags are sent in two fields, also if the image is not modified")
  func tags() {
    var negotiated = Sample.negotiated()
    negotiated.request.options.cacheTags = ["a", "b-1"]
    for head in [RequestHead.get(), .get((.ifNoneMatch, "\"abc\""))] {
      let response = Sample.rules().response(head, negotiated, with: Sample.rendition(), now: Sample.now)
      #expect(response[.cacheTag] == "a,b-1" && response[.cacheTagOfCloudFront] == "a,b-1")
      #expect(Sample.response(head)[.cacheTag] == nil)
    }
  }

  @Test("HEAD returns the same fields and no body")
  func head() {
    let (get, head) = (Sample.response(.get()), Sample.response(RequestHead(.head)))
    #expect(get.fields == head.fields)
    #expect(head.body == .none)
  }

  @Test(
    "Data that is not an image is sent as application/octet-stream",
    arguments: [
      ("text/html", "application/octet-stream"), ("image/svg+xml", "image/svg+xml"),
      ("image/", "application/octet-stream"),
      ("image/webp", "image/webp"), ("text/plain", "text/plain; charset=utf-8"),
      ("image/x\r\nSet-Cookie: a=b", "application/octet-stream"), ("", "application/octet-stream"),
      ("application/javascript", "application/octet-stream"), ("image/vnd.microsoft.icon", "image/vnd.microsoft.icon"),
    ])
  func types(_ type: String, _ expected: String) {
    #expect(Sample.response(.get(), Sample.rendition(type: type))[.contentType] == expected)
  }

  @Test("With another suffix of entity tags, no copy of a client is valid")
  func entityTagSuffix() {
    let rules = Sample.rules { $0.entityTagSuffix = "-2" }
    #expect(Sample.response(.get(), rules: rules)[.entityTag] == "\"abc-2\"")
    for (tag, status) in [("\"abc-2\"", 304), ("\"abc\"", 200), ("W/\"abc-2\"", 304)] {
      var head = RequestHead.get()
      head.append(.ifNoneMatch, tag)
      #expect(Sample.response(head, rules: rules).status == status, "\(tag)")
      head = .get()
      head.append(.range, "bytes=0-9")
      head.append(.ifRange, tag)
      #expect(Sample.response(head, rules: rules).status == (tag == "\"abc-2\"" ? 206 : 200), "\(tag)")
    }
  }

  @Test("Server-Timing is sent only if it is enabled")
  func timing() {
    func timing(_ seconds: Double?, _ rules: ResponseRules) -> String? {
      rules.response(
        .get(), Sample.negotiated(), with: Sample.rendition(), seconds: seconds, now: Sample.now)[.serverTiming]
    }
    let telling = Sample.rules { $0.sendsTiming = true }
    #expect(timing(0.01234, Sample.rules()) == nil)
    #expect(timing(nil, telling) == nil)
    #expect(timing(0.01234, telling) == "cache;desc=made, total;dur=12.3")
    for invalid in [-1, Double.nan] { #expect(timing(invalid, telling) == "cache;desc=made, total;dur=0.0") }
    #expect(telling.fields(.image).contains(ResponseField(.timingAllowOrigin, "*")))
  }

  @Test("The sizes of the source and the image are sent only if that is enabled, and as far as they are known")
  func sizes() {
    var rendition = Sample.rendition()
    let names: [ResponseField.Name] = [.originContentLength, .originWidth, .originHeight, .resultWidth, .resultHeight]
    func values(_ rules: ResponseRules, _ head: RequestHead = .get()) -> [String?] {
      let response = Sample.response(head, rendition, rules: rules)
      return names.map { response[$0] }
    }
    let sending = Sample.rules { $0.sendsSizes = true }
    #expect(values(sending) == [nil, nil, nil, nil, nil])
    rendition.sourceByteCount = 5000
    #expect(values(sending) == ["5000", nil, nil, nil, nil])
    rendition.sizes = RenditionSizes(sourceWidth: 640, sourceHeight: 480, width: 64, height: 48)
    #expect(values(sending) == ["5000", "640", "480", "64", "48"])
    #expect(values(sending, RequestHead(.head)) == ["5000", "640", "480", "64", "48"])
    #expect(values(sending, .get((.ifNoneMatch, Sample.tag))) == [nil, nil, nil, nil, nil])
    #expect(values(Sample.rules()) == [nil, nil, nil, nil, nil])
    #expect(names.map(\.spelling).first == "X-Origin-Content-Length")
  }

  @Test("The request ID is sent unless it is disabled")
  func requestID() {
    let rules = Sample.rules { $0.sendsRequestID = false }
    let response = rules.response(
      .get(), Sample.negotiated(), with: Sample.rendition(), requestID: "7", now: Sample.now)
    #expect(response[.requestID] == nil)
    #expect(RequestID.accepted("a-1_B.2:3") == "a-1_B.2:3")
    for text in ["", "a b", "a\r\nb", "ä", "a, b", "\"", String(repeating: "a", count: 129)] {
      #expect(RequestID.accepted(text) == nil)
    }
  }
}

@Suite("Cross-origin requests (CORS)") struct CrossOriginTests {
  private let some = Sample.rules {
    $0.allowedOrigins = .only(["https://a.example"])
    $0.allowsEmbedding = false
  }

  @Test("A listed origin is allowed, and Vary contains Origin")
  func listed() {
    let response = Sample.response(.get((.origin, "https://a.example")), rules: some)
    #expect(response[.accessControlAllowOrigin] == "https://a.example")
    #expect(response[.vary] == "Origin")
    #expect(some.fields(.image).contains(ResponseField(.crossOriginResourcePolicy, "same-origin")))
  }

  @Test(
    "Other origins are not allowed",
    arguments: ["https://b.example", "https://a.example.b", "null", "https://A.example", ""])
  func others(_ origin: String) {
    let response = Sample.response(.get((.origin, origin)), rules: some)
    #expect(response[.accessControlAllowOrigin] == nil)
    #expect(response[.vary] == "Origin")
  }

  @Test("There are no CORS fields if no origin is allowed")
  func nobody() {
    let rules = Sample.rules { $0.allowedOrigins = .none }
    let response = Sample.response(.get((.origin, "https://a.example")), rules: rules)
    for field in rules.fields(.image) + response.fields {
      #expect(![.accessControlAllowOrigin, .accessControlExposeHeaders].contains(field.name))
    }
    #expect(response[.vary] == nil)
  }

  @Test("A preflight request lists the allowed methods and fields")
  func preflight() {
    let head = RequestHead(
      .options, [(.origin, "https://a.example"), (.accessControlRequestMethod, "GET")])
    let response = some.responseToOptions(head)
    #expect(response.status == 204)
    #expect(response[.allow] == "GET, HEAD, OPTIONS")
    #expect(response[.accessControlAllowMethods] == "GET, HEAD, OPTIONS")
    #expect(response[.accessControlAllowHeaders]?.contains("If-None-Match") == true)
    #expect(response[.accessControlMaxAge] == "86400")
    let other = some.responseToOptions(
      RequestHead(.options, [(.origin, "https://b.example"), (.accessControlRequestMethod, "GET")]))
    #expect(other[.accessControlAllowMethods] == nil && other[.accessControlAllowOrigin] == nil)
    #expect(some.responseToOptions(RequestHead(.options))[.allow] == "GET, HEAD, OPTIONS")
    // Scripts of other sites purge nothing.
    let purging = some.responseToOptions(head, canPurge: true)
    #expect(purging[.allow] == "GET, HEAD, OPTIONS, DELETE")
    #expect(purging[.accessControlAllowMethods] == "GET, HEAD, OPTIONS")
  }

  @Test("Images accept OPTIONS if an origin is allowed, and DELETE if there is something that purges")
  func methods() {
    let none = Sample.rules { $0.allowedOrigins = .none }
    #expect(none.methods(canPurge: false) == "GET, HEAD")
    #expect(none.methods(canPurge: true) == "GET, HEAD, DELETE")
    #expect(some.methods(canPurge: false) == "GET, HEAD, OPTIONS")
    #expect(Sample.rules { $0.allowedOrigins = .any }.methods(canPurge: true) == "GET, HEAD, OPTIONS, DELETE")
  }
}

@Suite("Error responses") struct ErrorAnswerTests {
  private let secret = ServingError.sourceFailed("http://10.0.0.7/a answered 500")

  @Test(
    "The text is a sentence without host names",
    arguments: [nil, "text/plain", "*/*", "image/webp,*/*", "application/json;q=0"])
  func text(_ accept: String?) throws {
    let head = accept.map { RequestHead.get((.accept, $0)) } ?? .get()
    let response = Sample.rules().response(head, failing: secret, requestID: "7")
    #expect(response.status == 502)
    #expect(response[.contentType] == "text/plain; charset=utf-8")
    #expect(response.body == .text("The source of the image failed.\n"))
    #expect(response[.contentLength] == "32")
    #expect(response[.vary] == "Accept")
    #expect(response[.requestID] == "7")
    #expect(Sample.rules().fields(response.constant).contains(ResponseField(.contentTypeOptions, "nosniff")))
  }

  @Test("A client that accepts JSON gets JSON")
  func json() throws {
    let error = ServingError.invalidOption("w\"\\\n\u{1F600}", "it is \u{7}no number")
    let response = Sample.rules().response(.get((.accept, "application/json")), failing: error, requestID: "7")
    #expect(response[.contentType] == "application/json; charset=utf-8")
    let bytes = response.bytes(of: Data())
    #expect(response[.contentLength] == String(bytes.count))
    let value = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(value["status"] as? Int == 400)
    #expect(value["message"] as? String == error.publicMessage)
    #expect(value["requestID"] as? String == "7")
  }

  @Test("The response to a method that is not allowed lists those that are, and is not stored")
  func methods() {
    let response = Sample.rules().response(.get(), failing: .methodNotAllowed(allowed: "GET, HEAD"))
    #expect(response.status == 405)
    #expect(response[.allow] == "GET, HEAD")
    #expect(response[.cacheControl] == "no-store")
    #expect(Sample.rules().response(.get(), failing: .unknownPath)[.allow] == nil)
  }

  @Test("Retry-After states when to try again")
  func retrying() {
    let response = Sample.rules().response(.get(), failing: .overloaded(retryAfter: 3))
    #expect(response.status == 429)
    #expect(response[.retryAfter] == "3")
    #expect(Sample.rules().response(.get(), failing: .wrongSignature)[.retryAfter] == nil)
  }

  @Test("A HEAD request gets the length without the body")
  func head() {
    let response = Sample.rules().response(RequestHead(.head), failing: secret)
    #expect(response.body == .none)
    #expect(response[.contentLength] == "32")
  }
}
