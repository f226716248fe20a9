#if Server
  import Foundation
  import Hummingbird
  import HummingbirdCore
  import HummingbirdTesting
  import Logging
  import NIOSSL
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite(
    "Clients over TLS", .timeLimit(.minutes(1)),
    .enabled(if: Tool.curl != nil && Tool.openssl != nil, "curl and openssl are needed: apt-get install curl openssl"))
  struct SecureClientsTests {
    private func serve<Value: Sendable>(
      _ renditions: FakeRenditions, headTime: Duration = .seconds(30), _ body: @Sendable (Int) async throws -> Value
    ) async throws -> Value {
      try await serve(.fake(renditions), headTime: headTime, body)
    }

    private func serve<Value: Sendable>(
      _ routes: ImageRoutes, headTime: Duration = .seconds(30), _ body: @Sendable (Int) async throws -> Value
    ) async throws -> Value {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (key, certificate) = (folder.path + "/key.pem", folder.path + "/certificate.pem")
      _ = try await Tool(
        Tool.openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-keyout",
        key, "-out", certificate
      ).output()
      let tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      var limits = ConnectionLimits()
      limits.headTime = headTime
      let router = Router()
      router.addImages(routes)
      let app = Application(
        router: router,
        server: .images(
          http2With: tls, limits: limits,
          ConnectionDependencies(hits: MemoryHits.silent(routes), sending: SendingBudget(limit: 1 << 20))),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      // The port is all that is needed of Hummingbird's own client, which speaks no TLS here.
      return try await app.test(.live) { client in try await body(#require(client.port)) }
    }

    private func curl(_ port: Int, _ options: String...) throws -> Tool {
      try Tool(
        Tool.curl, arguments: ["-sk", "--noproxy", "*"] + options + ["https://localhost:\(port)" + ImageURL.signed()])
    }

    @Test("Clients get images over HTTP/2, and over HTTP/1.1 if they support nothing else", arguments: ["2", "1.1"])
    func images(_ version: String) async throws {
      try await serve(FakeRenditions()) { port in
        let output = try await curl(port, "--http\(version)", "-w", " by HTTP/%{http_version}").output()
        #expect(output == "an image by HTTP/\(version)")
      }
    }

    @Test("Clients get memory hits", arguments: ["2", "1.1"])
    func hits(_ version: String) async throws {
      let renditions = RenditionsInMemory()
      try await serve(.images(renditions)) { port in
        // The same URL twice, over one connection.
        let url = "https://localhost:\(port)" + ImageURL.signed()
        let output = try await curl(port, "--http\(version)", "-w", " by HTTP/%{http_version}, ", url).output()
        #expect(output == "<0> by HTTP/\(version), <0> by HTTP/\(version), ")
        #expect(renditions.log.entries == ["routes", "handler"])
      }
    }

    @Test("Rendering is canceled for clients that have disconnected", arguments: ["2", "1.1"])
    func gone(_ version: String) async throws {
      let renditions = FakeRenditions(gate: Gate())
      try await serve(renditions) { port in
        let tool = try curl(port, "--http\(version)")
        await renditions.log.entries(count: 1)
        tool.end()
        #expect(await renditions.log.entries(count: 2).last == "cancelled")
      }
    }

    @Test("Clients that do not complete the handshake are disconnected")
    func handshake() async throws {
      try await serve(FakeRenditions(), headTime: .milliseconds(100)) { port in
        let client = try RawClient(port: port)
        #expect(try await client.receive() == "")
      }
    }
  }

  /// A program that is run.
  private final class Tool: Sendable {
    static let curl = path("curl")
    static let openssl = path("openssl")

    private static func path(_ name: String) -> String? {
      ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private let process = Process()
    private let pipe = Pipe()

    convenience init(_ path: String?, _ arguments: String...) throws { try self.init(path, arguments: arguments) }

    init(_ path: String?, arguments: [String]) throws {
      process.executableURL = URL(fileURLWithPath: try #require(path))
      process.arguments = arguments
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    /// What it writes, when it has ended.
    func output() async throws -> String {
      let handle = pipe.fileHandleForReading
      let data = try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "tool").async { continuation.resume(with: Result { try handle.readToEnd() }) }
      }
      process.waitUntilExit()
      return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Ends it at once. It may have been started with signals blocked that could be asked for instead.
    func end() { kill(process.processIdentifier, SIGKILL) }
  }
#endif
