import Foundation
package import FoundationNetworking
package import NukeHTTPCaching

extension CacheRequest {
  /// Creates the request that will be sent. Returns `nil` if it cannot be cached: for other schemes, for bodies
  /// that the method does not provide for, and with fields that belong to one client.
  ///
  /// - Parameter mode: the cache mode; `nil` to use the request's own.
  package init?(_ request: URLRequest, configuration: DataLoader.Configuration = .init(), mode: Mode? = nil) {
    guard let url = request.url, url.isHTTP else { return nil }
    let method = request.httpMethod ?? "GET"
    guard method != "GET" && method != "HEAD" || request.httpBody == nil && request.httpBodyStream == nil else {
      return nil
    }
    if !configuration.privateFields.isEmpty,
      (request.allHTTPHeaderFields ?? [:]).keys.contains(where: {
        configuration.privateFields.contains($0.lowercased())
      })
    {
      return nil
    }
    var fields = HTTPFields()
    for (name, value) in RequestFields.all(of: request, configuration) { fields.append(name, value) }
    self.init(method: method, url: url.absoluteString, fields: fields, mode: mode ?? Mode(request.cachePolicy))
  }
}

extension CacheRequest.Mode {
  package init(_ policy: URLRequest.CachePolicy) {
    self =
      switch policy {
      case .useProtocolCachePolicy: .respect
      case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reload
      case .returnCacheDataElseLoad: .ignore
      case .returnCacheDataDontLoad: .onlyStored
      case .reloadRevalidatingCacheData: .revalidate
      @unknown default: .respect
      }
  }
}
