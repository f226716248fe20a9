package import Foundation
public import FoundationNetworking
import Synchronization

/// Loads bytes over http, https and ftp, from files and from `data:` URLs.
///
/// Transfers run on one thread of the process for each distinct configuration; it ends when the last loader with that
/// configuration is gone and its transfers are done. A loader can be used from any thread.
public final class DataLoader: DataLoading {
  /// The configuration of loaders that are created without one: the defaults, with ``sharedUrlCache``.
  public static var defaultConfiguration: Configuration {
    var configuration = Configuration()
    configuration.urlCache = sharedUrlCache
    return configuration
  }

  /// The HTTP cache of all loaders with ``defaultConfiguration``, of 150 MB, in `com.github.kean.Nuke.Cache` in
  /// `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  ///
  /// It is opened when it is used first. If there is no folder for it, as for a service without a home or on a read-only
  /// disk, nothing is stored, and a warning is printed on standard error once per process.
  public static let sharedUrlCache = HTTPCache(
    name: "com.github.kean.Nuke.Cache", environment: ProcessInfo.processInfo.environment, warnings: .standardError)

  /// The failures after which a transfer is retried, and how often; `nil`, the default, for no retries.
  ///
  /// Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE requests are retried. `Retry-After` is respected. A body that broke off
  /// is resumed by a range request if the response had a strong validator, so that one continuous body is delivered. If it
  /// had none, and something was delivered already, the transfer fails. ``Configuration/resourceTimeout`` holds for all
  /// attempts together.
  public let retryPolicy: RetryPolicy?

  /// A Boolean value for source compatibility with Nuke; it has no effect. The loader always delivers a body in the pieces
  /// that it arrives in. It can be set from any thread.
  public var prefersIncrementalDelivery: Bool {
    get { prefersIncrements.load(ordering: .relaxed) }
    set { prefersIncrements.store(newValue, ordering: .relaxed) }
  }

  private let prefersIncrements = Atomic<Bool>(false)
  private let dispatcher: RequestDispatcher
  package let configuration: Configuration

  /// Creates a loader that accepts the statuses 200…299.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and the like.
  ///   - retryPolicy: the failures after which a transfer is retried. ``ImagePipeline/response(for:retrying:)`` retries
  ///     whole loads; both together multiply the attempts.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil
  ) {
    self.init(configuration, retryPolicy, .successful)
  }

  /// Creates a loader that asks `validate` about each response before its body is delivered.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and the like.
  ///   - retryPolicy: the failures after which a transfer is retried.
  ///   - validate: returns the error that the transfer ends with, or `nil` to accept the response. It is called on the
  ///     loader's thread.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
    validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.init(configuration, retryPolicy, .judged(validate))
  }

  private init(_ configuration: Configuration, _ retryPolicy: RetryPolicy?, _ acceptance: ResponseAcceptance) {
    self.configuration = configuration
    self.retryPolicy = retryPolicy
    dispatcher = RequestDispatcher(
      CurlTransport.shared(for: configuration), configuration: configuration, policy: retryPolicy,
      acceptance: acceptance)
  }

  /// Returns ``Error/statusCodeUnacceptable(_:)`` for an HTTP status outside 200…299, `nil` for every other response.
  public static func validate(response: URLResponse) -> (any Swift.Error)? {
    guard let status = (response as? HTTPURLResponse)?.statusCode else { return nil }
    return isAcceptable(status) ? nil : Error.statusCodeUnacceptable(status)
  }

  static func isAcceptable(_ status: Int) -> Bool { (200..<300).contains(status) }

  /// Returns `true` if the request states a condition that is answered by 304 (RFC 9110 §15.4.5).
  static func isConditional(_ request: URLRequest) -> Bool {
    request.value(forHTTPHeaderField: "If-None-Match") != nil
      || request.value(forHTTPHeaderField: "If-Modified-Since") != nil
  }
}

extension DataLoader: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    dispatcher.stream(request, limit: limit, observer: observer)
  }

  package func configuration(for url: URL) -> DataLoader.Configuration? { configuration }
}
