import Foundation
import FoundationNetworking

/// Exchanges the token of an identity provider, such as that of a Kubernetes service account, for temporary credentials
/// of a role (AWS STS API reference, "AssumeRoleWithWebIdentity").
struct WebIdentityCredentials: CredentialService {
  private let tokenFile: String
  private let role: String
  private let session: String
  private let endpoint: URL

  var source: S3CredentialProvider.Source { .webIdentity }

  private static let fileVariable = "AWS_WEB_IDENTITY_TOKEN_FILE"

  /// Returns `nil` if the environment does not select this source.
  init?(_ environment: [String: String], region: String) throws(S3CredentialProvider.Error) {
    guard let tokenFile = environment[Self.fileVariable] else { return nil }
    guard let role = environment["AWS_ROLE_ARN"] else {
      throw .invalidVariable("AWS_ROLE_ARN", reason: "\(Self.fileVariable) needs it, and it is not set")
    }
    self.tokenFile = tokenFile
    self.role = role
    session = environment["AWS_ROLE_SESSION_NAME"] ?? "nuke"
    if let text = environment["AWS_ENDPOINT_URL_STS"] {
      endpoint = try CredentialExchange.url(text, of: "AWS_ENDPOINT_URL_STS")
    } else {
      endpoint = try CredentialExchange.url("https://sts.\(region).amazonaws.com", of: "AWS_REGION")
    }
  }

  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    // The file is replaced from time to time.
    let token = try CredentialExchange.token(at: tokenFile, of: Self.fileVariable)
    let form = [
      ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
      ("RoleSessionName", session), ("WebIdentityToken", token),
    ]
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(form.map { "\($0)=\(S3Requests.escaped($1))" }.joined(separator: "&").utf8)
    let elements = XMLElements(try exchange.body(of: request))
    return try ExpiringCredentials(from: source, tokenField: "SessionToken") { elements[$0].first }
  }
}
