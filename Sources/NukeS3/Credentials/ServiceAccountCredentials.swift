#if Server
  import Foundation
  import FoundationNetworking
  import NukeCrypto

  /// Exchanges tokens that the key of a Google service account signs for access tokens (RFC 7523; Google Identity, "Using
  /// OAuth 2.0 for Server to Server Applications").
  struct ServiceAccountCredentials: CredentialService {
    private let email: String
    private let keyID: String?
    private let key: RSAPrivateKey
    private let endpoint: URL

    var source: S3CredentialProvider.Source { .serviceAccount }

    /// - Parameter json: the file that Google creates for the key.
    init(json: Data) throws(S3CredentialProvider.Error) {
      guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else {
        throw .invalidKey(reason: "it is not a JSON object")
      }
      guard object["type"] as? String == "service_account" else {
        throw .invalidKey(reason: "its type is not service_account")
      }
      guard let email = object["client_email"] as? String, !email.isEmpty else {
        throw .invalidKey(reason: "it has no client_email")
      }
      guard let pem = object["private_key"] as? String, let key = RSAPrivateKey(pem: pem) else {
        throw .invalidKey(reason: "it has no valid private_key")
      }
      guard let text = object["token_uri"] as? String, let url = try? CredentialExchange.url(text, of: "token_uri")
      else { throw .invalidKey(reason: "its token_uri is not an HTTP address") }
      self.email = email
      self.key = key
      keyID = object["private_key_id"] as? String
      endpoint = url
    }

    func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
      guard let assertion = assertion(at: exchange.date) else {
        throw .invalidKey(reason: "its private_key cannot sign")
      }
      let request = CredentialExchange.form(
        endpoint, [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)])
      return try AccessToken.credentials(in: exchange.body(of: request), at: exchange.date, from: source)
    }

    /// Returns a signed token that requests an access token for reading objects; `nil` if the key cannot sign.
    private func assertion(at date: Date) -> String? {
      let seconds = Int(date.timeIntervalSince1970)
      var header = ["alg": "RS256", "typ": "JWT"]
      header["kid"] = keyID
      let claims = Claims(
        iss: email, scope: "https://www.googleapis.com/auth/devstorage.read_only", aud: endpoint.absoluteString,
        iat: seconds, exp: seconds + 3600)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let first = try? encoder.encode(header), let second = try? encoder.encode(claims) else { return nil }
      let text = "\(Self.base64URL(first)).\(Self.base64URL(second))"
      return key.signature(of: Array(text.utf8)).map { "\(text).\(Self.base64URL(Data($0)))" }
    }

    private struct Claims: Encodable {
      let iss: String
      let scope: String
      let aud: String
      let iat: Int
      let exp: Int
    }

    /// Encodes bytes as RFC 7515 requires: with the URL-safe alphabet, and without padding.
    private static func base64URL(_ data: Data) -> String {
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }
#endif
