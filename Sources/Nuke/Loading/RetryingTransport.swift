package import Foundation
package import FoundationNetworking

/// The network, with transfers that are tried again where the loader and the request allow that.
package struct RetryingTransport: HTTPTransport {
  private let transport: any TryingTransport
  private let configuration: DataLoader.Configuration
  private let policy: RetryPolicy?

  /// - Parameter transport: makes each try.
  package init(_ transport: any TryingTransport, configuration: DataLoader.Configuration, policy: RetryPolicy?) {
    self.transport = transport
    self.configuration = configuration
    self.policy = policy
  }

  package func start(
    _ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance, observer: any StreamObserver
  ) -> any Transfer {
    let startTime = monotonicNanoseconds()
    let waits = configuration.waitsForConnectivity
    guard policy != nil || waits, transport.canConnect, RetryingTransfer.allows(request) else {
      return transport.start(
        request, limit: limit, acceptance: acceptance, observer: observer, startTime: startTime, isPaused: false)
    }
    let dependencies = RetryingTransfer.Dependencies(
      start: { [transport] request, isPaused, observer in
        transport.start(
          request, limit: limit, acceptance: acceptance, observer: observer, startTime: startTime, isPaused: isPaused)
      }, schedule: { [transport] in transport.schedule(after: $0, $1) })
    return RetryingTransfer.start(
      request, limit: limit, policy: policy, waitsForConnectivity: waits,
      deadline: configuration.resourceTimeout.map { startTime &+ nanoseconds($0) }, dependencies: dependencies,
      observer: observer)
  }
}

/// Sends a request once, with one library or another.
package protocol TryingTransport: Sendable {
  /// False where the configuration rules out each connection, so that there is nothing to wait for.
  var canConnect: Bool { get }

  /// Sends a request, and follows where it is redirected.
  ///
  /// - Parameters:
  ///   - limit: the largest body in bytes; `nil` for none.
  ///   - acceptance: which responses are delivered.
  ///   - observer: is kept until the transfer has ended.
  ///   - startTime: when the clock of the whole time began, of ``monotonicNanoseconds()``.
  ///   - isPaused: whether nothing of the body is delivered until the transfer is resumed.
  func start(
    _ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance, observer: any StreamObserver,
    startTime: UInt64, isPaused: Bool
  ) -> any Transfer

  /// Calls after some seconds, from where observers may be called.
  func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void)
}
