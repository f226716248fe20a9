import Foundation
import Nuke

#if AsyncHTTPClient
  import NukeAsyncHTTPClient
#endif

/// What the loaders under stress stand on.
enum Transport: String, CaseIterable {
  case libcurl
  /// The same, with an HTTP cache on disk in which much is stored, found and thrown away meanwhile.
  case cache
  #if AsyncHTTPClient
    case asyncHTTPClient = "async-http-client"
  #endif

  /// Runs `body` with what makes loaders; a cache's folder is gone afterwards.
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
