#if Server
  import Foundation
  import NIOCore
  import NukeOrigin
  import Testing

  @testable import NukeServer

  @Suite("The health check of a command", .timeLimit(.minutes(1))) struct HealthCheckTests {
    private func configuration(
      port: Int, _ change: (inout ImageServer.Configuration) -> Void = { _ in }
    ) -> ImageServer.Configuration {
      var configuration = ImageServer.Configuration()
      configuration.port = port
      change(&configuration)
      return configuration
    }

    /// Returns why a server cannot be checked.
    private func failure(of check: HealthCheck) async throws -> String {
      do {
        let outcome = try await check.run()
        Issue.record("it has responded: \(outcome.text)")
        return outcome.text
      } catch let error as HealthCheck.Unavailable {
        return error.description
      }
    }

    /// Checks a server that sends this, and returns why it cannot be checked.
    private func problem(
      _ response: NukeOrigin.Response, timeout: TimeAmount = .seconds(30),
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }
    ) async throws -> String {
      let origin = try NukeOrigin { _ in response }
      defer { origin.stop() }
      var check = try HealthCheck(configuration(port: Int(origin.port), change))
      check.timeout = timeout
      let text = try await failure(of: check)
      let address = "127.0.0.1:\(origin.port)"
      #expect(text.hasPrefix(address), "\(text)")
      return String(text.dropFirst(address.count))
    }

    private static let advice =
      " If the server uses TLS, specify its configuration file, or its tls-certificate and tls-key"

    @Test(
      "A server that may use TLS, another protocol, and a server that does not respond in time are named",
      arguments: [
        (.closed, " closed the connection without an HTTP response." + advice),
        (.init().scripted(.reset), " closed the connection without an HTTP response." + advice),
        (
          .garbage("SSH-2.0-OpenSSH\r\n"),
          " responded, but not with HTTP. Check that this is the port of the server"
        ),
        (.init().scripted(.stall), " did not respond in time"),
      ] as [(NukeOrigin.Response, String)])
    func problems(response: NukeOrigin.Response, problem: String) async throws {
      let isLate = problem.hasSuffix("in time")
      #expect(try await self.problem(response, timeout: isLate ? .milliseconds(50) : .seconds(30)) == problem)
    }

    @Test("An alert of TLS is named", arguments: [[21, 3, 1, 0, 2, 2, 40], [21, 3, 3, 0, 2, 2, 70]] as [[UInt8]])
    func alert(_ bytes: [UInt8]) async throws {
      for last in [NukeOrigin.Response.Step.close, .reset] {
        let problem = try await problem(NukeOrigin.Response().scripted(.raw(Data(bytes)), last))
        // A reset may discard what was sent before.
        let isNamed = problem == " responded with TLS in place of HTTP." + Self.advice
        #expect(isNamed || problem.contains("closed the connection"), "\(problem)")
        if case .close = last { #expect(isNamed, "\(problem)") }
      }
    }

    @Test("An operation port has no TLS, so the main port may be meant")
    func operationPort() async throws {
      let problem = try await problem(.closed) { $0.operationPort = $0.port }
      #expect(problem.contains("If this is the main port, remove operation-port"), "\(problem)")
    }

    @Test("A server without TLS is named if the settings say that it has TLS")
    func withoutTLS() async throws {
      let running = try await RunningServer()
      let check = try HealthCheck(
        configuration(port: running.port) { ($0.tlsCertificate, $0.tlsKey) = ("cert.pem", "key.pem") })
      let text = try await failure(of: check)
      #expect(text.hasPrefix("127.0.0.1:\(running.port): the TLS handshake failed. If the server does not use TLS"))
      try await running.stop()
    }

    @Test("Settings without health checks, or without a known port, are an error with the setting")
    func noCheck() {
      let cases: [(String, (inout ImageServer.Configuration) -> Void)] = [
        ("health: health checks are disabled: enable them, or set operation-port", { $0.servesHealth = false }),
        ("port: the server selects a free port for 0: set the port that its log names", { $0.port = 0 }),
        (
          "operation-port: the server selects a free port for 0: set the port that its log names",
          { $0.operationPort = 0 }
        ),
      ]
      for (message, change) in cases {
        let error = #expect(throws: ConfigurationError.self) { try HealthCheck(configuration(port: 1, change)) }
        #expect(error?.description == message)
      }
    }

    @Test("A server that is ready says so, and another status is not ready")
    func ready() async throws {
      let running = try await RunningServer()
      let outcome = try await HealthCheck(configuration(port: running.port)).run()
      #expect(outcome == HealthCheck.Outcome(isReady: true, text: "ready"))
      try await running.stop()
      let origin = try NukeOrigin { _ in .status(404).closing() }
      defer { origin.stop() }
      let other = try await HealthCheck(configuration(port: Int(origin.port))).run()
      #expect(other == HealthCheck.Outcome(isReady: false, text: "the answer has the status 404"))
    }
  }
#endif
