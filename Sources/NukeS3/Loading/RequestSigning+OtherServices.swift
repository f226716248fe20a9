#if Server
  import Foundation
  import Nuke

  extension RequestSigning {
    /// Sends the access token of credentials (RFC 6750 §2.1), and other fields.
    static func accessToken(
      _ credentials: S3Credentials, _ others: (name: String, value: String)...
    ) -> Self {
      let fields = [("Authorization", "Bearer \(credentials.sessionToken ?? "")")] + others
      return .fields(RequestAuthorizer { _, _, _ in fields })
    }

    /// Signs requests with the key of a storage account.
    static func sharedKey(_ credentials: S3Credentials) -> Self {
      // The credentials were checked when the endpoint was created. Azure rejects requests without a signature.
      guard let signature = SharedKeySignature(credentials) else { return .fields(RequestAuthorizer { _, _, _ in [] }) }
      return .fields(
        RequestAuthorizer { method, url, fields in
          signature.fields(method, url, fields, seconds: Int(Date().timeIntervalSince1970))
        })
    }
  }
#endif
