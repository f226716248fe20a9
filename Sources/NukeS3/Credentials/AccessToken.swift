import Foundation

/// The JSON responses of services that issue OAuth 2.0 access tokens (RFC 6749 §5).
enum AccessToken {
  /// Returns the token of a successful response, as credentials.
  ///
  /// - Parameter date: the date of the request. The lifetime of the token is counted from it.
  static func credentials(
    in json: Data, at date: Date, from source: S3CredentialProvider.Source
  ) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
      throw .malformedAnswer(source, reason: "its response is not a JSON object")
    }
    guard let token = object["access_token"] as? String, !token.isEmpty else {
      throw .malformedAnswer(source, reason: "its response has no access_token")
    }
    // Azure writes the number as a text.
    let lifetime = object["expires_in"]
    guard let seconds = lifetime as? Int ?? (lifetime as? String).flatMap({ Int($0) }),
      (1...31_536_000).contains(seconds)
    else { throw .malformedAnswer(source, reason: "its response has no valid expires_in") }
    return ExpiringCredentials(
      credentials: S3Credentials(accessToken: token), expiration: date + TimeInterval(seconds))
  }

  /// Returns the error code of another response; `nil` if it has none.
  static func errorCode(in json: Data) -> String? {
    (try? JSONSerialization.jsonObject(with: json) as? [String: Any])?["error"] as? String
  }
}
