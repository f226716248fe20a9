#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import NIOHTTP1
  import NIOHTTPCompression
  import Nuke
  import NukeAsyncHTTPClient
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @Suite("A loader based on AsyncHTTPClient", .timeLimit(.minutes(1)))
  struct AsyncHTTPClientLoaderTests {
    private let origins = Origins()

    @Test("It does not shut down a borrowed client")
    func borrowed() async throws {
      let origin = try origins.start { _ in .data(Data("x".utf8)) }
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
      let origin = try origins.start { $0.path == "/end" ? .data(Data("x".utf8)) : .redirect(to: "/end") }
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
      guard case .cannotConnect("127.0.0.1", _) = state.error else { throw Unexpected(state.ends) }
      #expect(state.ends.count == 1)
    }

    @Test("It decodes bodies unless a borrowed client does", arguments: [true, false])
    func borrowedDecoding(inflates: Bool) async throws {
      let origin = try origins.start { _ in
        var response = NukeOrigin.Response.data(Self.drawing, type: "image/svg+xml")
        response.headers += [("Content-Encoding", "gzip"), ("ETag", "\"v1\"")]
        return response
      }
      var configuration = HTTPClient.Configuration()
      if inflates { configuration.decompression = .enabled(limit: .ratio(100)) }
      let client = HTTPClient(configuration: configuration)
      let state = await AsyncHTTPClientLoader(client: client, inflates: inflates, configuration: makeConfiguration())
        .outcome(of: origin.url("/"))
      #expect(state.body == Data(String(repeating: "<svg/>", count: 20).utf8))
      #expect(state.head?.expectedLength == nil)
      #expect(state.head?.value(forField: "Content-Encoding") == nil)
      #expect(state.head?.value(forField: "Accept-Ranges") == "none")
      #expect(state.head?.value(forField: "ETag") == "W/\"v1\"")
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
      let other = try origins.start { _ in .data(Data("x".utf8)) }
      let target = other.url("/").absoluteString
      let origin = try origins.start { _ in .redirect(to: target) }
      let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(origin.port)/"))
      #expect(await AsyncHTTPClientLoader(configuration: makeConfiguration()).outcome(of: url).error == nil)
      let credentials = Data("me:secret".utf8).base64EncodedString()
      #expect(origin.log.requests.first?.header("Authorization") == "Basic \(credentials)")
      #expect(other.log.requests.first?.header("Authorization") == nil)
    }

    @Test("It fails without a connection if the scheme of the proxy is not supported")
    func proxy() async throws {
      let origin = try origins.start { _ in .data(Data("x".utf8)) }
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
      let origin = try origins.start { _ in .data(Data("x".utf8)) }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration { $0.addressPolicy = .publicOnly })
      let error = await loader.outcome(of: origin.url("/")).error
      guard case .cannotConnect = error else { throw Unexpected(error) }
      #expect(origin.log.connectionsAccepted == 0)
    }

    @Test("Cancellation during the delay before a retry is reported on the event loop")
    func cancelledWaiting() async throws {
      let origin = try origins.start { request in
        request.path == "/" ? .data(Data("x".utf8)) : .init(status: 503, headers: [("Retry-After", "1000")])
      }
      let (questions, asked) = AsyncStream<Void>.makeStream()
      var policy = RetryPolicy(maximumDelay: 10_000)
      policy.isWorthRetrying = { error in
        asked.yield()
        return RetryPolicy.isTransient(error)
      }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration(), retryPolicy: policy)
      let (ends, ended) = AsyncStream<Bool>.makeStream()
      let transfer = loader.stream(
        URLRequest(url: origin.url("/busy")), limit: nil, observer: LoopObserver(onEnd: { ended.yield($0) }))
      // A worker asks the policy. A cancellation before its decision would be reported there.
      _ = await questions.first { _ in true }
      // The delay begins while these are loaded.
      for _ in 0..<2 { #expect(await loader.outcome(of: origin.url("/")).error == nil) }
      transfer.cancel()
      #expect(await ends.first { _ in true } == true)
    }

    @Test("A pipeline loads data with it")
    func pipeline() async throws {
      let body = noise(100_000)
      let origin = try origins.start { _ in .data(body) }
      let loader = AsyncHTTPClientLoader(configuration: makeConfiguration())
      let pipeline = ImagePipeline {
        $0.dataLoader = loader
        $0.dataCache = nil
      }
      #expect(try await pipeline.data(for: ImageRequest(url: origin.url("/"))).0 == body)
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

    /// `<svg/>` twenty times, by gzip.
    private static let drawing = Data(base64Encoded: "H4sIAAAAAAAC/7MpLkvXt7OhOwkAvmd4YXgAAAA=")!
  }
#endif
