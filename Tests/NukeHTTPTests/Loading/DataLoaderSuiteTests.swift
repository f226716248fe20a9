import Foundation
import Nuke
import NukeLoaderSuite
import Testing

@Suite("The libcurl transport", .timeLimit(.minutes(5)))
struct DataLoaderSuiteTests {
  /// A loader that shares its connections with no other test.
  private static let factory: LoaderCheck.Factory = { configuration, retryPolicy, validate in
    var configuration = configuration
    if configuration.userAgent == DataLoader.Configuration().userAgent { configuration.userAgent = UUID().uuidString }
    return if let validate {
      DataLoader(configuration: configuration, retryPolicy: retryPolicy, validate: validate)
    } else {
      DataLoader(configuration: configuration, retryPolicy: retryPolicy)
    }
  }

  @Test("Faults have the documented results", arguments: TransportFault.all)
  func fault(_ fault: TransportFault) async throws { try await fault.check { Self.factory($0, $1, nil) } }

  @Test("The transport passes the common tests", arguments: LoaderCheck.all)
  func check(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }

  @Test(
    "The transport passes the common tests over TLS",
    .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"),
    arguments: LoaderCheck.allOverTLS)
  func checkTLS(_ check: LoaderCheck) async throws { try await check.run(Self.factory) }
}
