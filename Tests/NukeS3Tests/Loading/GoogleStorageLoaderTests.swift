#if Server
  import Foundation
  import FoundationNetworking
  import Nuke
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @testable import NukeS3

  @Suite("A loader of objects in Google Cloud Storage", .timeLimit(.minutes(1)))
  struct GoogleStorageLoaderTests {
    private let origins = Origins()

    /// A metadata service whose tokens contain the number of the request.
    private func makeService() -> FakeCredentialService {
      let count = Lock(0)
      return FakeCredentialService { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return (200, #"{"access_token": "\#(number)", "expires_in": 3600, "token_type": "Bearer"}"#)
      }
    }

    private func makeLoader(
      _ origin: NukeOrigin, _ service: FakeCredentialService,
      _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
    ) throws -> S3DataLoader {
      let provider = service.makeProvider(of: try GoogleMetadataCredentials([:]))
      return S3DataLoader(
        endpoint: .googleCloudStorage(url: origin.url(""), credentials: .temporary(provider)),
        configuration: makeConfiguration(configure))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(
      "The name of an object is escaped once, whatever it contains",
      arguments: [
        ("gs://my.bucket_1/a.jpg", "/my.bucket_1/a.jpg", nil), ("GS://b/a/b%20c.jpg", "/b/a/b%20c.jpg", nil),
        ("gs://b/%23%25%3F%2541", "/b/%23%25%3F%2541", nil),
        ("gs://b/%C3%BC+(1)*'!.jpg", "/b/%C3%BC%2B%281%29%2A%27%21.jpg", nil),
        ("gs://b/a?1700000000000001", "/b/a", "generation=1700000000000001"),
        ("gs://b/a?generation=17", "/b/a", "generation=17"),
      ] as [(String, String, String?)])
    func names(text: String, path: String, query: String?) async throws {
      let origin = try origins.start { _ in .data(Data("body".utf8)) }
      let loader = try makeLoader(origin, makeService())
      #expect(await loader.outcome(of: try url(text)).body == Data("body".utf8))
      let sent = try #require(origin.log.requests.first)
      #expect(sent.path == path)
      #expect(sent.query == query)
    }

    @Test("It sends ranges and conditions with the access token, and no other fields")
    func fields() async throws {
      let origin = try origins.start { .ranged(noise(100), etag: "\"e\"", for: $0) }
      var request = URLRequest(url: try url("gs://b/a"))
      for (name, value) in [
        ("Range", "bytes=10-19"), ("If-None-Match", "\"a\""), ("Authorization", "Bearer x"), ("Cookie", "a=b"),
      ] {
        request.setValue(value, forHTTPHeaderField: name)
      }
      let state = try await makeLoader(origin, makeService()).outcome(of: request)
      #expect(state.head?.status == 206)
      let sent = try #require(origin.log.requests.first)
      #expect(sent.headers.filter { $0.name.lowercased() == "authorization" }.map(\.value) == ["Bearer 1"])
      #expect(sent.header("If-None-Match") == "\"a\"")
      #expect(sent.header("Cookie") == nil)
      #expect(sent.header("x-amz-content-sha256") == nil)
      #expect(sent.header("x-amz-security-token") == nil)
    }

    @Test("A token is used until shortly before it expires, and replaced after the service has rejected it")
    func tokens() async throws {
      let origin = try origins.start {
        $0.header("Authorization") == "Bearer 2" ? .status(401) : .data(Data("body".utf8))
      }
      let service = makeService()
      let loader = try makeLoader(origin, service)
      let object = try url("gs://b/a")
      for _ in 0..<2 { #expect(await loader.outcome(of: object).error == nil) }
      service.advance(seconds: 3600)
      #expect(await loader.outcome(of: object).unacceptableStatus == 401)
      service.advance(seconds: 60)
      // The token is rejected by this response, and the next request has another one.
      #expect(await loader.outcome(of: object).unacceptableStatus == 401)
      #expect(await loader.outcome(of: object).error == nil)
      #expect(
        origin.log.requests.map { $0.header("Authorization") }
          == ["Bearer 1", "Bearer 1", "Bearer 2", "Bearer 2", "Bearer 3"])
    }

    @Test("Responses are stored in the HTTP cache, and validated with the token")
    func caching() async throws {
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
      let origin = try origins.start { request in
        var response = NukeOrigin.Response.data(Data("body".utf8))
        if request.header("If-None-Match") == "\"1\"" { response = .init(status: 304) }
        response.headers += [("ETag", "\"1\""), ("Cache-Control", "no-cache")]
        return response
      }
      let loader = try makeLoader(origin, makeService()) { $0.urlCache = cache }
      for _ in 0..<2 { #expect(await loader.outcome(of: try url("gs://b/a")).body == Data("body".utf8)) }
      #expect(origin.log.requests.map { $0.header("If-None-Match") } == [nil, "\"1\""])
    }

    @Test("Public buckets need no token")
    func anonymous() async throws {
      let origin = try origins.start { _ in .data(Data("open".utf8)) }
      let loader = S3DataLoader(
        endpoint: .googleCloudStorage(url: origin.url(""), credentials: .anonymous), configuration: makeConfiguration())
      #expect(await loader.outcome(of: try url("gs://b/a")).body == Data("open".utf8))
      #expect(origin.log.requests.first?.header("Authorization") == nil)
    }

    @Test("It does not send the token to the target of a redirect")
    func redirects() async throws {
      let other = try origins.start { _ in .data(Data("x".utf8)) }
      let target = other.url("/").absoluteString
      let origin = try origins.start { _ in .redirect(to: target, status: 307) }
      let loader = try makeLoader(origin, makeService())
      #expect(await loader.outcome(of: try url("gs://b/a")).error == .tooManyRedirects(limit: 0))
      #expect(other.log.requests.isEmpty)
    }

    @Test("Without a token, it fails with the error of the service and sends no request")
    func failure() async throws {
      let origin = try origins.start { _ in .data(Data()) }
      let loader = try makeLoader(origin, FakeCredentialService { _ in (404, "") })
      let state = await loader.outcome(of: try url("gs://b/a"))
      let expected = S3CredentialProvider.Error.refused(.googleMetadata, status: 404, code: nil)
      #expect(state.ends.first.flatMap { $0 } as? S3CredentialProvider.Error == expected)
      #expect(origin.log.requests.isEmpty)
    }

    @Test("A token that no header field can contain is not sent, and not part of the error")
    func brokenToken() async throws {
      let origin = try origins.start { _ in .data(Data()) }
      let service = FakeCredentialService { _ in (200, #"{"access_token": "se\r\ncret", "expires_in": 3600}"#) }
      let error = try await makeLoader(origin, service).outcome(of: try url("gs://b/a")).error
      guard case .malformedRequest = error else { throw Unexpected(error) }
      #expect(error?.description.contains("cret") == false)
      #expect(origin.log.requests.isEmpty)
    }
  }
#endif
