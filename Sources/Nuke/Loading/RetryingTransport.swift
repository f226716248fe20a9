import FoundationNetworking

/// The network, with transfers that are tried again where the loader and the request allow that.
struct RetryingTransport: HTTPTransport {
  private let transport: CurlTransport
  private let configuration: DataLoader.Configuration
  private let policy: RetryPolicy?

  init(configuration: DataLoader.Configuration, policy: RetryPolicy?) {
    transport = CurlTransport.shared(for: configuration)
    self.configuration = configuration
    self.policy = policy
  }

  func start(
    _ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance, observer: any StreamObserver
  ) -> any Transfer {
    let waits = configuration.waitsForConnectivity
    guard policy != nil || waits, RetryingTransfer.allows(request) else {
      return transport.start(request, limit: limit, acceptance: acceptance, observer: observer)
    }
    let startTime = monotonicNanoseconds()
    let means = RetryingTransfer.Means { [transport] request, isPaused, observer in
      transport.start(
        request, limit: limit, acceptance: acceptance, observer: observer, startTime: startTime, isPaused: isPaused)
    }
    return RetryingTransfer.start(
      request, limit: limit, policy: policy, waitsForConnectivity: waits,
      deadline: configuration.resourceTimeout.map { startTime &+ nanoseconds($0) }, means: means, observer: observer)
  }
}
