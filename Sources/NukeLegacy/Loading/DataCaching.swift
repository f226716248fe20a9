public import FoundationNetworking

/// Keeps encoded data under what was sent for it. A file that imports Nuke as well says `NukeLegacy.DataCaching`.
public protocol DataCaching: Sendable {
  /// Looks for what was stored for `request`. Where there is nothing, the promise fails, and the data is loaded.
  ///
  /// - Parameters:
  ///   - request: what is sent for the data.
  ///   - token: is canceled where it is no longer wanted.
  func response(for request: URLRequest, token: CancellationToken?) -> Promise<CachedURLResponse>

  /// Stores what has been loaded for `request`. Called before the image is decoded, so it should return soon.
  func setResponse(_ response: CachedURLResponse, for request: URLRequest)
}
