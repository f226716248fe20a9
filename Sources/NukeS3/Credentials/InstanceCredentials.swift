import Foundation
import FoundationNetworking

/// The credentials of the role of an Amazon EC2 instance (Amazon EC2 user guide, "IMDSv2").
struct InstanceCredentials: CredentialService {
  private let endpoint: String

  var source: S3CredentialProvider.Source { .instanceMetadata }

  /// Returns `nil` if the environment disables this source.
  init?(_ environment: [String: String]) throws(S3CredentialProvider.Error) {
    guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { return nil }
    let variable = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    var endpoint = environment[variable] ?? "http://169.254.169.254"
    while endpoint.hasSuffix("/") { endpoint.removeLast() }
    _ = try CredentialExchange.url(endpoint, of: variable)
    self.endpoint = endpoint
  }

  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    // The token is used at once, and once.
    var request = try request("PUT", "api/token", ("X-aws-ec2-metadata-token-ttl-seconds", "60"))
    let token = String(decoding: try exchange.body(of: request), as: UTF8.self)
    let path = "meta-data/iam/security-credentials/"
    request = try self.request("GET", path, ("X-aws-ec2-metadata-token", token))
    let role = try role(exchange, request)
    request = try self.request("GET", path + S3Requests.escaped(role), ("X-aws-ec2-metadata-token", token))
    return try ExpiringCredentials(json: exchange.body(of: request), from: source)
  }

  /// Returns the name of the role.
  private func role(
    _ exchange: CredentialExchange, _ request: URLRequest
  ) throws(S3CredentialProvider.Error) -> String {
    let body: Data
    do throws(S3CredentialProvider.Error) {
      body = try exchange.body(of: request)
    } catch .refused(_, status: 404, _) {
      throw .noRole
    }
    let names = String(decoding: body, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard let name = names.first else { throw .noRole }
    return String(name)
  }

  private func request(
    _ method: String, _ path: String, _ field: (name: String, value: String)
  ) throws(S3CredentialProvider.Error) -> URLRequest {
    guard let url = URL(string: "\(endpoint)/latest/\(path)") else {
      throw .malformedAnswer(source, reason: "the name of its role is not valid")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue(field.value, forHTTPHeaderField: field.name)
    return request
  }
}
