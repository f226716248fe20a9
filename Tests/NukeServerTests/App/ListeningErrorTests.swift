#if Server
  import Foundation
  import Logging
  import NIOCore
  import NIOPosix
  import NukeLoaderSuite
  import ServiceLifecycle
  import Testing

  @testable import NukeServer

  @Suite("Errors of a server that cannot listen") struct ListeningErrorTests {
    /// Returns the error of a server with these settings.
    private func reason(_ change: (inout ImageServer.Configuration) -> Void) async -> String {
      var configuration = ImageServer.Configuration()
      (configuration.host, configuration.port) = ("127.0.0.1", 0)
      change(&configuration)
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let (failures, continuation) = AsyncStream.makeStream(of: String.self)
      let server = ImageServer(configuration, dependencies: .fake(), logger: logger)
      let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
      let task = Task {
        do { try await group.run() } catch { continuation.yield("\(error)") }
        continuation.finish()
      }
      let reason = await failures.first { _ in true }
      await group.triggerGracefulShutdown()
      await task.value
      return reason ?? "it listens"
    }

    @Test("An error names the address, the reason, and the settings to change", .timeLimit(.minutes(1)))
    func places() async throws {
      let other = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(host: "127.0.0.1", port: 0).get()
      let used = try #require(other.localAddress?.port)
      let folder = try TemporaryFolder()
      let file = folder.file("notes", Data("of a user".utf8)).path
      let long = "/tmp/" + String(repeating: "s", count: 99)
      let cases: [(change: (inout ImageServer.Configuration) -> Void, reason: String)] = [
        ({ $0.port = used }, "127.0.0.1:\(used) is in use: set another port, or end the other program"),
        (
          { ($0.operationHost, $0.operationPort) = ("127.0.0.1", used) },
          "127.0.0.1:\(used) is in use: set another operation-port, or end the other program"
        ),
        // The address is for documentation (RFC 5737), so no machine has it.
        (
          { ($0.host, $0.port) = ("192.0.2.1", 8080) },
          "cannot listen on 192.0.2.1:8080: cannot assign requested address: set another host or port"
        ),
        (
          { ($0.operationHost, $0.operationPort) = ("192.0.2.1", 9090) },
          "cannot listen on 192.0.2.1:9090: cannot assign requested address: "
            + "set another operation-host or operation-port"
        ),
        (
          { ($0.host, $0.port) = ("a..b", 8080) },
          "cannot listen on a..b:8080: the host a..b cannot be resolved: set another host"
        ),
        (
          { $0.socket = "/nowhere/at/all/s" },
          "cannot listen on unix:/nowhere/at/all/s: no such file or directory: set another socket"
        ),
        ({ $0.socket = long }, "cannot listen on unix:\(long): the path is longer than 103 bytes: set another socket"),
        (
          { $0.socket = file },
          "cannot listen on unix:\(file): the file exists and is not a socket: set another socket"
        ),
      ]
      for (change, expected) in cases { #expect(await reason(change) == expected) }
      #expect(try Data(contentsOf: folder.url.appendingPathComponent("notes")) == Data("of a user".utf8))
      try await other.close()
    }

    @Test("The address of a host of IPv6 has brackets")
    func brackets() {
      #expect("\(ListeningPlace.port(8080, host: "::1"))" == "[::1]:8080")
    }
  }
#endif
