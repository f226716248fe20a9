package import Foundation
package import FoundationNetworking
import NukeHTTPCaching

/// What every loader does with a request, whichever library sends it: reads local resources, asks the HTTP cache, and sends
/// the rest to the server, again if that is allowed.
package struct RequestDispatcher: Sendable {
  private let transport: any HTTPTransport
  private let configuration: DataLoader.Configuration
  private let policy: RetryPolicy?
  private let acceptance: ResponseAcceptance

  /// - Parameters:
  ///   - policy: after which failures a request is sent again.
  ///   - acceptance: which responses are delivered.
  package init(
    _ transport: any HTTPTransport, configuration: DataLoader.Configuration, policy: RetryPolicy?,
    acceptance: ResponseAcceptance
  ) {
    self.transport = transport
    self.configuration = configuration
    self.policy = policy
    self.acceptance = acceptance
  }

  /// Starts to load a request.
  ///
  /// - Parameter limit: the largest body in bytes; `nil` for that of the configuration.
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    var request = request
    if request.cachePolicy == .useProtocolCachePolicy { request.cachePolicy = configuration.requestCachePolicy }
    let limit = [limit, configuration.maximumBodySize].compactMap { $0 }.min()
    if configuration.isLocalResourcesSupportEnabled, let url = request.url, LocalResource.isLocal(url) {
      return LocalTransfer.start(url, limit: limit, observer: observer)
    }
    let outgoing = OutgoingRequest(request, limit: limit, acceptance: acceptance)
    if let cache = configuration.urlCache, let asked = CacheRequest(request, configuration: configuration) {
      let transfer = CachingTransfer(outgoing, asked, cache: cache, dispatcher: self, observer: observer)
      transfer.start()
      return transfer
    }
    if request.cachePolicy == .returnCacheDataDontLoad, let url = request.url {
      return FailedTransfer.refuse(request, url, acceptance: acceptance, observer: observer)
    }
    return send(outgoing, observer: observer)
  }

  /// Sends a request to its server, and sends it again if the configuration or the policy says so.
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

  /// Sends a request once, and follows where it is redirected.
  ///
  /// - Parameter observer: is kept until the transfer has ended.
  func start(_ request: OutgoingRequest, observer: any StreamObserver) -> any Transfer

  /// Calls `body` after some seconds, from where observers may be called.
  func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void)
}

/// A request on its way to a transport.
package struct OutgoingRequest: Sendable {
  package var request: URLRequest
  /// The largest body in bytes; `nil` for no limit.
  package let limit: Int?
  /// Which responses are delivered.
  package let acceptance: ResponseAcceptance
  /// The start of the total time, of ``monotonicNanoseconds()``. All attempts share it.
  package let startTime = monotonicNanoseconds()
  /// `true` if nothing of the body is delivered until the transfer is resumed.
  package var isPaused = false

  init(_ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance) {
    self.request = request
    self.limit = limit
    self.acceptance = acceptance
  }

  /// Returns the error for a body of `length` bytes if that exceeds the limit.
  package func excess(_ length: Int?) -> DataLoader.TransferError? {
    guard let limit, let length, length > limit else { return nil }
    return .bodyTooLarge(limit: limit)
  }

  /// Seconds without a byte after which the transfer fails.
  package func idleTimeout(_ configuration: DataLoader.Configuration) -> TimeInterval {
    // 60 is URLRequest's default: it cannot be told whether somebody wrote it.
    request.timeoutInterval == 60 ? configuration.idleTimeout : request.timeoutInterval
  }
}
