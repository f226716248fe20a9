public import Foundation
public import FoundationNetworking
import Nuke

/// Loads data. A file that also imports Nuke has to write `NukeLegacy.DataLoading`.
public protocol DataLoading: Sendable {
  /// Starts to load data, and returns immediately. May be called from any thread.
  ///
  /// - Parameters:
  ///   - request: the request to send.
  ///   - token: cancels the load, in which case the promise should fail soon.
  func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)>
}

/// Loads data with one of Nuke's loaders. A file that also imports Nuke has to write `NukeLegacy.DataLoader`.
public final class DataLoader: DataLoading {
  let base: any Nuke.DataLoading

  /// Creates a loader based on libcurl.
  public convenience init(configuration: Nuke.DataLoader.Configuration = Nuke.DataLoader.defaultConfiguration) {
    self.init(Nuke.DataLoader(configuration: configuration))
  }

  /// Creates a loader that uses `loader`.
  public init(_ loader: any Nuke.DataLoading) { base = loader }

  /// Starts to load data.
  ///
  /// - Returns: a promise that fails with the loader's error, or with `ImagePipeline.Error`: `.cancelled` after the token
  ///   was canceled, `.dataIsEmpty` without data, and `.dataDownloadExceededMaximumSize` if the data exceeds a pipeline's
  ///   default limit.
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
      // A body that is too large fails the promise while its transfer runs.
      if case .failure = outcome { transfer.cancel() }
    }
    return promise
  }

  /// The received part of a body.
  private final class Body: Sendable {
    private static let limit = ImagePipeline.Configuration().maximumResponseDataSize ?? .max
    private let received = Lock((data: Data(), response: URLResponse?.none))

    /// Appends a chunk. Returns `false` if the body is too large.
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

/// Stores responses by their requests. A file that also imports Nuke has to write `NukeLegacy.DataCaching`.
public protocol DataCaching: Sendable {
  /// Looks up the response to `request`. On a cache miss, the promise fails, and the data is loaded.
  ///
  /// - Parameters:
  ///   - request: the request for the data.
  ///   - token: cancels the lookup.
  func response(for request: URLRequest, token: CancellationToken?) -> Promise<CachedURLResponse>

  /// Stores the response to `request`. Called before the image is decoded, so it should return soon.
  func setResponse(_ response: CachedURLResponse, for request: URLRequest)
}

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

    /// Completes the transfer. The first call counts, so that cancellation does not depend on the custom loader.
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
