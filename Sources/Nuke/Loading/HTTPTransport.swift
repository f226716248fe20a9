package import FoundationNetworking
import NukeHTTPCaching

/// Sends requests to servers with one library or another.
package protocol HTTPTransport: Sendable {
  /// Sends a request, and follows where it is redirected.
  ///
  /// - Parameters:
  ///   - limit: the largest body in bytes; `nil` for none.
  ///   - acceptance: which responses are delivered.
  ///   - observer: is kept until the transfer has ended.
  func start(
    _ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance, observer: any StreamObserver
  ) -> any Transfer
}

extension HTTPTransport {
  /// Does what every loader does: reads local resources, asks the HTTP cache, and sends the request to the server
  /// unless it wants stored data only.
  package func stream(
    _ request: URLRequest, limit: Int?, acceptance: ResponseAcceptance, configuration: DataLoader.Configuration,
    observer: any StreamObserver
  ) -> any Transfer {
    var request = request
    if request.cachePolicy == .useProtocolCachePolicy { request.cachePolicy = configuration.requestCachePolicy }
    let limit = [limit, configuration.maximumBodySize].compactMap { $0 }.min()
    if configuration.isLocalResourcesSupportEnabled, let url = request.url, LocalResource.isLocal(url) {
      let transfer = LocalTransfer(url: url, limit: limit, observer: observer)
      transfer.start()
      return transfer
    }
    guard let cache = configuration.urlCache, let asked = CacheRequest(request, configuration: configuration) else {
      if request.cachePolicy == .returnCacheDataDontLoad, let url = request.url {
        return FailedTransfer.refuse(request, url, acceptance: acceptance, observer: observer)
      }
      return start(request, limit: limit, acceptance: acceptance, observer: observer)
    }
    let transfer = CachingTransfer(
      request, asked, cache: cache, transport: self, limit: limit, acceptance: acceptance, observer: observer)
    transfer.start()
    return transfer
  }
}
