public import Foundation
public import FoundationNetworking

/// Loads bytes over http, https and ftp, from files and from `data:` URLs.
///
/// Transfers run on one thread of the process for each distinct configuration; it ends when the last loader with that
/// configuration is gone and its transfers are done. A loader can be used from any thread.
public final class DataLoader: DataLoading {
  /// What a loader is made with where nothing else is said: the defaults, with ``sharedUrlCache``.
  public static var defaultConfiguration: Configuration {
    var configuration = Configuration()
    configuration.urlCache = sharedUrlCache
    return configuration
  }

  /// The HTTP cache of all loaders with ``defaultConfiguration``, of 150 MB, in `com.github.kean.Nuke.Cache` in
  /// `$XDG_CACHE_HOME`, which is `~/.cache` unless set.
  ///
  /// It is opened when it is used first. Where there is no folder for it, as for a service without a home or on a
  /// read-only disk, nothing is kept, and the first time this happens a process says so on standard error.
  public static let sharedUrlCache = HTTPCache(
    name: "com.github.kean.Nuke.Cache", environment: ProcessInfo.processInfo.environment, warnings: .standardError)

  private let transport: CurlTransport
  private let configuration: Configuration
  private let acceptance: ResponseAcceptance

  /// Makes a loader that accepts the statuses 200…299.
  public init(configuration: Configuration = DataLoader.defaultConfiguration) {
    self.configuration = configuration
    transport = CurlTransport.shared(for: configuration)
    acceptance = .successful
  }

  /// Makes a loader that asks `validate` about each response before its body is delivered.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and the like.
  ///   - validate: returns the error that the transfer ends with, or nil to accept the response. It is called on the
  ///     loader's thread.
  public init(
    configuration: Configuration = DataLoader.defaultConfiguration,
    validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.configuration = configuration
    transport = CurlTransport.shared(for: configuration)
    acceptance = .judged(validate)
  }

  /// Returns ``Error/statusCodeUnacceptable(_:)`` for an HTTP status outside 200…299, nil for every other response.
  public static func validate(response: URLResponse) -> (any Swift.Error)? {
    guard let status = (response as? HTTPURLResponse)?.statusCode else { return nil }
    return isAcceptable(status) ? nil : Error.statusCodeUnacceptable(status)
  }

  static func isAcceptable(_ status: Int) -> Bool { (200..<300).contains(status) }

  public func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Swift.Error)?) -> Void
  ) -> any Cancellable {
    stream(request, limit: nil, observer: ClosureObserver(didReceiveData: didReceiveData, completion: completion))
  }
}

extension DataLoader: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    transport.stream(
      request, limit: limit, acceptance: acceptance, configuration: configuration, observer: observer)
  }
}
