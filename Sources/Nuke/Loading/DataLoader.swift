package import Foundation
public import FoundationNetworking
import Synchronization

/// Loads data over HTTP, HTTPS and FTP, from files, and from `data:` URLs.
///
/// Bodies encoded with gzip or deflate are decoded, whether or not the request has an `Accept-Encoding`. The length of a
/// decoded body is unknown until it ends, and it is loaded from the beginning if it is interrupted.
///
/// The process has one transfer thread for each distinct configuration. It ends when the last loader with that
/// configuration is released and its transfers have ended. A loader can be used from any thread.
public final class DataLoader: DataLoading {
  /// The configuration of loaders that are created without one: the default values, with ``sharedUrlCache``. Each access
  /// creates a new one, which can be changed without affecting other loaders.
  public static var defaultConfiguration: Configuration {
    var configuration = Configuration()
    configuration.urlCache = sharedUrlCache
    return configuration
  }

  /// The HTTP cache of all loaders with ``defaultConfiguration``. It has 150 MB, in the folder
  /// `com.github.kean.Nuke.Cache` in `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  ///
  /// It is opened on first use. If there is no folder for it, as for a service without a home folder or on a read-only
  /// disk, nothing is stored, and a warning is printed to standard error once per process.
  public static let sharedUrlCache = HTTPCache(
    name: "com.github.kean.Nuke.Cache", environment: ProcessInfo.processInfo.environment, warnings: .standardError)

  /// The policy that decides which failed transfers are retried, and how often. The default is `nil`: nothing is
  /// retried.
  ///
  /// Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE requests are retried. `Retry-After` is respected. If a body was
  /// interrupted and the response had a strong validator, a range request resumes it, and the observer receives one
  /// continuous body. Without a strong validator, the transfer fails if a part of the body was already delivered.
  /// ``Configuration/resourceTimeout`` applies to all attempts together.
  public let retryPolicy: RetryPolicy?

  /// A Boolean value for source compatibility with Nuke. It has no effect: the loader always delivers a body in the
  /// chunks that arrive. It can be set from any thread.
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
  ///   - configuration: limits, proxies, certificates and other settings.
  ///   - retryPolicy: decides which failed transfers are retried. ``ImagePipeline/response(for:retrying:)`` retries
  ///     whole loads; using both multiplies the attempts.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil
  ) {
    self.init(configuration, retryPolicy, .successful)
  }

  /// Creates a loader that calls `validate` for each response before its body is delivered.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and other settings.
  ///   - retryPolicy: decides which failed transfers are retried.
  ///   - validate: returns the error to fail the transfer with, or `nil` to accept the response. Called on the loader's
  ///     thread.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
    validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.init(configuration, retryPolicy, .judged(validate))
  }

  private init(_ configuration: Configuration, _ retryPolicy: RetryPolicy?, _ acceptance: ResponseAcceptance) {
    let configuration = configuration.fixed
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

  /// Returns `true` if the request is conditional, so that a server may respond with 304 (RFC 9110 §15.4.5).
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
