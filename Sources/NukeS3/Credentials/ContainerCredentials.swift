import Foundation
import FoundationNetworking

/// The credentials of a task in Amazon ECS, or of a pod in Amazon EKS (AWS SDKs and Tools reference guide, "Container
/// credential provider").
struct ContainerCredentials: CredentialService {
  private let url: URL
  private let tokenFile: String?
  private let token: String?

  var source: S3CredentialProvider.Source { .container }

  private static let fileVariable = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"

  /// The hosts that may receive the authorization token without TLS: this machine, and the services of ECS and EKS.
  private static let plainHosts: Set = [
    "localhost", "127.0.0.1", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23",
  ]

  /// Returns `nil` if the environment does not select this source.
  init?(_ environment: [String: String]) throws(S3CredentialProvider.Error) {
    if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
      let variable = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
      // Another first character could extend the host.
      guard path.hasPrefix("/") else { throw .invalidVariable(variable, reason: "it does not begin with a slash") }
      url = try CredentialExchange.url("http://169.254.170.2\(path)", of: variable)
    } else if let text = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] {
      let variable = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
      url = try CredentialExchange.url(text, of: variable)
      let host = url.host?.trimmingCharacters(in: ["[", "]"]) ?? ""
      guard url.scheme?.lowercased() == "https" || Self.plainHosts.contains(host) else {
        throw .invalidVariable(variable, reason: "the address of another machine must begin with https")
      }
    } else {
      return nil
    }
    tokenFile = environment[Self.fileVariable]
    token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
  }

  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    var request = URLRequest(url: url)
    var token = token
    // The file is replaced from time to time.
    if let tokenFile { token = try CredentialExchange.token(at: tokenFile, of: Self.fileVariable) }
    if let token { request.setValue(token, forHTTPHeaderField: "Authorization") }
    return try ExpiringCredentials(json: exchange.body(of: request), from: source)
  }
}
