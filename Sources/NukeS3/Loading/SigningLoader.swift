import Foundation
import FoundationNetworking
import Nuke

/// Sends requests to a store, signed with its credentials at that time.
final class SigningLoader: StreamingDataLoading {
  private struct Signed {
    let credentials: S3Credentials?
    let loader: DataLoader
  }

  private let credentials: S3Endpoint.Credentials
  private let service: S3Endpoint.Service
  private let requests: S3Requests
  private let configuration: DataLoader.Configuration
  private let retryPolicy: RetryPolicy?
  private let latest = Lock<Signed?>(nil)

  init(_ endpoint: S3Endpoint, configuration: DataLoader.Configuration, retryPolicy: RetryPolicy? = nil) {
    credentials = endpoint.credentials
    service = endpoint.service
    requests = S3Requests(endpoint)
    self.configuration = configuration.forImages
    self.retryPolicy = retryPolicy
  }

  func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    switch credentials {
    case .anonymous: return send(request, signedWith: nil, limit: limit, observer: observer)
    case .fixed(let credentials): return send(request, signedWith: credentials, limit: limit, observer: observer)
    case .temporary(let provider):
      let transfer = DeferredTransfer(observer)
      provider.withCredentials { [self] result in
        transfer.start { observer in
          switch result {
          case .success(let credentials):
            return send(request, signedWith: credentials, limit: limit, observer: observer)
          case .failure(let error): return FailedTransfer.start(error, observer: observer)
          }
        }
      }
      return transfer
    }
  }

  func configuration(for url: URL) -> DataLoader.Configuration? {
    let key: S3Credentials? =
      switch credentials {
      case .anonymous: nil
      case .fixed(let credentials): credentials
      // The header fields of a request depend on whether it is signed, but not on the key.
      case .temporary: S3Credentials(accessKey: "", secretKey: "")
      }
    return requests.configuration(configuration, signedWith: key)
  }

  private func send(
    _ request: URLRequest, signedWith credentials: S3Credentials?, limit: Int?, observer: any StreamObserver
  ) -> any Transfer {
    var request = request
    if service == .amazonS3, let token = credentials?.sessionToken {
      request.setValue(token, forHTTPHeaderField: "x-amz-security-token")
    }
    return loader(signingWith: credentials).stream(request, limit: limit, observer: observer)
  }

  /// Returns the loader for some credentials. They are a part of its configuration, so others need another loader; the
  /// previous one ends with its transfers.
  private func loader(signingWith credentials: S3Credentials?) -> DataLoader {
    if let latest = latest.withLock({ $0 }), latest.credentials == credentials { return latest.loader }
    let new = Signed(credentials: credentials, loader: makeLoader(credentials))
    // The previous loader is released after the lock.
    _ = latest.withLock { exchange(&$0, with: new) }
    return new.loader
  }

  private func makeLoader(_ key: S3Credentials?) -> DataLoader {
    let configuration = requests.configuration(configuration, signedWith: key)
    guard case .temporary(let provider) = credentials, let key else {
      return DataLoader(configuration: configuration, retryPolicy: retryPolicy)
    }
    return DataLoader(configuration: configuration, retryPolicy: retryPolicy) { [service] response in
      let status = (response as? HTTPURLResponse)?.statusCode
      if status == service.expiryStatus { provider.reject(key) }
      // The response to a conditional request.
      return status == 304 ? nil : DataLoader.validate(response: response)
    }
  }
}

/// A transfer that starts later. Until then, it records the calls that it receives.
final class DeferredTransfer: Transfer {
  private struct State {
    /// `nil` after the transfer was started or canceled.
    var observer: (any StreamObserver)?
    var transfer: (any Transfer)?
    var isCancelled = false
    var isPaused = false
    var priority = WorkPriority.normal
  }

  private let state: Lock<State>

  init(_ observer: any StreamObserver) { state = Lock(State(observer: observer)) }

  /// Starts the transfer, unless it was canceled.
  func start(_ body: (any StreamObserver) -> any Transfer) {
    guard let observer = state.withLock({ $0.observer.take() }) else { return }
    let transfer = body(observer)
    let isCancelled = state.withLock { state in
      state.transfer = transfer
      // Under the lock, so that a `resume()` on another thread reaches the transfer after this `pause()`. Neither of
      // them blocks or calls the observer.
      if state.isPaused { transfer.pause() }
      transfer.setPriority(state.priority)
      return state.isCancelled
    }
    if isCancelled { transfer.cancel() }
  }

  func cancel() {
    let (observer, transfer) = state.withLock { state in
      state.isCancelled = true
      return (state.observer.take(), state.transfer)
    }
    if let observer { _ = FailedTransfer.start(DataLoader.TransferError.cancelled, observer: observer) }
    transfer?.cancel()
  }

  func pause() {
    state.withLock { state in
      state.isPaused = true
      state.transfer?.pause()
    }
  }

  func resume() {
    state.withLock { state in
      state.isPaused = false
      state.transfer?.resume()
    }
  }

  func setPriority(_ priority: WorkPriority) {
    state.withLock { state in
      state.priority = priority
      state.transfer?.setPriority(priority)
    }
  }
}
