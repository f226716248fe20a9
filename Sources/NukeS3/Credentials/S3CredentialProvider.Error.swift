extension S3CredentialProvider {
  /// A source of credentials.
  public enum Source: Sendable, Hashable, CustomStringConvertible {
    /// Variables that contain the credentials.
    case environment
    /// The security token service (STS), for a token of an identity provider.
    case webIdentity
    /// The credential service of Amazon ECS or EKS.
    case container
    /// The metadata service of Amazon EC2.
    case instanceMetadata
    /// The security token service (STS), for other credentials.
    case assumedRole
    /// Google's token service, for the key of a service account.
    case serviceAccount
    /// The metadata service of Google Cloud.
    case googleMetadata
    /// The metadata service of Azure.
    case managedIdentity

    public var description: String {
      switch self {
      case .environment: "the environment"
      case .webIdentity, .assumedRole: "the security token service (STS)"
      case .container: "the container credential service"
      case .instanceMetadata: "the instance metadata service"
      case .serviceAccount: "Google's token service"
      case .googleMetadata: "the metadata service of Google Cloud"
      case .managedIdentity: "the metadata service of Azure"
      }
    }

    /// `true` for a service that is not a part of the machine.
    var isRemote: Bool { [.webIdentity, .assumedRole, .serviceAccount].contains(self) }
  }

  /// The reason why there are no credentials. The descriptions contain no secrets.
  public enum Error: Swift.Error, Hashable, CustomStringConvertible {
    /// No variable is set, and the instance metadata service is disabled.
    case noSource
    case invalidVariable(String, reason: String)
    /// A token file is missing, not readable, empty, or too large.
    case unreadableFile(path: String, variable: String)
    /// The service did not respond, or its response is too large.
    case unavailable(Source, reason: String)
    /// The service rejected the request. The code is the service's own, such as `InvalidIdentityToken`.
    case refused(Source, status: Int, code: String?)
    case malformedAnswer(Source, reason: String)
    /// The credentials that the service returned have expired.
    case expired(Source)
    /// The instance has no role.
    case noRole
    /// The key of a Google service account is not the file that Google creates for it.
    case invalidKey(reason: String)

    /// A sentence that names the source, and the variable or the service's response.
    public var description: String {
      switch self {
      case .noSource:
        "No credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or assign a role to this service."
      case .invalidVariable(let name, let reason):
        "The environment variable \(name) is invalid: \(reason)."
      case .unreadableFile(let path, let variable):
        "The file \(path) of \(variable) is missing, not readable, empty, or too large."
      case .unavailable(let source, let reason):
        "No credentials from \(source): \(reason)"
      case .refused(let source, let status, let code):
        "No credentials from \(source): it answered with status \(status)\(code.map { " (\($0))" } ?? "")."
      case .malformedAnswer(let source, let reason):
        "No credentials from \(source): \(reason)."
      case .expired(let source):
        "No credentials from \(source): those it returned have expired. Check the clock of this machine."
      case .noRole:
        "No credentials from \(Source.instanceMetadata): attach a role to the instance, or set AWS_ACCESS_KEY_ID and "
          + "AWS_SECRET_ACCESS_KEY."
      case .invalidKey(let reason): "The key of the Google service account is invalid: \(reason)."
      }
    }
  }
}
