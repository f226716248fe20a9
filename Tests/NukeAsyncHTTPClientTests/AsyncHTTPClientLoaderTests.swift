#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import NIOHTTP1
  import Nuke
  import NukeAsyncHTTPClient
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @Suite("A loader based on AsyncHTTPClient", .timeLimit(.minutes(1)))
  struct AsyncHTTPClientLoaderTests {
    @Test("It does not shut down a borrowed client")
    func borrowed() async throws {
      let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
      defer { origin.stop() }
      let client = HTTPClient()
      var loader: AsyncHTTPClientLoader? = AsyncHTTPClientLoader(client: client, configuration: makeConfiguration())
      #expect(await loader?.outcome(of: origin.url("/")).body == Data("x".utf8))
      loader = nil
      let request = HTTPClientRequest(url: origin.url("/").absoluteString)
      #expect(try await client.execute(request, timeout: .minutes(1)).status == .ok)
      #expect(origin.log.requests.count == 2)
      try await client.shutdown().get()
    }

    @Test("It reports the URL after the redirects that a borrowed client has followed")
    func borrowedRedirect() async throws {
      let origin = try NukeOrigin { $0.path == "/end" ? .data(Data("x".utf8)) : .redirect(to: "/end") }
      defer { origin.stop() }
      let client = HTTPClient()
      let state = await AsyncHTTPClientLoader(client: client, configuration: makeConfiguration()).outcome(
        of: origin.url("/"))
      #expect(state.head?.url == origin.url("/end"))
      #expect(state.body == Data("x".utf8))
      try await client.shutdown().get()
    }

    @Test("It reports a borrowed client that was shut down")
    func shutDown() async throws {
      let client = HTTPClient()
      let loader = AsyncHTTPClientLoader(client: client, configuration: makeConfiguration())
      try await client.shutdown().get()
      let state = await loader.outcome(of: URL(string: "http://127.0.0.1:9/")!)
      guard case .cannotConnect("127.0.0.1", _) = state.error else { return unexpected(state.ends) }
      #expect(state.ends.count == 1)
    }

    @Test("It inflates bodies that were compressed without being asked for, and removes the length")
    func inflating() async throws {
      let origin = try NukeOrigin { _ in Self.compressed(Self.drawing) }
      defer { origin.stop() }
      let state = await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: origin.url("/"))
      #expect(origin.log.requests.first?.header("Accept-Encoding") == "identity")
      #expect(state.error == nil)
      #expect(state.body == Data(String(repeating: "<svg/>", count: 20).utf8))
      #expect(state.head?.expectedLength == nil)
      #expect(state.head?.value(forField: "Content-Encoding") == nil)
      #expect(state.head?.value(forField: "Content-Type") == "image/svg+xml")
    }

    @Test(
      "An interrupted inflated body cannot be resumed",
      arguments: [
        ["ETag": "\"v1\""],
        ["Last-Modified": "Mon, 02 Nov 2026 10:00:00 GMT", "Date": "Sun, 22 Nov 2026 10:00:00 GMT"],
      ])
    func inflatingPart(fields: [String: String]) async throws {
      let origin = try NukeOrigin { _ in
        Self.compressed(Self.drawing, ["Accept-Ranges": "bytes"].merging(fields) { $1 })
          // All but the checksum.
          .scripted(.head, .bytes(Self.drawing.count - 8), .close)
      }
      defer { origin.stop() }
      let request = URLRequest(url: origin.url("/"))
      let state = await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: request)
      guard case .connectionLost = state.error else { return unexpected(state.ends) }
      let head = try #require(state.head)
      #expect(!state.body.isEmpty)
      #expect(ResumePoint(head, to: request, count: state.body.count) == nil)
      #expect(head.value(forField: "Accept-Ranges") == "none")
    }

    @Test("It removes the range of a compressed part")
    func inflatingRange() async throws {
      let origin = try NukeOrigin { _ in
        var response = Self.compressed(
          Self.drawing, ["ETag": "\"v1\"", "Content-Range": "bytes 0-\(Self.drawing.count - 1)/1000"])
        response.status = 206
        return response
      }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url("/"))
      request.setValue("bytes=0-99", forHTTPHeaderField: "Range")
      let state = await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: request)
      #expect(state.error == nil && state.head?.status == 206)
      #expect(state.head?.value(forField: "Content-Range") == nil)
      #expect(state.head?.value(forField: "ETag") == "W/\"v1\"")
    }

    @Test("The cache validates an inflated body, which has a weak entity tag, with one request")
    func inflatingValidation() async throws {
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url)
      let origin = try NukeOrigin { request in
        let fields = ["ETag": "\"v1\"", "Cache-Control": "no-cache"]
        guard request.header("If-None-Match") == nil else {
          return .init(status: 304, headers: fields.map { ($0, $1) })
        }
        return Self.compressed(Self.drawing, fields)
      }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration { $0.urlCache = cache })
      for _ in 0..<3 {
        let state = await loader.outcome(of: origin.url("/"))
        #expect(state.body.count == 120)
        #expect(state.head?.value(forField: "ETag") == "W/\"v1\"")
      }
      #expect(origin.log.requests.map { $0.header("If-None-Match") } == [nil, "W/\"v1\"", "W/\"v1\""])
    }

    @Test("It stops if the inflated body is too many times larger than the compressed one")
    func inflatingLimit() async throws {
      let origin = try NukeOrigin { _ in Self.compressed(Self.zeros) }
      defer { origin.stop() }
      let state = await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: origin.url("/"))
      guard case .protocolError("127.0.0.1", _) = state.error else { return unexpected(state.ends) }
      #expect(state.body.count < 300_000)
    }

    @Test("The body limit applies to inflated bodies")
    func inflatingBodyLimit() async throws {
      let origin = try NukeOrigin { _ in Self.compressed(Self.drawing) }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration { $0.maximumBodySize = 119 })
      #expect(await loader.outcome(of: origin.url("/")).error == .bodyTooLarge(limit: 119))
    }

    @Test("It delivers compressed bytes if the client does not inflate")
    func notInflating() async throws {
      let origin = try NukeOrigin { _ in Self.compressed(Self.drawing) }
      defer { origin.stop() }
      let client = HTTPClient()
      let state = await AsyncHTTPClientLoader(client: client, configuration: makeConfiguration()).outcome(
        of: origin.url("/"))
      #expect(state.body == Self.drawing)
      #expect(state.head?.expectedLength == Self.drawing.count)
      #expect(state.head?.value(forField: "Content-Encoding") == "gzip")
      try await client.shutdown().get()
    }

    @Test("It does not connect to Unix sockets")
    func sockets() async throws {
      let url = try #require(URL(string: "http+unix://%2Frun%2Fdocker.sock/images"))
      #expect(
        await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: url).error
          == .unsupportedScheme("http+unix"))
    }

    @Test("It sends the user name and password of a URL to its origin only")
    func credentials() async throws {
      let other = try NukeOrigin { _ in .data(Data("x".utf8)) }
      defer { other.stop() }
      let target = other.url("/").absoluteString
      let origin = try NukeOrigin { _ in .redirect(to: target) }
      defer { origin.stop() }
      let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(origin.port)/"))
      #expect(await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: url).error == nil)
      let credentials = Data("me:secret".utf8).base64EncodedString()
      #expect(origin.log.requests.first?.header("Authorization") == "Basic \(credentials)")
      #expect(other.log.requests.first?.header("Authorization") == nil)
    }

    @Test("It fails without a connection if the scheme of the proxy is not supported")
    func proxy() async throws {
      let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(
        configuration: makeConfiguration { $0.proxy = .url(URL(string: "socks4://127.0.0.1:9")!) })
      let error = await loader.outcome(of: origin.url("/")).error
      #expect(
        error
          == .cannotConnect(
            host: "127.0.0.1", reason: "AsyncHTTPClient does not support proxies with the scheme socks4"))
      #expect(origin.log.requests.isEmpty)
    }

    @Test("It fails without a connection if there is an address policy")
    func addressPolicy() async throws {
      let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration { $0.addressPolicy = .publicOnly })
      guard case .cannotConnect = await loader.outcome(of: origin.url("/")).error else {
        Issue.record("no error")
        return
      }
      #expect(origin.log.connectionsAccepted == 0)
    }

    @Test("Cancellation during the delay before a retry is reported on the event loop")
    func cancelledWaiting() async throws {
      let origin = try NukeOrigin { request in
        request.path == "/" ? .data(Data("x".utf8)) : .init(status: 503, headers: [("Retry-After", "1000")])
      }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(
        configuration: makeConfiguration(), retryPolicy: RetryPolicy(maximumDelay: 10_000))
      let (ends, ended) = AsyncStream<Bool>.makeStream()
      let transfer = loader.stream(
        URLRequest(url: origin.url("/busy")), limit: nil, observer: LoopObserver(onEnd: { ended.yield($0) }))
      try await origin.waitUntil { $0.requests.count == 1 }
      // Behind the answer that led to the wait.
      for _ in 0..<2 { #expect(await loader.outcome(of: origin.url("/")).error == nil) }
      transfer.cancel()
      #expect(await ends.first { _ in true } == true)
    }

    @Test("A pipeline loads data with it")
    func pipeline() async throws {
      let body = noise(100_000)
      let origin = try NukeOrigin { _ in .data(body) }
      defer { origin.stop() }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration())
      let pipeline = ImagePipeline {
        $0.dataLoader = loader
        $0.dataCache = nil
      }
      #expect(try await pipeline.data(for: ImageRequest(url: origin.url("/"))).0 == body)
    }

    private static func compressed(_ body: Data, _ fields: [String: String] = [:]) -> NukeOrigin.Response {
      var response = NukeOrigin.Response.data(body, type: "image/svg+xml")
      response.headers.append(("Content-Encoding", "gzip"))
      response.headers += fields.map { ($0, $1) }
      return response
    }

    private func unexpected(_ ends: [(any Error)?], sourceLocation: SourceLocation = #_sourceLocation) {
      Issue.record("it ended with \(ends)", sourceLocation: sourceLocation)
    }

    /// Says whether the end is told on an event loop.
    private final class LoopObserver: StreamObserver {
      private let onEnd: @Sendable (Bool) -> Void

      init(onEnd: @escaping @Sendable (Bool) -> Void) { self.onEnd = onEnd }

      func didReceive(_ head: ResponseHead) {}
      func didReceive(_ bytes: UnsafeRawBufferPointer) {}
      func didFinish(_ error: (any Error)?) {
        onEnd(HTTPClient.defaultEventLoopGroup.makeIterator().contains { $0.inEventLoop })
      }
    }

    /// By gzip: "<svg/>" twenty times, and 300,000 zeros.
    private static let drawing = Data(base64Encoded: "H4sIAAAAAAAC/7MpLkvXt7OhOwkAvmd4YXgAAAA=")!
    private static let zeros = Data(
      base64Encoded: """
        H4sIAAAAAAAC/+3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAA/Bj74rL24JMEAA==
        """)!
  }
#endif
