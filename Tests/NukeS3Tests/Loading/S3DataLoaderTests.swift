import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@testable import NukeS3

@Suite("A loader of S3 objects", .timeLimit(.minutes(1)))
struct S3DataLoaderTests {
  private let origins = Origins()

  private func makeLoader(
    _ endpoint: S3Endpoint, retryPolicy: RetryPolicy? = nil,
    _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) -> S3DataLoader {
    S3DataLoader(endpoint: endpoint, configuration: makeConfiguration(configure), retryPolicy: retryPolicy)
  }

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(
    "It signs requests with every character that keys can contain",
    arguments: [
      ("s3://images/a.jpg", "/images/a.jpg"),
      ("s3://images/a%20b/%C3%BC+(1)*'!.jpg", "/images/a%20b/%C3%BC%2B%281%29%2A%27%21.jpg"),
      ("s3://images//a//b", "/images//a//b"), ("s3://images/%25%26%3D%3F%23", "/images/%25%26%3D%3F%23"),
      ("s3://images/a.jpg?versionId=x%2Fy%20z", "/images/a.jpg"),
    ])
  func signing(text: String, path: String) async throws {
    let store = try SigningOrigin(in: origins) { .data(Data($0.path.utf8)) }
    let state = await makeLoader(store.endpoint).outcome(of: try url(text))
    #expect(state.error == nil)
    #expect(state.body == Data(path.utf8))
  }

  @Test("It signs conditions, ranges, session tokens and the trace context, and sends no other fields")
  func fields() async throws {
    let store = try SigningOrigin(in: origins, sessionToken: "to/ken+==") {
      .ranged(noise(100), etag: "\"e\"", for: $0)
    }
    let loader = makeLoader(store.endpoint) { $0.additionalHeaders = ["X-Mine": "1"] }
    var request = URLRequest(url: try url("s3://images/a"))
    for (name, value) in [
      ("Range", "bytes=10-19"), ("If-Range", "\"e\""), ("If-None-Match", "\"a\",  \"b\""),
      ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Accept", "image/webp, */*"),
      ("Accept-Encoding", "gzip"), ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
      ("tracestate", "a=1,b=2"),
      ("X-Amz-Acl", "public-read"), ("Authorization", "Bearer x"), ("If-Match", ""),
    ] {
      request.setValue(value, forHTTPHeaderField: name)
    }
    let state = await loader.outcome(of: request)
    #expect(state.head?.status == 206)
    #expect(state.body == noise(100).dropFirst(10).prefix(10))
    let sent = try #require(store.origin.log.requests.first)
    #expect(sent.header("x-amz-security-token") == "to/ken+==")
    #expect(sent.header("X-Mine") == nil)
    #expect(sent.header("X-Amz-Acl") == nil)
    #expect(sent.header("Accept-Encoding") == nil)
    #expect(sent.header("If-Modified-Since") != nil)
    #expect(sent.header("traceparent") == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    #expect(sent.header("tracestate") == "a=1,b=2")
  }

  @Test("It sends HEAD, and no requests that write")
  func methods() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data("abc".utf8)) }
    let loader = makeLoader(store.endpoint)
    var request = URLRequest(url: try url("s3://images/a"))
    request.httpMethod = "HEAD"
    let state = await loader.outcome(of: request)
    #expect(state.error == nil)
    #expect(state.head?.expectedLength == 3)
    for method in ["PUT", "DELETE", "POST"] {
      request.httpMethod = method
      let error = await loader.outcome(of: request).error
      guard case .malformedRequest = error else { throw Unexpected(error) }
    }
    #expect(store.origin.log.requests.map(\.method) == ["HEAD"])
  }

  @Test("It signs nothing without credentials")
  func anonymous() async throws {
    let origin = try origins.start { _ in .data(Data("open".utf8)) }
    let loader = makeLoader(S3Endpoint(url: origin.url(""), credentials: nil))
    #expect(await loader.outcome(of: try url("s3://images/a")).body == Data("open".utf8))
    #expect(origin.log.requests.first?.header("Authorization") == nil)
  }

  @Test("It does not follow redirects with its signature")
  func redirects() async throws {
    let other = try origins.start { _ in .data(Data("x".utf8)) }
    let target = other.url("/")
    let store = try SigningOrigin(in: origins) { _ in .redirect(to: target.absoluteString, status: 307) }
    let error = await makeLoader(store.endpoint).outcome(of: try url("s3://images/a")).error
    #expect(error == .tooManyRedirects(limit: 0))
    #expect(other.log.requests.isEmpty)
  }

  @Test("It retries with a new signature, and resumes an interrupted body")
  func retries() async throws {
    let body = noise(50_000)
    let tries = NukeOrigin.Response.ranged
    let store = try SigningOrigin(in: origins) { request in
      if request.header("Range") == nil {
        return tries(body, "image/png", "\"v\"", [], request).scripted(.head, .bytes(20_000), .close)
      }
      return tries(body, "image/png", "\"v\"", [], request)
    }
    let loader = makeLoader(store.endpoint, retryPolicy: RetryPolicy(maxRetryCount: 2, initialDelay: 0.001))
    #expect(await loader.outcome(of: try url("s3://images/a")).body == body)
    #expect(store.origin.log.requests.count == 2)
  }

  @Test("It uses the HTTP cache first, and validates stale responses with the store")
  func caching() async throws {
    let folder = try TemporaryFolder()
    let cache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
    let store = try SigningOrigin(in: origins) { request in
      var response = NukeOrigin.Response.data(Data("body".utf8))
      if request.header("If-None-Match") == "\"1\"" { response = .init(status: 304) }
      response.headers += [("ETag", "\"1\""), ("Cache-Control", "no-cache")]
      return response
    }
    let loader = makeLoader(store.endpoint) { $0.urlCache = cache }
    #expect(loader.configuration(for: try url("s3://images/a"))?.urlCache != nil)
    for _ in 0..<2 { #expect(await loader.outcome(of: try url("s3://images/a")).body == Data("body".utf8)) }
    #expect(store.origin.log.requests.map { $0.header("If-None-Match") } == [nil, "\"1\""])
  }

  @Test("It fails for invalid object names without a request")
  func malformed() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data()) }
    let loader = makeLoader(store.endpoint)
    for text in ["s3://images/../a", "s3://images/", "s3://user@images/a", "s3://images:80/a"] {
      let error = await loader.outcome(of: try url(text)).error
      guard case .malformedURL = error else { throw Unexpected(error) }
    }
    #expect(store.origin.log.requests.isEmpty)
  }

  @Test("It applies the address policy")
  func addresses() async throws {
    let store = try SigningOrigin(in: origins) { _ in .data(Data()) }
    let loader = makeLoader(store.endpoint) { $0.addressPolicy = .publicOnly }
    let error = await loader.outcome(of: try url("s3://images/a")).error
    #expect(error == .addressNotAllowed(host: "127.0.0.1", address: "127.0.0.1"))
  }
}
