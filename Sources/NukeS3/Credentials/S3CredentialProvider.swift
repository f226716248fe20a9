import Dispatch
import Foundation
import NukeBase

/// Fetches temporary credentials, and refreshes them before they expire.
///
/// ```swift
/// var store = S3Endpoint(region: "eu-west-1", credentials: nil)
/// store.credentials = .temporary(
///   try S3CredentialProvider(environment: ProcessInfo.processInfo.environment, region: store.region))
/// let loader = S3DataLoader(endpoint: store)
/// ```
///
/// The environment selects one source, in the order of Amazon's tools:
///
/// 1. `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` contain the credentials.
/// 2. `AWS_WEB_IDENTITY_TOKEN_FILE` and `AWS_ROLE_ARN`, and optionally `AWS_ROLE_SESSION_NAME`, select a role that STS
///    grants. `AWS_ENDPOINT_URL_STS` replaces the address of STS.
/// 3. `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI` is the address of a container
///    credential service. `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN` authorizes
///    requests to it.
/// 4. Otherwise, the instance metadata service (IMDSv2) is used, unless `AWS_EC2_METADATA_DISABLED` is `true`.
///    `AWS_EC2_METADATA_SERVICE_ENDPOINT` replaces its address.
///
/// The first request fetches the credentials, and concurrent requests wait for the same fetch. Five minutes before the
/// credentials expire, a request starts a refresh, and uses the old ones. After a failure, valid credentials remain in
/// use, and the next attempt is delayed by 1 to 60 seconds. Endpoints that share a provider share its credentials.
///
/// May be used from any thread. Its description does not contain the secrets.
public final class S3CredentialProvider: Sendable {
  /// The source that the environment selects.
  public var source: Source { service.source }

  private let service: any CredentialService
  private let send: CredentialExchange.Send
  private let now: @Sendable () -> ClockReading
  private let state = Lock(State())
  /// The queue that waits for the source, so that no thread of a loader or of Swift's cooperative pool is blocked.
  private let queue = DispatchQueue(label: "nuke.s3.credentials")

  /// Selects the source. Sends no request.
  ///
  /// - Parameters:
  ///   - environment: the environment variables.
  ///   - region: the region whose STS is used.
  /// - Throws: an error if a variable is invalid, or if there is no source.
  public convenience init(environment: [String: String], region: String) throws(Error) {
    self.init(try Self.service(environment, region: region))
  }

  /// - Parameters:
  ///   - service: the source.
  ///   - send: sends a request to the source, and blocks until the response arrives; `nil` for the default.
  init(
    _ service: any CredentialService, send: CredentialExchange.Send? = nil,
    now: @escaping @Sendable () -> ClockReading = { .now }
  ) {
    self.service = service
    self.send = send ?? CredentialExchange.sending(to: service.source)
    self.now = now
  }

  /// Returns the source that the environment selects.
  static func service(
    _ environment: [String: String], region: String
  ) throws(Error) -> any CredentialService {
    let environment = environment.filter { !$0.value.isEmpty }
    if let keys = EnvironmentCredentials(environment) { return keys }
    if let identity = try WebIdentityCredentials(environment, region: region) { return identity }
    if let container = try ContainerCredentials(environment) { return container }
    if let instance = try InstanceCredentials(environment) { return instance }
    throw .noSource
  }

  /// Returns valid credentials. Fetches them if necessary.
  ///
  /// - Throws: the last failure of the source if there are no valid credentials.
  public func credentials() async throws(Error) -> S3Credentials {
    let result = await withCheckedContinuation { continuation in
      withCredentials { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// - Parameter body: called once: at once on this thread if no fetch is necessary, otherwise on another thread. Must
  ///   return soon.
  func withCredentials(_ body: @escaping State.Waiter) {
    let time = now()
    let (outcome, startsFetch) = state.withLock { $0.ask(at: time, body) }
    if startsFetch { queue.async { [self] in fetch() } }
    if let outcome { body(outcome) }
  }

  /// Records that the store has rejected credentials. If they are the current ones, and older than a minute, the next
  /// request fetches others.
  func reject(_ credentials: S3Credentials) {
    let time = now()
    state.withLock { $0.reject(credentials, at: time) }
  }

  private func fetch() {
    let result: Result<ExpiringCredentials, Error>
    do throws(Error) {
      let new = try service.fetch(CredentialExchange(source: source, send: send, date: now().date))
      guard new.expiration > now().date else { throw .expired(source) }
      result = .success(new)
    } catch {
      result = .failure(error)
    }
    let time = now()
    let (outcome, waiters) = state.withLock { $0.finish(result, at: time) }
    for waiter in waiters { waiter(outcome) }
  }
}

extension S3CredentialProvider: Hashable {
  public static func == (one: S3CredentialProvider, other: S3CredentialProvider) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension S3CredentialProvider: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "credentials from \(source)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["source": source]) }
}
