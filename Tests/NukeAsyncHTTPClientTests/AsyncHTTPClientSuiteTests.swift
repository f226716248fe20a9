#if AsyncHTTPClient
  import Nuke
  import NukeAsyncHTTPClient
  import NukeLoaderSuite
  import Testing

  @Suite("The checks of every loader with AsyncHTTPClient", .timeLimit(.minutes(5)))
  struct AsyncHTTPClientSuiteTests {
    private static let factory: LoaderCheck.Factory = {
      AsyncHTTPClientLoader(configuration: $0, retryPolicy: $1, validate: $2)
    }

    @Test("It passes the checks of every loader", arguments: LoaderCheck.all)
    func check(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }

    @Test("It handles each fault as documented", arguments: TransportFault.all)
    func fault(_ fault: TransportFault) async throws {
      try await fault.check(Self.differences[fault.name]) { Self.factory($0, $1, nil) }
    }

    /// What comes of the faults that the article "Bring Your Own Networking" says end otherwise.
    private static let differences: [String: TransportFault.Outcome] = [
      // AsyncHTTPClient sends each try a second time by itself.
      "Connection closed without a response": .init("connectionLost", requests: 6, bytes: 0),
      "Connection reset without a response": .init("connectionLost", requests: 6, bytes: 0),
      "Endless early hints": .init("connectionLost", requests: 6, bytes: 0),
      "Endless trailer fields": .init("protocolError", requests: 1, bytes: 0),
    ]

    @Test("The documented differences name existing faults")
    func differencesAreFaults() {
      #expect(Set(Self.differences.keys).isSubset(of: TransportFault.all.map(\.name)))
    }

    @Test(
      "It passes the checks of every loader over TLS",
      .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"),
      arguments: LoaderCheck.allOverTLS)
    func checkTLS(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }
  }
#endif
