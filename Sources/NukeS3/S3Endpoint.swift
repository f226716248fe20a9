public import Foundation

/// The address of an S3-compatible store, and its credentials.
///
/// ```swift
/// let store = S3Endpoint(
///   url: URL(string: "http://minio.internal:9000")!,
///   credentials: S3Credentials(environment: ProcessInfo.processInfo.environment))
/// ```
public struct S3Endpoint: Sendable, Hashable {
  /// The place of a bucket's name in URLs.
  public enum Addressing: Sendable, Hashable {
    /// At the beginning of the path: what nearly all stores understand.
    case path
    /// At the beginning of the host's name, as Amazon wants it. Buckets with a dot in their names, which no certificate
    /// covers there, stand in the path.
    case virtualHost
  }

  /// `http` or `https`, the host, and a port where it is another than the scheme's.
  public var url: URL
  /// Part of what is signed.
  public var region: String
  /// `nil` for requests that are not signed, as public buckets allow.
  public var credentials: S3Credentials?
  public var addressing: Addressing

  public init(
    url: URL, region: String = "us-east-1", credentials: S3Credentials?, addressing: Addressing = .path
  ) {
    self.url = url
    self.region = region
    self.credentials = credentials
    self.addressing = addressing
  }

  /// Amazon's own store in a region.
  public init(region: String, credentials: S3Credentials?) {
    let url = URL(string: "https://s3.\(region).amazonaws.com") ?? URL(fileURLWithPath: "/")
    self.init(url: url, region: region, credentials: credentials, addressing: .virtualHost)
  }

  /// As the tools of Amazon's read it: `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, without which it is Amazon's own
  /// store, `AWS_REGION` or `AWS_DEFAULT_REGION`, and the credentials of ``S3Credentials/init(environment:)``.
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

/// The credentials that sign requests to a store. Its description leaves the secrets out.
public struct S3Credentials: Sendable, Hashable {
  public var accessKey: String
  public var secretKey: String
  /// Goes with keys that are good for a while only.
  public var sessionToken: String?

  public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }

  /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `nil` if one of the first two is missing.
  ///
  /// They are read once. Profiles in files and the credentials of a machine in Amazon's cloud are not looked for.
  public init?(environment: [String: String]) {
    guard let accessKey = environment["AWS_ACCESS_KEY_ID"], let secretKey = environment["AWS_SECRET_ACCESS_KEY"],
      !accessKey.isEmpty, !secretKey.isEmpty
    else { return nil }
    let token = environment["AWS_SESSION_TOKEN"] ?? ""
    self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: token.isEmpty ? nil : token)
  }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "the credentials \(accessKey)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}
