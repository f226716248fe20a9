#if AsyncHTTPClient
  import Nuke
  import NukeAsyncHTTPClient
  import NukeLoaderSuite
  import Testing

  @Suite("A transport, by AsyncHTTPClient", .timeLimit(.minutes(5)))
  struct AsyncHTTPClientSuiteTests {
    private static let factory: LoaderCheck.Factory = {
      AsyncHTTPClientLoader(configuration: $0, retryPolicy: $1, validate: $2)
    }

    @Test("does what every transport does", arguments: LoaderCheck.all)
    func check(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }

    @Test(
      "does what every transport does over TLS",
      .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"),
      arguments: LoaderCheck.allOverTLS)
    func checkTLS(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }
  }
#endif
