import Foundation
import FoundationNetworking
import Nuke
import NukeImaging

/// A data loader of version 4, and the cache in front of it, as one of today's.
struct LegacyDataLoader: Nuke.DataLoading {
  let loader: any DataLoading
  let cache: (any DataCaching)?

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let transfer = Transfer(request, from: self, didReceiveData: didReceiveData, completion: completion)
    transfer.start()
    return transfer
  }

  private final class Transfer: Cancellable {
    private let request: URLRequest
    private let origin: LegacyDataLoader
    private let didReceiveData: @Sendable (Data, URLResponse) -> Void
    private let completion: @Sendable ((any Error)?) -> Void
    private let source = CancellationTokenSource()
    private let hasEnded = Lock(false)

    init(
      _ request: URLRequest, from origin: LegacyDataLoader,
      didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
      self.request = request
      self.origin = origin
      self.didReceiveData = didReceiveData
      self.completion = completion
    }

    func start() {
      guard let cache = origin.cache else { return load() }
      cache.response(for: request, token: source.token).observe { [self] outcome in
        switch outcome {
        case .success(let cached): end(.success((cached.data, cached.response)))
        case .failure: load()
        }
      }
    }

    private func load() {
      guard !source.isCancelling else { return }
      origin.loader.loadData(with: request, token: source.token).observe { [self] outcome in
        if case .success(let (data, response)) = outcome {
          origin.cache?.setResponse(CachedURLResponse(response: response, data: data), for: request)
        }
        end(outcome)
      }
    }

    /// The first end counts: that of a canceled transfer is not left to the user's loader.
    private func end(_ outcome: Result<(Data, URLResponse), any Error>) {
      let isFirst = hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return !hasEnded
      }
      guard isFirst else { return }
      switch outcome {
      case .success(let (data, response)):
        if !data.isEmpty { didReceiveData(data, response) }
        completion(nil)
      case .failure(let error): completion(error)
      }
    }

    func cancel() {
      source.cancel()
      end(.failure(ImagePipeline.Error.cancelled))
    }
  }
}
