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
