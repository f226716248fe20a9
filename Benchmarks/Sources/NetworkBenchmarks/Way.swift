import Foundation
import Nuke

#if AsyncHTTPClient
  import AsyncHTTPClient
  import NIOCore
  import NukeAsyncHTTPClient
#endif

/// The ways of downloading, by name.
enum Way {
  static let floor = "libcurl, bare"

  /// All ways except the floor, in the order of the table.
  static let names = [floor, "DataLoader", "pipeline, data", "pipeline, image"] + peers
  #if AsyncHTTPClient
    private static let peers = ["AsyncHTTPClient", "our loader on it"]
  #else
    private static let peers: [String] = []
  #endif

  /// Downloads nothing, to measure the memory of the process itself.
  static let nothing = "nothing"
  /// Bodies are written to the disk while they arrive.
  static let caching = "DataLoader, HTTP cache"

  static func named(_ name: String, concurrency: Int, folder: URL) throws -> (any Downloading)? {
    let configuration = configuration(concurrency: concurrency)
    switch name {
    case floor: return Floor(concurrency: concurrency)
    case "DataLoader": return LoaderDownloading(loader: DataLoader(configuration: configuration))
    case "pipeline, data":
      return PipelineDownloading(.data, DataLoader(configuration: configuration), concurrency: concurrency)
    case "pipeline, image":
      return PipelineDownloading(.image, DataLoader(configuration: configuration), concurrency: concurrency)
    case caching:
      return loader(
        concurrency: concurrency,
        cache: try HTTPCache(path: folder.appendingPathComponent("http"), diskCapacity: 1 << 30))
    #if AsyncHTTPClient
      case "AsyncHTTPClient": return ClientDownloading(concurrency: concurrency)
      case "our loader on it":
        return LoaderDownloading(loader: AsyncHTTPClientLoader(configuration: configuration))
    #endif
    default: return nil
    }
  }

  static func loader(concurrency: Int, cache: HTTPCache) -> any Downloading {
    var configuration = configuration(concurrency: concurrency)
    configuration.urlCache = cache
    return LoaderDownloading(loader: DataLoader(configuration: configuration))
  }

  private static func configuration(concurrency: Int) -> DataLoader.Configuration {
    var configuration = DataLoader.Configuration()
    configuration.maximumConnectionsPerHost = concurrency
    configuration.proxy = .none
    return configuration
  }
}

#if AsyncHTTPClient
  /// AsyncHTTPClient alone, with one task for each concurrent download.
  final class ClientDownloading: Downloading {
    private let client: HTTPClient

    init(concurrency: Int) {
      var configuration = HTTPClient.Configuration()
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = concurrency
      client = HTTPClient(configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    func run(_ work: Work) async -> Int {
      let next = Counter()
      return await withTaskGroup(of: Int.self) { group in
        for _ in 0..<work.concurrency {
          group.addTask { [client] in
            var bytes = 0
            while true {
              let number = next.take()
              guard number < work.count else { return bytes }
              let request = HTTPClientRequest(url: work.base + String(number))
              guard let response = try? await client.execute(request, timeout: .minutes(10)) else { continue }
              do {
                for try await part in response.body { bytes += part.readableBytes }
              } catch {
                continue
              }
            }
          }
        }
        return await group.reduce(0, +)
      }
    }
  }
#endif
