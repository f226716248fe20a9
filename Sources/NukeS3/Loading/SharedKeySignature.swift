#if Server
  import Foundation
  import NukeCrypto
  import Nuke
  import NukeHTTPCaching

  /// Signs requests to Azure Blob Storage with the key of a storage account (Azure Storage REST API, "Authorize with
  /// Shared Key").
  struct SharedKeySignature: Sendable {
    /// The version of the REST API, which every authorized request states.
    static let versionField = (name: "x-ms-version", value: "2021-08-06")

    /// The fields that are signed without their names, in the order of the string to sign.
    private static let signedFields = [
      "content-encoding", "content-language", "content-length", "content-md5", "content-type", "date",
      "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range",
    ]

    private let account: String
    private let key: [UInt8]

    /// - Parameter credentials: the name of the account, and its key in Base64. Returns `nil` for any other key.
    init?(_ credentials: S3Credentials) {
      guard let key = Data(base64Encoded: credentials.secretKey) else { return nil }
      account = credentials.accessKey
      self.key = Array(key)
    }

    /// Returns the fields that authorize a request without a body.
    ///
    /// - Parameters:
    ///   - url: the URL, escaped as it is sent. It has no query.
    ///   - fields: the other fields of the request.
    ///   - seconds: the time in seconds since 1970.
    func fields(
      _ method: String, _ url: String, _ fields: RequestAuthorizer.Fields, seconds: Int
    ) -> RequestAuthorizer.Fields {
      let own = [("x-ms-date", HTTPDate.text(seconds)), Self.versionField]
      let text = Self.text(method, url, fields + own, account: account)
      let signature = Data(HMACSHA256.code(of: Array(text.utf8), key: key)).base64EncodedString()
      return own + [("Authorization", "SharedKey \(account):\(signature)")]
    }

    /// Returns the string to sign.
    private static func text(
      _ method: String, _ url: String, _ fields: RequestAuthorizer.Fields, account: String
    ) -> String {
      let values = Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
      var lines = [method] + signedFields.map { values[$0] ?? "" }
      lines += values.filter { $0.key.hasPrefix("x-ms-") }.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
      let start = url.range(of: "://")?.upperBound ?? url.startIndex
      let path = url[start...].drop { $0 != "/" }
      return lines.joined(separator: "\n") + "\n/\(account)\(path)"
    }
  }
#endif
