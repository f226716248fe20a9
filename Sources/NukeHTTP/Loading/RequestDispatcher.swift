package import Foundation
package import FoundationNetworking
import NukeBase
import NukeHTTPCaching

/// The steps that all loaders have in common. Reads local resources, looks in the HTTP cache, sends other requests to
/// the server, and retries if that is allowed.
package struct RequestDispatcher: Sendable {
  private let transport: any HTTPTransport
  private let configuration: DataLoader.Configuration
  private let policy: (any TransferRetrying)?
  private let acceptance: ResponseAcceptance

  /// - Parameters:
  ///   - policy: decides which failed requests are retried.
  ///   - acceptance: decides which responses are delivered.
  package init(
    _ transport: any HTTPTransport, configuration: DataLoader.Configuration, policy: (any TransferRetrying)?,
    acceptance: ResponseAcceptance
  ) {
    self.transport = transport
    self.configuration = configuration
    self.policy = policy
    self.acceptance = acceptance
  }

  /// Starts to load a request.
  ///
  /// - Parameter limit: the maximum size of the body in bytes; `nil` for the configuration's limit.
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    var request = request
    // Setting the policy copies the request, even if it is the same policy.
    if configuration.requestCachePolicy != .useProtocolCachePolicy, request.cachePolicy == .useProtocolCachePolicy {
      request.cachePolicy = configuration.requestCachePolicy
    }
    let limit = [limit, configuration.maximumBodySize].compactMap { $0 }.min()
    if configuration.isLocalResourcesSupportEnabled, let url = request.url, LocalResource.isLocal(url) {
      return LocalTransfer.start(url, limit: limit, observer: observer)
    }
    let outgoing = OutgoingRequest(request: request, limit: limit, acceptance: acceptance)
    if let cache = configuration.urlCache, let cacheRequest = CacheRequest(request, configuration: configuration) {
      let transfer = CachingTransfer(outgoing, cacheRequest, cache: cache, dispatcher: self, observer: observer)
      transfer.lookUp()
      return transfer
    }
    if request.cachePolicy == .returnCacheDataDontLoad, let url = request.url {
      return FailedTransfer.refuse(request, url, acceptance: acceptance, observer: observer)
    }
    return send(outgoing, observer: observer)
  }

  /// Sends a request to its server, and retries it according to the configuration and the policy.
  func send(_ outgoing: OutgoingRequest, observer: any StreamObserver) -> any Transfer {
    let waits = configuration.waitsForConnectivity
    guard policy != nil || waits, transport.canConnect, RetryingTransfer.allows(outgoing.request) else {
      return transport.start(outgoing, observer: observer)
    }
    let dependencies = RetryingTransfer.Dependencies(
      start: { [transport, outgoing] request, isPaused, observer in
        var next = outgoing
        next.request = request
        next.isPaused = isPaused
        return transport.start(next, observer: observer)
      }, schedule: { [transport] in transport.schedule(after: $0, $1) })
    return RetryingTransfer.start(
      outgoing.request, limit: outgoing.limit, policy: policy, waitsForConnectivity: waits,
      deadline: configuration.resourceTimeout.map { outgoing.startTime &+ nanoseconds($0) }, dependencies: dependencies,
      observer: observer)
  }
}

/// A library that sends requests to servers.
package protocol HTTPTransport: Sendable {
  /// `false` if the configuration rules out every connection, so that there is nothing to wait for.
  var canConnect: Bool { get }

  /// Sends a request once, and follows its redirects.
  ///
  /// - Parameter observer: retained until the transfer has ended.
  func start(_ request: OutgoingRequest, observer: any StreamObserver) -> any Transfer

  /// Calls `body` after some seconds, on a thread on which observers may be called.
  func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void)
}

/// A request that is passed to a transport.
package struct OutgoingRequest: Sendable {
  package var request: URLRequest
  /// The maximum size of the body in bytes; `nil` for no limit.
  package let limit: Int?
  /// Decides which responses are delivered.
  package let acceptance: ResponseAcceptance
  /// The start of the total time limit, from ``MonotonicClock.now``. All attempts share it.
  package let startTime = MonotonicClock.now
  /// `true` to deliver nothing of the body until the transfer is resumed.
  package var isPaused = false

  /// Returns the error for a body of `length` bytes if it exceeds the limit.
  package func excess(_ length: Int?) -> DataLoader.TransferError? {
    guard let limit, let length, length > limit else { return nil }
    return .bodyTooLarge(limit: limit)
  }

  /// Returns the maximum number of seconds without a byte.
  package func idleTimeout(_ configuration: DataLoader.Configuration) -> TimeInterval {
    // 60 is URLRequest's default; whether the program has set it explicitly is unknown.
    request.timeoutInterval == 60 ? configuration.idleTimeout : request.timeoutInterval
  }
}
