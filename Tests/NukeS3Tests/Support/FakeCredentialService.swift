import Foundation
import FoundationNetworking

@testable import NukeS3

/// The services that return credentials, as a function, and the clock of their clients. No time passes by itself.
final class FakeCredentialService: Sendable {
  static let start = Date(timeIntervalSince1970: 1_700_000_000)
  /// A container service, which is asked with one request.
  static let environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost/role"]

  private let respond: @Sendable (URLRequest) throws -> (status: Int, body: String)
  private let log = Lock<[(request: URLRequest, signing: RequestSigning?)]>([])
  private let seconds = Lock<TimeInterval>(0)

  init(_ respond: @escaping @Sendable (URLRequest) throws -> (status: Int, body: String)) { self.respond = respond }

  var requests: [URLRequest] { log.withLock { $0.map(\.request) } }
  /// The signatures of the requests; `nil` for those that are not signed.
  var signatures: [RequestSigning?] { log.withLock { $0.map(\.signing) } }

  func advance(seconds: TimeInterval) { self.seconds.withLock { $0 += seconds } }

  func makeProvider(
    _ environment: [String: String] = FakeCredentialService.environment
  ) throws -> S3CredentialProvider {
    makeProvider(of: try S3CredentialProvider.service(environment, region: "eu-central-1"))
  }

  func makeProvider(of service: any CredentialService) -> S3CredentialProvider {
    S3CredentialProvider(
      service,
      send: { [self] request, signing in
        log.withLock { $0.append((request, signing)) }
        let response = try respond(request)
        return (response.status, Data(response.body.utf8))
      },
      now: { [self] in
        let seconds = seconds.withLock { $0 }
        return S3CredentialProvider.ClockReading(date: Self.start + seconds, uptime: seconds)
      })
  }

  /// The response of a container or metadata service. The credentials expire some seconds after the start.
  static func json(
    _ token: String, accessKey: String = "me", secretKey: String = "secret", expiration: TimeInterval = 3600
  ) -> String {
    """
    {"Code": "Success", "AccessKeyId": "\(accessKey)", "SecretAccessKey": "\(secretKey)", "Token": "\(token)",
    "Expiration": "\((start + expiration).formatted(.iso8601))", "Other": 1}
    """
  }
}
