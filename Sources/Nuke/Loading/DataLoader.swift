public import Foundation
public import FoundationNetworking

/// Loads bytes over http, https and ftp, from files and from `data:` URLs.
///
/// Transfers run on one thread of the process for each distinct configuration; it ends when the last loader with that
/// configuration is gone and its transfers are done. A loader can be used from any thread.
public final class DataLoader: DataLoading {
  /// What a loader is made with where nothing else is said.
  public static var defaultConfiguration: Configuration { Configuration() }

  /// After which failures a transfer is tried again, and how often; nil for never, which is the default.
  ///
  /// GET, HEAD, OPTIONS, PUT and DELETE alone are sent again, and `Retry-After` is heeded. A body that broke off goes on by
  /// a range where the response had a strong validator, so that one continuous body is delivered; where it had none, and
  /// something was delivered already, the failure is told. ``Configuration/resourceTimeout`` holds for all tries together.
  public let retryPolicy: RetryPolicy?

  private let transport: RetryingTransport
  private let configuration: Configuration
  /// Nil stands for ``DataLoader/validate(response:)``, which needs the status alone and not a whole `URLResponse`.
  private let validate: (@Sendable (URLResponse) -> (any Swift.Error)?)?

  /// Makes a loader that accepts the statuses 200…299.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and the like.
  ///   - retryPolicy: after which failures a transfer is tried again. ``ImagePipeline/response(for:retrying:)`` does that
  ///     for whole loads; both together multiply the tries.
  public init(configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil) {
    self.configuration = configuration
    self.retryPolicy = retryPolicy
    transport = RetryingTransport(configuration: configuration, policy: retryPolicy)
    validate = nil
  }

  /// Makes a loader that asks `validate` about each response before its body is delivered.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and the like.
  ///   - retryPolicy: after which failures a transfer is tried again.
  ///   - validate: returns the error that the transfer ends with, or nil to accept the response. It is called on the
  ///     loader's thread.
  public init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
    validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.configuration = configuration
    self.retryPolicy = retryPolicy
    transport = RetryingTransport(configuration: configuration, policy: retryPolicy)
    self.validate = validate
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
    let limit = [limit, configuration.maximumBodySize].compactMap { $0 }.min()
    if configuration.isLocalResourcesSupportEnabled, let url = request.url, LocalResource.isLocal(url) {
      let transfer = LocalTransfer(url: url, limit: limit, observer: observer)
      transfer.start()
      return transfer
    }
    return transport.start(request, limit: limit, validate: validate, observer: observer)
  }
}

/// Hands a stream on to the closures of ``DataLoading``.
private final class ClosureObserver: StreamObserver, @unchecked Sendable {
  private let didReceiveData: @Sendable (Data, URLResponse) -> Void
  private let completion: @Sendable ((any Error)?) -> Void
  /// Written before the first chunk; a transfer makes its calls one at a time.
  private var response: URLResponse?

  init(
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.didReceiveData = didReceiveData
    self.completion = completion
  }

  func didReceive(_ head: ResponseHead) { response = head.urlResponse() }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    guard let response, let base = bytes.baseAddress else { return }
    didReceiveData(Data(bytes: base, count: bytes.count), response)
  }

  func didFinish(_ error: (any Error)?) { completion(error) }
}
