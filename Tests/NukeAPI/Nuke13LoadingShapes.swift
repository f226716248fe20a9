import Foundation
import Nuke
import NukeUI

/// What can be canceled may be a value.
private struct Token: Cancellable {
  func cancel() {}
}

/// Types of networking come with Nuke.
private final class StubProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() { client?.urlProtocolDidFinishLoading(self) }
  override func stopLoading() {}
}

func makeLoadersOfSessions() -> any Cancellable {
  let session = URLSessionConfiguration.default
  session.urlCache = URLCache(memoryCapacity: 0, diskCapacity: 150 * 1024 * 1024, diskPath: "images")
  session.protocolClasses = [StubProtocol.self]
  let loader = DataLoader(configuration: session)
  loader.prefersIncrementalDelivery = true
  _ = DataLoader(configuration: .default)
  _ = DataLoader(configuration: session, validate: DataLoader.validate)
  _ = DataLoader(configuration: session, validate: { _ in nil })
  _ = ImagePipeline { $0.dataLoader = DataLoader(configuration: session) }
  return Token()
}

func changeTheDefaultConfiguration() {
  var configuration = DataLoader.defaultConfiguration
  configuration.urlCache = nil
  configuration.urlCache = DataLoader.sharedUrlCache
  configuration.timeoutIntervalForRequest = 30
  configuration.timeoutIntervalForResource = 60
  configuration.httpAdditionalHeaders = ["Accept": "image/*"]
  configuration.httpMaximumConnectionsPerHost = 4
  configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
  _ = DataLoader(configuration: configuration)
}

func changeTheDefaultConfigurationInAConstant() {
  let configuration = DataLoader.defaultConfiguration
  configuration.timeoutIntervalForRequest = 10
  configuration.timeoutIntervalForResource = 60
  configuration.httpAdditionalHeaders = ["Accept": "image/*"]
  configuration.httpMaximumConnectionsPerHost = 4
  configuration.waitsForConnectivity = true
  configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
  ImagePipeline.shared = ImagePipeline {
    $0.dataLoader = DataLoader(
      configuration: {
        let configuration = DataLoader.defaultConfiguration
        configuration.urlCache = nil
        return configuration
      }())
  }
}

func handleLoadingError(_ error: ImagePipeline.Error) {
  guard !error.isCancelled else { return }
  print(error.localizedDescription)
  if let error = error.dataLoadingError as? URLError, error.code == .notConnectedToInternet { print(error) }
  guard let error = error.dataLoadingError as? DataLoader.Error else { return }
  switch error {
  case .statusCodeUnacceptable(let status): print(status)
  }
}

@MainActor func loadFromStoredClosures(_ escaping: @escaping () async throws -> ImageResponse) {
  let image = FetchImage()
  let load: @Sendable () async throws -> ImageResponse = { throw URLError(.badURL) }
  let loadOnMain: @MainActor () async throws -> ImageResponse = { throw URLError(.badURL) }
  image.load(load)
  image.load(loadOnMain)
  image.load(escaping)
  image.load { try await ImagePipeline.shared.imageTask(with: URL(string: "https://example.com")!).response }
}
