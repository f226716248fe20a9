#if Server
  import Foundation
  import FoundationNetworking
  import Nuke
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @testable import NukeS3

  @Suite("A loader of blobs in Azure", .timeLimit(.minutes(1)))
  struct AzureBlobLoaderTests {
    private let origins = Origins()

    /// Starts a storage account that rejects wrong signatures, and returns it with its loader.
    private func start(
      path: String = "", cache: HTTPCache? = nil, retryPolicy: RetryPolicy? = nil,
      _ respond: @escaping @Sendable (NukeOrigin.Request) -> NukeOrigin.Response
    ) throws -> (origin: NukeOrigin, loader: S3DataLoader) {
      let key = Array("a secret key".utf8)
      let check = SharedKeyCheck(account: "nuke", key: key)
      let origin = try origins.start { request in
        if let objection = check.objection(to: request) {
          Issue.record("\(request.method) \(request.path): \(objection)")
          return .status(403)
        }
        return respond(request)
      }
      let credentials = S3Credentials(accessKey: "nuke", secretKey: Data(key).base64EncodedString())
      let endpoint = S3Endpoint.azureBlobStorage(
        account: "nuke", url: origin.url(path), credentials: .fixed(credentials))
      let configuration = makeConfiguration { $0.urlCache = cache }
      return (origin, S3DataLoader(endpoint: endpoint, configuration: configuration, retryPolicy: retryPolicy))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(
      "The name of a blob is escaped once, whatever it contains",
      arguments: [
        ("abs://photos/a.jpg", "/photos/a.jpg"), ("ABS://photos/a/b%20c.jpg", "/photos/a/b%20c.jpg"),
        ("abs://photos/%23%25%3F%2541", "/photos/%23%25%3F%2541"),
        ("abs://photos/%C3%BC+(1)*'!.jpg", "/photos/%C3%BC%2B%281%29%2A%27%21.jpg"),
      ])
    func names(text: String, path: String) async throws {
      let (_, loader) = try start { .data(Data($0.path.utf8)) }
      #expect(await loader.outcome(of: try url(text)).body == Data(path.utf8))
    }

    @Test("An emulator has the account in the path of its URL")
    func emulator() async throws {
      let (_, loader) = try start(path: "/nuke/") { .data(Data($0.path.utf8)) }
      #expect(await loader.outcome(of: try url("abs://photos/a")).body == Data("/nuke/photos/a".utf8))
    }

    @Test("Ranges and conditions are signed, and no other fields are sent")
    func fields() async throws {
      let (origin, loader) = try start { .ranged(noise(100), etag: "\"e\"", for: $0) }
      var request = URLRequest(url: try url("abs://photos/a"))
      for (name, value) in [
        ("Range", "bytes=10-19"), ("If-None-Match", "\"a\""), ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("If-Match", ""), ("x-ms-range", "bytes=0-1"), ("Authorization", "Bearer x"), ("Cookie", "a=b"),
      ] {
        request.setValue(value, forHTTPHeaderField: name)
      }
      let state = await loader.outcome(of: request)
      #expect(state.head?.status == 206)
      #expect(state.body == noise(100).dropFirst(10).prefix(10))
      let sent = try #require(origin.log.requests.first)
      #expect(sent.header("x-ms-range") == nil)
      #expect(sent.header("Cookie") == nil)
      #expect(sent.header("x-amz-content-sha256") == nil)
      #expect(sent.header("If-Match") == nil)
    }

    @Test("It signs each attempt, and resumes an interrupted body")
    func retries() async throws {
      let body = noise(50_000)
      let (origin, loader) = try start(retryPolicy: RetryPolicy(maxRetryCount: 2, initialDelay: 0.001)) { request in
        let response = NukeOrigin.Response.ranged(body, type: "image/png", etag: "\"v\"", for: request)
        return request.header("Range") == nil ? response.scripted(.head, .bytes(20_000), .close) : response
      }
      #expect(await loader.outcome(of: try url("abs://photos/a")).body == body)
      #expect(origin.log.requests.map { $0.header("Range") != nil } == [false, true])
    }

    @Test("Stale responses in the HTTP cache are validated with a signed condition")
    func caching() async throws {
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
      let (origin, loader) = try start(cache: cache) { request in
        var response = NukeOrigin.Response.data(Data("body".utf8))
        if request.header("If-None-Match") == "\"1\"" { response = .init(status: 304) }
        response.headers += [("ETag", "\"1\""), ("Cache-Control", "no-cache")]
        return response
      }
      for _ in 0..<2 { #expect(await loader.outcome(of: try url("abs://photos/a")).body == Data("body".utf8)) }
      #expect(origin.log.requests.map { $0.header("If-None-Match") } == [nil, "\"1\""])
    }

    @Test("It does not follow redirects with its signature")
    func redirects() async throws {
      let other = try origins.start { _ in .data(Data("x".utf8)) }
      let target = other.url("/").absoluteString
      let (_, loader) = try start { _ in .redirect(to: target, status: 307) }
      #expect(await loader.outcome(of: try url("abs://photos/a")).error == .tooManyRedirects(limit: 0))
      #expect(other.log.requests.isEmpty)
    }

    @Test("Public containers need no signature")
    func anonymous() async throws {
      let origin = try origins.start { _ in .data(Data("open".utf8)) }
      let endpoint = S3Endpoint.azureBlobStorage(account: "nuke", url: origin.url(""), credentials: .anonymous)
      let loader = S3DataLoader(endpoint: endpoint, configuration: makeConfiguration())
      #expect(await loader.outcome(of: try url("abs://photos/a")).body == Data("open".utf8))
      #expect(origin.log.requests.first?.header("Authorization") == nil)
    }

    @Test("A managed identity is sent as an access token, with the version of the protocol")
    func managedIdentity() async throws {
      let origin = try origins.start { _ in .data(Data("body".utf8)) }
      let service = FakeCredentialService { _ in (200, #"{"access_token": "t", "expires_in": "3600"}"#) }
      let provider = service.makeProvider(of: try ManagedIdentityCredentials([:]))
      let endpoint = S3Endpoint.azureBlobStorage(
        account: "nuke", url: origin.url(""), credentials: .temporary(provider))
      let loader = S3DataLoader(endpoint: endpoint, configuration: makeConfiguration())
      #expect(await loader.outcome(of: try url("abs://photos/a")).body == Data("body".utf8))
      let sent = try #require(origin.log.requests.first)
      #expect(sent.header("Authorization") == "Bearer t")
      #expect(sent.header("x-ms-version") == "2021-08-06")
    }

    @Test("The default address is that of the account")
    func address() {
      let endpoint = S3Endpoint.azureBlobStorage(account: "nuke", credentials: .anonymous)
      #expect(endpoint.url.absoluteString == "https://nuke.blob.core.windows.net")
    }

    @Test(
      "An invalid URL fails without a request",
      arguments: ["abs://photos/", "abs://photos/../a", "abs://photos/a?1", "s3://photos/a", "abs://user@photos/a"])
    func malformed(text: String) async throws {
      let (origin, loader) = try start { _ in .data(Data()) }
      switch await loader.outcome(of: try url(text)).error {
      case .malformedURL, .unsupportedScheme: break
      case let error: throw Unexpected(error)
      }
      #expect(origin.log.requests.isEmpty)
    }
  }
#endif
