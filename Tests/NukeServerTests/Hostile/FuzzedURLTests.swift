#if Server
  import Foundation
  import NukeServer
  import NukeTesting
  import Testing

  @testable import NukeServing

  @Suite("Hostile URLs", .timeLimit(.minutes(2)))
  struct FuzzedURLTests {
    /// Stands in a file beside the folder that is served.
    private static let secret = "what-nobody-may-read-7f3a"

    /// A server of a folder with an image, a link that leads out of it, and a file that is beside it.
    private func serve(_ body: (WholeServer) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-fuzz-\(UUID().uuidString)")
      let root = folder.appendingPathComponent("root")
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent("folder"), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let secret = folder.appendingPathComponent("secret")
      try Data(Self.secret.utf8).write(to: secret)
      try WholeServer.image.write(to: root.appendingPathComponent("a.png"))
      try FileManager.default.createSymbolicLink(at: root.appendingPathComponent("link"), withDestinationURL: secret)
      try await WholeServer.with(
        {
          $0.localRoots = ["": root.path]
          $0.allowedSources = ["local:///"]
          // What is allowed is small, and what never ends is over soon, so that much can be tried.
          $0.resultPixelLimit = 100_000
          $0.clientLimits.headTime = .milliseconds(500)
          $0.clientLimits.bodyTime = .milliseconds(500)
        }, body)
    }

    /// Sends each of the requests over a connection of its own, a few at a time, and looks at what comes back.
    private func check(_ requests: [[UInt8]], _ server: WholeServer) async throws {
      let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
        for lane in 0..<4 {
          group.addTask {
            var statuses: [Int] = []
            for request in stride(from: lane, to: requests.count, by: 4).map({ requests[$0] }) {
              statuses.append(try await Self.status(of: request, server))
            }
            return statuses
          }
        }
        return try await group.reduce([], +)
      }
      // 0 for a connection that was closed on what is no HTTP.
      #expect(Set(statuses).isSubset(of: [0, 200, 204, 400, 403, 404, 405, 416, 422, 431]))
      #expect(try await server.get("/unsafe/w:10/plain/local:///a.png").status == 200)
      #expect(await server.becomesIdle())
    }

    private static func status(of request: [UInt8], _ server: WholeServer) async throws -> Int {
      let client = try RawClient(port: server.port)
      // The server may close before it has read all.
      try? await client.send(request)
      let bytes = try await client.receiveBytes()
      let text = String(decoding: request, as: UTF8.self).debugDescription
      #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.secret), "\(text)")
      guard !bytes.isEmpty else { return 0 }
      let status = try #require(RawResponse(bytes)?.status, "\(text)")
      #expect(status < 500, "\(text)")
      return status
    }

    private static func request(_ target: some Sequence<UInt8>, method: String = "GET") -> [UInt8] {
      Array("\(method) ".utf8) + target + Array(" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    }

    // MARK: Options

    private static let arguments = [
      "", ":", "0", "-1", "1", "00", "+1", "1e3", "1e400", "-1e400", "nan", "inf", "0x10", "9223372036854775808",
      "99999999999999999999999999", "-9223372036854775808", "65535", "0.0000001", "t", "true", "fill", "fp:2:2",
      "ce:99999:99999", "sm:1:1", "png", "%2E%2E%2F", "%00", "%", "%zz", "%C3%28", "%F0%9F%98%80", "a:b:c:d:e:f:g:h",
      "1:1:1:1:1:1:1:1", ":::::::", "ffffff", "12345678",
    ]

    @Test("Every option with every invalid argument is rejected or ignored")
    func options() async throws {
      try await serve { server in
        // Many to a URL, as long as the first that is refused does not hide the rest: each is alone with what is good.
        let targets = ImageOptions.Draft.readers.keys.sorted().flatMap { name in
          Self.arguments.map { "/unsafe/\(name):\($0)/plain/local:///a.png" }
        }
        #expect(targets.count > 1000)
        try await check(targets.map { Self.request($0.utf8) }, server)
      }
    }

    // MARK: Anything

    private static let pieces = [
      "unsafe", "insecure", "info", "plain", "local:///", "local://", "local:/", "file:///", "http://127.0.0.1/",
      "http://[::1]/", "http://2130706433/", "s3://bucket/", "data:image/png;base64,", "a.png", "folder",
      "..", ".", "%2e%2e", "%2E%2E%2F", "..%2f", "..%5c", "%252e%252e%252f", "....//", "..;", "%c0%ae%c0%ae", "..%00",
      "%00", "%0d%0a", "%09", "%", "%%", "%g1", "%ff%fe", "@png", "@@", "@webp@png", "@../x", ".png", "w:10", "rs:fill",
      "pr:default", "raw:1", "exp:0", "exp:99999999999", "mb:1", "q:0", "fn:..%2f", "L2V0Yy9wYXNzd2Q",
      "bG9jYWw6Ly8vLi4vc2VjcmV0", "====", "-_-_", "?", "?x=y", "#", "#a", ";", "&", "=", "+", "*", "~", "^", "|", "\\",
      "{", "}", "\"", "<", ">", "`", "ü", "\u{202E}", "😀", "secret", "root", "_playground", "health", "metrics",
    ]

    @Test("A thousand random and mutated URLs never cause a server error")
    func anything() async throws {
      try await serve { server in
        var generator = SeededGenerator(seed: 20_260)
        let requests = (0..<1000).map { number -> [UInt8] in
          switch number % 4 {
          case 0:
            let pieces = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
              Self.pieces.randomElement(using: &generator)!
            }
            return Self.request(("/" + pieces.joined(separator: "/")).utf8)
          case 1:
            let way = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
              Self.pieces.randomElement(using: &generator)!
            }
            return Self.request(("/unsafe/raw:1/plain/local:///" + way.joined(separator: "/")).utf8)
          case 2:
            // All bytes, those that end lines too.
            let bytes = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
              UInt8.random(in: 0...255, using: &generator)
            }
            return Self.request(Array("/unsafe/".utf8) + bytes)
          default:
            var bytes = Self.request("/unsafe/rs:fill:20:10/g:no/q:70/plain/local:///a.png@webp".utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
              bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            return bytes
          }
        }
        try await check(requests, server)
      }
    }

    @Test("Every byte in every position of a URL, plain and escaped once or twice, never causes a server error")
    func bytes() async throws {
      try await serve { server in
        let requests = (0...255).flatMap { byte -> [[UInt8]] in
          let hex = "%" + String(byte + 256, radix: 16).dropFirst().uppercased()
          let twice = hex.replacing("%", with: "%25")
          return [hex, twice].flatMap { text in
            ["/unsafe/w:1\(text)/plain/local:///a.png", "/unsafe/plain/local:///a\(text).png", "/\(text)/plain/x"]
              .map { Self.request($0.utf8) }
          } + [Self.request(Array("/unsafe/plain/local:///a".utf8) + [UInt8(byte)] + Array(".png".utf8))]
        }
        try await check(requests, server)
      }
    }

    @Test("No path leads out of the folder")
    func ways() async throws {
      try await serve { server in
        let ups = [
          "..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%2f", "..%5c", "..\\", "....", "..;", "..%00", "..%20",
          "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "folder/..", "folder/%2e%2e", ".//..", "%2f..", "..%c0%af",
        ]
        let targets = ups.flatMap { up in
          [
            "local:///\(up)/secret", "local:///\(up)%2fsecret", "local://\(up)/secret",
            "local:///folder/\(up)/\(up)/secret",
            "local:///\(up)/\(up)/\(up)/\(up)/\(up)/\(up)/\(up)/etc/passwd", "local:///\(up)",
          ]
        }
        try await check(
          targets.flatMap { target in
            ["/unsafe/raw:1/plain/", "/info/unsafe/plain/", "/unsafe/w:1/plain/"].map {
              Self.request(($0 + target).utf8)
            }
          }, server)
      }
    }

    @Test("A symbolic link out of the folder is not followed, and the operator is notified")
    func link() async throws {
      try await serve { server in
        for path in ["/unsafe/raw:1/plain/local:///link", "/unsafe/w:1/plain/local:///link"] {
          let answer = try await server.get(path)
          #expect(answer.status == 404 && answer.text == "The image does not exist.\n")
        }
        #expect(server.running.lines.all.contains { $0.contains("it is a symbolic link") })
      }
    }

    @Test("Requests for other resources are rejected")
    func requestLines() async throws {
      try await serve { server in
        let good = "/unsafe/w:1/plain/local:///a.png"
        let long = String(repeating: "a", count: 9000)
        let lines = [
          "POST \(good) HTTP/1.1", "PUT \(good) HTTP/1.1", "DELETE \(good) HTTP/1.1", "TRACE \(good) HTTP/1.1",
          "CONNECT 127.0.0.1:22 HTTP/1.1", "PRI * HTTP/2.0", "OPTIONS * HTTP/1.1", "get \(good) HTTP/1.1",
          "GET http://10.0.0.1\(good) HTTP/1.1", "GET //\(good) HTTP/1.1", "GET \(good) HTTP/1.0", "GET \(good)",
          "GET \(good) HTTP/1.1 x", "GET  \(good)  HTTP/1.1", "GET\t\(good)\tHTTP/1.1", "\(long) \(good) HTTP/1.1",
          "GET /unsafe/\(long)/plain/local:///a.png HTTP/1.1", "GET /unsafe/plain/local:///\(long) HTTP/1.1",
          "GET /unsafe/" + String(repeating: "w:1/", count: 1000) + "plain/local:///a.png HTTP/1.1",
          "GET /unsafe/" + String(repeating: "%2e%2e/", count: 1000) + "secret HTTP/1.1",
          "GET \(good) HTTP/1.1\r\nHost: a\r\nHost: b", "GET \(good) HTTP/1.1\r\nContent-Length: 1e9",
          "GET \(good) HTTP/1.1\r\nContent-Length: 99999999999999999999",
          "GET \(good) HTTP/1.1\r\nTransfer-Encoding: x", "GET \(good) HTTP/1.1\r\nRange: bytes=0-,1-,2-,3-",
          "GET \(good) HTTP/1.1\r\nRange: bytes=99999999999999999999-",
          "GET \(good) HTTP/1.1\r\nIf-Modified-Since: Tue, 99 Foo 99999 99:99:99 GMT",
          "GET \(good) HTTP/1.1\r\nAccept: " + String(repeating: "a/b;q=0.1,", count: 1000),
          "GET \(good) HTTP/1.1\r\nDPR: 1e400\r\nWidth: -9223372036854775808",
        ]
        try await check(lines.map { Array(($0 + "\r\nHost: localhost\r\nConnection: close\r\n\r\n").utf8) }, server)
      }
    }
  }
#endif
