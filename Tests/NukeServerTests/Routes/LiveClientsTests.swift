#if Server
  import Foundation
  import Hummingbird
  import HummingbirdTesting
  import NukeServer
  import NukeTesting
  import Testing

  @Suite("Clients over sockets", .timeLimit(.minutes(1))) struct LiveClientsTests {
    private let host = "Host: localhost\r\n"

    private func serve<Value: Sendable>(
      _ renditions: FakeRenditions, limits: ConnectionLimits? = ConnectionLimits(),
      _ body: @Sendable (Int) async throws -> Value
    ) async throws -> Value {
      try await ImageRoutes.fake(renditions).application(limits: limits).test(.live) { client in
        try await body(#require(client.port))
      }
    }

    private func request(_ path: String = ImageURL.signed(), method: String = "GET", _ fields: String = "") -> String {
      "\(method) \(path) HTTP/1.1\r\n\(host)\(fields)\r\n"
    }

    private func closing(_ path: String = ImageURL.signed(), method: String = "GET") -> String {
      request(path, method: method, "Connection: close\r\n")
    }

    @Test("Rendering is canceled when no client waits for it", arguments: ["closes", "resets", "half-closes"])
    func gone(_ way: String) async throws {
      let renditions = FakeRenditions(gate: Gate())
      try await serve(renditions) { port in
        var client: RawClient? = try RawClient(port: port)
        try await client?.send(request())
        await renditions.log.entries(count: 1)
        switch way {
        case "resets": client?.reset()
        case "half-closes": client?.endSending()
        default: client = nil
        }
        let entries = await renditions.log.entries(count: 2)
        #expect(entries == ["make https://example.com/cat.jpg", "cancelled"])
        _ = client
      }
    }

    @Test("A client that disconnects does not affect others")
    func others() async throws {
      let renditions = FakeRenditions(gate: Gate())
      try await serve(renditions) { port in
        let stays = try RawClient(port: port)
        try await stays.send(closing())
        await renditions.log.entries(count: 1)
        var leaves: RawClient? = try RawClient(port: port)
        try await leaves?.send(request())
        await renditions.log.entries(count: 2)
        leaves = nil
        await renditions.log.entries(count: 3)
        renditions.gate.open()
        #expect(try await stays.receive().hasSuffix("\r\n\r\nan image"))
      }
    }

    @Test("The routes also work with another server")
    func plainServer() async throws {
      try await serve(FakeRenditions(), limits: nil) { port in
        let client = try RawClient(port: port)
        try await client.send(closing())
        #expect(try await client.receive().hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
    }

    @Test("Pipelined requests are answered in order")
    func pipelined() async throws {
      let renditions = FakeRenditions { request in
        var image = FakeRenditions.image
        image.data = Data("<\(request.options.width)>".utf8)
        return image
      }
      try await serve(renditions) { port in
        let client = try RawClient(port: port)
        let paths = (1...20).map { ImageURL.signed([ImageOption("w", "\($0)")]) }
        try await client.send(paths.map { request($0) }.joined() + closing())
        let answers = try await client.receive()
        let widths = answers.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(widths == (Array(1...20) + [0]).map { Substring("\($0)") })
      }
    }

    @Test("A HEAD or 304 response has no body that would be read as the next response")
    func withoutBody() async throws {
      try await serve(FakeRenditions()) { port in
        let client = try RawClient(port: port)
        try await client.send(
          request(method: "HEAD") + request("/unsafe/plain/x", method: "HEAD")
            + request(ImageURL.signed(), "If-None-Match: \"abc\"\r\n") + request(method: "OPTIONS") + closing())
        let answers = try await client.receive()
        let statuses = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
        #expect(statuses == ["200", "400", "304", "204", "200"])
        #expect(answers.components(separatedBy: "\r\n\r\n").dropLast().allSatisfy { $0.hasPrefix("HTTP/1.1 ") })
      }
    }

    @Test("An incomplete request is not answered")
    func halfRequest() async throws {
      let renditions = FakeRenditions()
      try await serve(renditions) { port in
        let half = try RawClient(port: port)
        try await half.send("GET \(ImageURL.signed()) HTTP/1.1\r\nHost: loc")
        // The server goes on with others meanwhile, and with this one when the rest comes.
        let other = try RawClient(port: port)
        try await other.send(closing())
        #expect(try await other.receive().hasSuffix("an image"))
        #expect(renditions.log.entries.count == 1)
        try await half.send("alhost\r\nConnection: close\r\n\r\n")
        #expect(try await half.receive().hasSuffix("an image"))
      }
    }

    @Test("A client that stops sending is disconnected")
    func slowHead() async throws {
      var limits = ConnectionLimits()
      limits.headTime = .milliseconds(50)
      try await serve(FakeRenditions(), limits: limits) { port in
        let client = try RawClient(port: port)
        try await client.send("GET / HTTP/1.1\r\nHost: loc")
        #expect(try await client.receive() == "")
      }
    }

    @Test("A client that receives nothing of a large image is disconnected")
    func slowReader() async throws {
      var limits = ConnectionLimits()
      limits.writeTime = .milliseconds(50)
      let image = Rendition(data: Data(count: 50_000_000), contentType: "image/png", entityTag: "\"x\"")
      let client = try await serve(FakeRenditions { _ in image }, limits: limits) { port in
        let client = try RawClient(port: port, receiveBuffer: 4096)
        try await client.send(request())
        _ = try await client.receive(until: "\r\n\r\n")
        return client
      }
      // The server has ended, which waits for all connections. The client has never ended its own.
      let received = (try? await client.receiveBytes())?.count ?? 0
      #expect(received < image.data.count)
    }

    @Test(
      "Input that is not HTTP or too long is answered with 400 or 431, or not at all",
      arguments: [
        "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\0c\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n",
        "GET / HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 200) + "\r\n",
        "GET /unsafe/" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{FC}\u{3}\u{3}",
      ])
    func nonsense(_ bytes: String) async throws {
      let renditions = FakeRenditions()
      try await serve(renditions) { port in
        let client = try RawClient(port: port)
        // The server may close before it has read all.
        try? await client.send(bytes)
        client.endSending()
        let answer = try await client.receive()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400") || answer.hasPrefix("HTTP/1.1 431"))
        let other = try RawClient(port: port)
        try await other.send(closing())
        #expect(try await other.receive().hasSuffix("an image"))
      }
    }

    @Test(
      "A request over HTTP/1.1 has one Host field, and one over HTTP/1.0 at most one",
      arguments: [
        ("HTTP/1.1\r\n", false), ("HTTP/1.1\r\nHost: a\r\nhost: a\r\n", false),
        ("HTTP/1.0\r\nHost: a\r\nHost: b\r\n", false),
        ("HTTP/1.1\r\nX: y\r\nHosts: a\r\n", false), ("HTTP/1.1\r\nHOST: a\r\n", true), ("HTTP/1.1\r\nHost:\r\n", true),
        ("HTTP/1.0\r\n", true),
      ])
    func hostFields(_ lines: String, isValid: Bool) async throws {
      let renditions = FakeRenditions()
      try await serve(renditions) { port in
        let client = try RawClient(port: port)
        try await client.send("GET \(ImageURL.signed()) \(lines)Connection: close\r\n\r\n" + closing())
        let answer = try await client.receive()
        #expect(answer.hasPrefix(isValid ? "HTTP/1.1 200 " : "HTTP/1.1 400 "), "\(answer)")
        // Nothing that follows is answered.
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(renditions.log.entries.count == (isValid ? 1 : 0))
      }
    }

    @Test(
      "A connection closes after a response if its client says so in any spelling, or has HTTP/1.0",
      arguments: [
        "HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n", "HTTP/1.1\r\nHost: a\r\nConnection: TE, close\r\n",
        "HTTP/1.0\r\n",
        "HTTP/1.0\r\nConnection: keep-alive\r\n",
      ])
    func lastRequests(_ lines: String) async throws {
      try await serve(FakeRenditions()) { port in
        let client = try RawClient(port: port)
        try await client.send("GET \(ImageURL.signed()) \(lines)\r\n")
        // Comes back since the server has closed.
        #expect(try await client.receive().hasSuffix("\r\n\r\nan image"))
      }
    }

    @Test("Reading an unwanted request body ends after a limit")
    func bodies() async throws {
      try await serve(FakeRenditions()) { port in
        let small = try RawClient(port: port)
        try await small.send(request(ImageURL.signed(), "Content-Length: 3\r\n") + "abc" + closing())
        #expect(try await small.receive().components(separatedBy: "an image").count == 3)
        let large = try RawClient(port: port)
        try await large.send(request(ImageURL.signed(), "Content-Length: 100000000\r\n"))
        let piece = [UInt8](repeating: 0, count: 65_536)
        // It fails as soon as the server has had enough.
        await #expect(throws: RawClient.Failure.self) {
          for _ in 0..<1500 { try await large.send(piece) }
        }
      }
    }
  }
#endif
