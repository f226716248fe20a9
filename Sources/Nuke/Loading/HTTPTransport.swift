package import FoundationNetworking
import NukeHTTPCaching

/// What sends requests to servers, by one library or another.
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
  /// What every loader does: reads what is local, asks the HTTP cache where there is one, and else the server, unless the
  /// request wants only what is stored.
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
