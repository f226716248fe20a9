import Foundation
import Nuke

#if AsyncHTTPClient
  import NukeAsyncHTTPClient
#endif

/// The transport of the loaders under test.
enum Transport: String, CaseIterable {
  case libcurl
  /// The same, with an HTTP cache on disk that is small, so that many responses are stored, found and evicted.
  case cache
  #if AsyncHTTPClient
    case asyncHTTPClient = "async-http-client"
  #endif

  /// Runs `body` with a function that creates loaders, and removes the folder of the cache afterwards.
  func withLoaders<Value>(
    _ body: (_ make: (DataLoader.Configuration, RetryPolicy?) -> any StreamingDataLoading) async throws -> Value
  ) async throws -> Value {
    switch self {
    case .libcurl: return try await body { DataLoader(configuration: $0, retryPolicy: $1) }
    case .cache:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkStress-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let cache = try HTTPCache(path: folder, diskCapacity: 4 << 20)
      return try await body { configuration, policy in
        var configuration = configuration
        configuration.urlCache = cache
        return DataLoader(configuration: configuration, retryPolicy: policy)
      }
    #if AsyncHTTPClient
      case .asyncHTTPClient:
        return try await body { AsyncHTTPClientLoader(configuration: $0, retryPolicy: $1) }
    #endif
    }
  }
}
