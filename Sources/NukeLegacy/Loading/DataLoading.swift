public import Foundation
public import FoundationNetworking

/// Fetches bytes, whole. A file that imports Nuke as well says `NukeLegacy.DataLoading`.
public protocol DataLoading: Sendable {
  /// Starts to fetch what `request` asks for. May be called from any thread, and returns at once.
  ///
  /// - Parameters:
  ///   - request: what is to be fetched.
  ///   - token: is canceled where the bytes are no longer wanted; the promise should fail soon then.
  func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)>
}
