import Foundation
import FoundationNetworking

/// Requests to Amazon's security token service (STS) for the credentials of a role.
struct SecurityTokenService: Sendable {
  private let session: String
  private let endpoint: URL

  /// - Parameter environment: may replace the address of the service, and the name of the session.
  init(_ environment: [String: String], region: String) throws(S3CredentialProvider.Error) {
    session = environment["AWS_ROLE_SESSION_NAME"] ?? "nuke"
    if let text = environment["AWS_ENDPOINT_URL_STS"] {
      endpoint = try CredentialExchange.url(text, of: "AWS_ENDPOINT_URL_STS")
    } else {
      endpoint = try CredentialExchange.url("https://sts.\(region).amazonaws.com", of: "AWS_REGION")
    }
  }

  func request(_ action: String, _ role: String, _ others: (name: String, value: String)...) -> URLRequest {
    CredentialExchange.form(
      endpoint,
      [("Action", action), ("Version", "2011-06-15"), ("RoleArn", role), ("RoleSessionName", session)] + others)
  }
}

extension ExpiringCredentials {
  /// Creates credentials from the XML response of the service.
  init(xml: Data, from source: S3CredentialProvider.Source) throws(S3CredentialProvider.Error) {
    let elements = XMLElements(xml)
    try self.init(from: source, tokenField: "SessionToken") { elements[$0].first }
  }
}
