import Foundation
import FoundationNetworking

/// Exchanges the token of an identity provider, such as that of a Kubernetes service account, for temporary credentials
/// of a role (AWS STS API reference, "AssumeRoleWithWebIdentity").
struct WebIdentityCredentials: CredentialService {
  private let tokenFile: String
  private let role: String
  private let service: SecurityTokenService

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
    service = try SecurityTokenService(environment, region: region)
  }

  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    // The file is replaced from time to time.
    let token = try CredentialExchange.token(at: tokenFile, of: Self.fileVariable)
    let request = service.request("AssumeRoleWithWebIdentity", role, ("WebIdentityToken", token))
    return try ExpiringCredentials(xml: exchange.body(of: request), from: source)
  }
}
