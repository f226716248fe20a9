import FoundationNetworking

extension DataLoader {
  /// Starts a transfer over the network, which is tried again where the loader and the request allow that.
  func startTransfer(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    let waits = configuration.waitsForConnectivity
    guard retryPolicy != nil || waits, RetryingTransfer.allows(request) else {
      return transport.start(request, limit: limit, validate: validate, observer: observer)
    }
    let startTime = monotonicNanoseconds()
    let (transport, validate) = (transport, validate)
    let means = RetryingTransfer.Means { request, isPaused, observer in
      transport.start(
        request, limit: limit, validate: validate, observer: observer, startTime: startTime, isPaused: isPaused)
    }
    return RetryingTransfer.start(
      request, limit: limit, policy: retryPolicy, waitsForConnectivity: waits,
      deadline: configuration.resourceTimeout.map { startTime &+ nanoseconds($0) }, means: means, observer: observer)
  }
}
