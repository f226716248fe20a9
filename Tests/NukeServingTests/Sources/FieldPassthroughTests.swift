import Foundation
import Testing

@testable import NukeServing

@Suite("Fields of clients that are passed on to sources")
struct FieldPassthroughTests {
  private let source = URL(string: "https://photos.example/a.jpg")!

  private func cookies(_ names: Set<String>? = nil, below base: String = "https://photos.example/") throws
    -> FieldPassthrough
  {
    FieldPassthrough(cookies: .init(names, to: try #require(SourcePattern(base))))
  }

  @Test("Only listed fields are passed on, and only to http and https")
  func listed() {
    let passthrough = FieldPassthrough(fields: ["X-User", "Authorization"])
    let sent = ["x-user": "a", "authorization": "b", "x-other": "c", "cookie": "d=1"]
    let expected = ["x-user": "a", "authorization": "b"]
    #expect(passthrough.fields(of: sent, to: source) == expected)
    #expect(passthrough.fields(of: sent, to: URL(string: "http://other.example/")!) == expected)
    for other in ["local:///a.jpg", "s3://bucket/a.jpg", "fallback:///1"] {
      #expect(passthrough.fields(of: sent, to: URL(string: other)!) == [:])
    }
    #expect(FieldPassthrough().fields(of: sent, to: source) == [:])
  }

  @Test(
    "Fields of the connection, the body, ranges and conditions, and texts that are no names, are refused",
    arguments: [
      "Host", "Connection", "Content-Length", "Content-Type", "If-None-Match", "Range", "Transfer-Encoding", "Cookie",
      "Proxy-Authorization", "Accept-Encoding", "", "a b", "a:b", "é",
    ])
  func refused(name: String) {
    #expect(!FieldPassthrough.isAllowed(name))
    #expect(FieldPassthrough(fields: [name, "X-User"]).names == ["x-user"])
  }

  @Test(
    "Cookies are sent only below their URL",
    arguments: [
      ("https://photos.example/a.jpg", true), ("https://photos.example/", true), ("http://photos.example/a.jpg", false),
      ("https://photos.example:444/a.jpg", false), ("https://a.photos.example/a.jpg", false),
      ("https://photos.example.evil.test/a.jpg", false), ("https://evil.test/https://photos.example/", false),
    ])
  func scope(text: String, isSent: Bool) throws {
    let fields = try cookies().fields(of: ["cookie": "a=1; b=2"], to: try #require(URL(string: text)))
    #expect(fields == (isSent ? ["cookie": "a=1; b=2"] : [:]))
  }

  @Test("Of the cookies, only listed ones are sent, and nothing that is not a cookie")
  func names() throws {
    let text = "a=1;b=2=3; c ; =4; ab=5;a=6"
    #expect(try cookies(["a", "b"]).fields(of: ["cookie": text], to: source) == ["cookie": "a=1; b=2=3; a=6"])
    #expect(try cookies().fields(of: ["cookie": text], to: source) == ["cookie": "a=1; b=2=3; ab=5; a=6"])
    #expect(try cookies(["z"]).fields(of: ["cookie": text], to: source) == [:])
    #expect(try cookies(["a"]).names == ["cookie"])
  }

  @Test("Several lines of a field are joined, those of cookies with semicolons")
  func lines() {
    var head = RequestHead()
    for value in ["a=1", "b=2"] { head.append(passed: "cookie", value) }
    for value in ["x", "y"] { head.append(passed: "x-user", value) }
    #expect(head.passed == ["cookie": "a=1; b=2", "x-user": "x, y"])
  }

  // MARK: Responses

  private let rules = Sample.rules { $0.passthrough = FieldPassthrough(fields: ["X-User"]) }

  private func negotiated(_ head: RequestHead, _ source: URL = Sample.source) -> ResponseRules.NegotiatedRequest {
    rules.negotiate(RenditionRequest(source: source), hasDPR: false, isSigned: true, head)
  }

  @Test("A response to passed fields is private, and every response of such a source varies by them")
  func responses() {
    var head = RequestHead()
    let plain = rules.response(head, negotiated(head), with: Sample.rendition(), now: Sample.now)
    #expect(plain[.vary] == "Accept, x-user" && plain[.cacheControl] == "public, max-age=3600")
    head.append(passed: "x-user", "me")
    let request = negotiated(head)
    #expect(request.request.sourceFields == ["x-user": "me"])
    let personal = rules.response(head, request, with: Sample.rendition(), now: Sample.now)
    #expect(personal[.vary] == "Accept, x-user" && personal[.cacheControl] == "private, max-age=3600")
    let facts = rules.negotiateFacts(source: Sample.source, expires: nil, isSigned: true, head)
    #expect(facts.request.sourceFields == ["x-user": "me"] && facts.isPersonal)
    let local = negotiated(head, URL(string: "local:///a.jpg")!)
    #expect(local.request.sourceFields == [:] && !local.isPassing && !local.isPersonal)
  }

  @Test("An error after passed fields is not stored, and a fallback image is private")
  func errors() {
    var head = RequestHead()
    #expect(rules.response(head, failing: .sourceNotFound(""))[.cacheControl] == "public, max-age=10")
    head.append(passed: "x-user", "me")
    let error = rules.response(head, failing: .sourceNotFound(""))
    #expect(error[.cacheControl] == "no-store" && error[.vary] == "Accept, x-user")
    let fallback = FallbackImage(source: URL(string: "local:///f.png")!, freshness: 60)
    let response = rules.response(
      head, negotiated(head), with: Sample.rendition(), for: .sourceNotFound(""), fallback, requestID: nil,
      now: Sample.now)
    #expect(response[.cacheControl] == "private, max-age=60")
  }
}
