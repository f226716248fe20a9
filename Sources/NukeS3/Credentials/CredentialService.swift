import Foundation

/// A source of credentials.
protocol CredentialService: Sendable {
  var source: S3CredentialProvider.Source { get }

  /// Fetches credentials. Blocks the calling thread.
  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials
}

/// Credentials, and the date until which a store accepts them.
struct ExpiringCredentials: Sendable, Equatable {
  let credentials: S3Credentials
  let expiration: Date
}

extension ExpiringCredentials {
  /// Creates credentials from the JSON response that container and metadata services have in common.
  init(json: Data, from source: S3CredentialProvider.Source) throws(S3CredentialProvider.Error) {
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
      throw .malformedAnswer(source, reason: "its response is not a JSON object")
    }
    // The metadata service reports failures with status 200.
    if let code = object["Code"] as? String, code != "Success" {
      throw .refused(source, status: 200, code: CredentialExchange.printable(code))
    }
    try self.init(from: source, tokenField: "Token") { object[$0] as? String }
  }

  /// - Parameter field: returns the value of a field of the response.
  init(
    from source: S3CredentialProvider.Source, tokenField: String, _ field: (String) -> String?
  ) throws(S3CredentialProvider.Error) {
    func required(_ name: String) throws(S3CredentialProvider.Error) -> String {
      guard let value = field(name), !value.isEmpty else {
        throw .malformedAnswer(source, reason: "its response has no \(name)")
      }
      return value
    }
    credentials = S3Credentials(
      accessKey: try required("AccessKeyId"), secretKey: try required("SecretAccessKey"),
      sessionToken: try required(tokenField))
    let text = try required("Expiration")
    guard let expiration = try? Date(text, strategy: .iso8601) else {
      throw .malformedAnswer(source, reason: "the Expiration of its response is not a date")
    }
    self.expiration = expiration
  }
}

/// Variables that contain the credentials.
struct EnvironmentCredentials: CredentialService {
  private let credentials: S3Credentials

  var source: S3CredentialProvider.Source { .environment }

  init?(_ environment: [String: String]) {
    guard let credentials = S3Credentials(environment: environment) else { return nil }
    self.credentials = credentials
  }

  func fetch(_ exchange: CredentialExchange) -> ExpiringCredentials {
    ExpiringCredentials(credentials: credentials, expiration: .distantFuture)
  }
}
