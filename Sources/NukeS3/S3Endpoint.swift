public import Foundation

/// The address of an S3-compatible store, and its credentials.
///
/// ```swift
/// let store = S3Endpoint(
///   url: URL(string: "http://minio.internal:9000")!,
///   credentials: S3Credentials(environment: ProcessInfo.processInfo.environment))
/// ```
public struct S3Endpoint: Sendable, Hashable {
  /// The position of the bucket's name in URLs.
  public enum Addressing: Sendable, Hashable {
    /// The name is the first component of the path. Nearly all stores support this.
    case path
    /// The name is the first label of the host name, as Amazon S3 prefers. Buckets with a dot in their names are
    /// addressed in the path, because no wildcard certificate matches them.
    case virtualHost
  }

  /// The credentials that sign requests.
  public enum Credentials: Sendable, Hashable {
    /// Requests are not signed, which public buckets accept.
    case anonymous
    /// Credentials that do not change.
    case fixed(S3Credentials)
    /// Credentials that are fetched, and refreshed before they expire.
    case temporary(S3CredentialProvider)
  }

  /// The URL of the store: `http` or `https`, the host, and an optional port.
  public var url: URL
  /// The region, which is part of the signature.
  public var region: String
  /// The credentials that sign requests.
  public var credentials: Credentials
  public var addressing: Addressing
  /// The service whose protocol the store speaks.
  package var service = Service.amazonS3

  /// - Parameters:
  ///   - url: the URL of the store, without the bucket.
  ///   - region: the region, which is part of the signature. Many stores other than Amazon's accept any.
  ///   - credentials: credentials that do not change; `nil` for unsigned requests. To use temporary credentials, set the
  ///     property.
  ///   - addressing: the place of the bucket in a URL.
  public init(
    url: URL, region: String = "us-east-1", credentials: S3Credentials?, addressing: Addressing = .path
  ) {
    self.url = url
    self.region = region
    self.credentials = credentials.map(Credentials.fixed) ?? .anonymous
    self.addressing = addressing
  }

  /// Creates the endpoint of Amazon S3 in a region.
  public init(region: String, credentials: S3Credentials?) {
    let url = URL(string: "https://s3.\(region).amazonaws.com") ?? URL(fileURLWithPath: "/")
    self.init(url: url, region: region, credentials: credentials, addressing: .virtualHost)
  }

  /// Creates an endpoint from the variables that Amazon's tools read. These are `AWS_ENDPOINT_URL_S3` or
  /// `AWS_ENDPOINT_URL`, `AWS_REGION` or `AWS_DEFAULT_REGION`, and those of ``S3Credentials/init(environment:)``.
  /// Without a URL, the endpoint is Amazon S3.
  public init(environment: [String: String]) {
    func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
    let region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
    let credentials = S3Credentials(environment: environment)
    if let url = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL").flatMap({ URL(string: $0) }) {
      self.init(url: url, region: region, credentials: credentials)
    } else {
      self.init(region: region, credentials: credentials)
    }
  }
}

/// The credentials that sign requests to a store. Its description does not contain the secrets.
public struct S3Credentials: Sendable, Hashable {
  public var accessKey: String
  public var secretKey: String
  /// The session token of temporary credentials.
  public var sessionToken: String?

  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. Returns `nil` if one of the first two
  /// is missing.
  ///
  /// The variables are read once. ``S3CredentialProvider`` has further sources.
  public init?(environment: [String: String]) {
    guard let accessKey = environment["AWS_ACCESS_KEY_ID"], let secretKey = environment["AWS_SECRET_ACCESS_KEY"],
      !accessKey.isEmpty, !secretKey.isEmpty
    else { return nil }
    let token = environment["AWS_SESSION_TOKEN"] ?? ""
    self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: token.isEmpty ? nil : token)
  }
}

extension S3Credentials {
  /// Creates credentials that are an OAuth 2.0 access token alone.
  init(accessToken: String) { self.init(accessKey: "", secretKey: "", sessionToken: accessToken) }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "the credentials \(accessKey)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}
