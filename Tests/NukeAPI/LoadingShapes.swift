import Foundation
import Nuke

final class OwnLoader: DataLoading {
  private final class Nothing: Cancellable {
    func cancel() {}
  }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    completion(DataLoader.Error.statusCodeUnacceptable(500))
    return Nothing()
  }
}

func makeLoaders() {
  _ = DataLoader()
  _ = DataLoader(configuration: DataLoader.defaultConfiguration)
  _ = DataLoader(configuration: DataLoader.defaultConfiguration, validate: DataLoader.validate(response:))
  _ = DataLoader { response in response.mimeType == "image/png" ? nil : DataLoader.Error.statusCodeUnacceptable(415) }
}

@MainActor final class ListController {
  let prefetcher = ImagePrefetcher()
  let toDisk = ImagePrefetcher(
    pipeline: ImagePipeline.shared, destination: .diskCache, maxConcurrentRequestCount: 3)

  func prefetch(urls: [URL], requests: [ImageRequest]) {
    prefetcher.priority = .veryLow
    prefetcher.isPaused = false
    prefetcher.didComplete = { print("all there") }
    prefetcher.startPrefetching(with: urls)
    prefetcher.startPrefetching(with: requests)
    prefetcher.stopPrefetching(with: urls)
    prefetcher.stopPrefetching(with: requests)
    toDisk.stopPrefetching()
  }
}
