package import Foundation
public import FoundationNetworking
import NukeBase
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

  /// A Boolean value for source compatibility with Nuke. It has no effect: the loader always delivers a body in the
  /// chunks that arrive. It can be set from any thread.
  public var prefersIncrementalDelivery: Bool {
    get { prefersIncrements.load(ordering: .relaxed) }
    set { prefersIncrements.store(newValue, ordering: .relaxed) }
  }

  private let prefersIncrements = Atomic<Bool>(false)
  private let dispatcher: RequestDispatcher
  package let configuration: Configuration
  package let retries: (any TransferRetrying)?

  /// - Parameters:
  ///   - configuration: the result of ``Configuration/fixed(accept:)``.
  ///   - retries: decides which failed transfers are retried.
  ///   - acceptance: decides which responses are delivered.
  package init(_ configuration: Configuration, retries: (any TransferRetrying)?, acceptance: ResponseAcceptance) {
    self.configuration = configuration
    self.retries = retries
    dispatcher = RequestDispatcher(
      CurlTransport.shared(for: configuration), configuration: configuration, policy: retries,
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
