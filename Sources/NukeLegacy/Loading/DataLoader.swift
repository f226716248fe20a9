public import Foundation
public import FoundationNetworking
import NukeImaging

/// Fetches bytes with one of today's loaders. A file that imports Nuke as well says `NukeLegacy.DataLoader`.
public final class DataLoader: DataLoading {
  let base: any Nuke.DataLoading

  /// A loader over libcurl with limits, proxies, certificates and the like.
  public convenience init(configuration: Nuke.DataLoader.Configuration = Nuke.DataLoader.defaultConfiguration) {
    self.init(Nuke.DataLoader(configuration: configuration))
  }

  /// A loader that has `loader` fetch.
  public init(_ loader: any Nuke.DataLoading) { base = loader }

  /// Starts to fetch what `request` asks for.
  ///
  /// - Returns: a promise that fails with the loader's own error; with `ImagePipeline.Error.cancelled` where the token
  ///   was canceled, `.dataIsEmpty` where there were no bytes, and `.dataDownloadExceededMaximumSize` where there were
  ///   more than a pipeline takes by default.
  public func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)> {
    let promise = Promise<(Data, URLResponse)>()
    if token?.isCancelling == true {
      promise.settle(.failure(ImagePipeline.Error.cancelled))
      return promise
    }
    let body = Body()
    let transfer = base.loadData(
      with: request,
      didReceiveData: { chunk, response in
        if !body.append(chunk, response) {
          promise.settle(.failure(ImagePipeline.Error.dataDownloadExceededMaximumSize))
        }
      },
      completion: { error in promise.settle(body.outcome(error)) })
    let registration = token?.registration {
      promise.settle(.failure(ImagePipeline.Error.cancelled))
      transfer.cancel()
    }
    promise.observe { outcome in
      registration?.remove()
      // What has become too large is not to go on.
      if case .failure = outcome { transfer.cancel() }
    }
    return promise
  }

  /// What has come of a body.
  private final class Body: Sendable {
    private static let limit = ImagePipeline.Configuration().maximumResponseDataSize ?? .max
    private let received = Lock((data: Data(), response: URLResponse?.none))

    /// Adds a part; `false` if it is too large.
    func append(_ chunk: Data, _ response: URLResponse) -> Bool {
      received.withLock { received in
        guard received.data.count + chunk.count <= Self.limit else { return false }
        received.data.append(chunk)
        received.response = response
        return true
      }
    }

    func outcome(_ error: (any Error)?) -> Result<(Data, URLResponse), any Error> {
      if let error { return .failure(error) }
      let (data, response) = received.withLock { $0 }
      guard let response else { return .failure(ImagePipeline.Error.dataIsEmpty) }
      return .success((data, response))
    }
  }
}
