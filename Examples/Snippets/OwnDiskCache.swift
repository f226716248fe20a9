// A custom disk cache, and a delegate that adds a token to requests and does not store private images on disk.
import Foundation
import Nuke

/// Stores each entry in a file named by a hash of its key. A real cache would also limit its size.
final class FolderCache: DataCaching {
  private let folder: URL
  init(folder: URL) { self.folder = folder }

  private func file(_ key: String) -> URL {
    let name = key.utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) { $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return folder.appendingPathComponent(String(name, radix: 16))
  }

  func cachedData(for key: String) -> Data? { try? Data(contentsOf: file(key)) }
  func containsData(for key: String) -> Bool { FileManager.default.fileExists(atPath: file(key).path) }
  func storeData(_ data: Data, for key: String) { try? data.write(to: file(key), options: .atomic) }
  func removeData(for key: String) { try? FileManager.default.removeItem(at: file(key)) }
  func removeAll() {
    for file in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [] {
      try? FileManager.default.removeItem(at: file)
    }
  }
}

final class Account: ImagePipeline.Delegate {
  let token = "secret"

  func willLoadData(
    for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
  ) async throws -> URLRequest {
    var urlRequest = urlRequest
    urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return urlRequest
  }

  func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
    request.url?.path.hasPrefix("/private/") == true ? nil : pipeline.configuration.dataCache
  }
}

func ownDiskCache() async {
  let pipeline = ImagePipeline(delegate: Account()) {
    $0.dataCache = FolderCache(folder: FileManager.default.temporaryDirectory)
    $0.dataCachePolicy = .automatic
  }
  let task = pipeline.loadImage(with: ImageRequest(url: URL(string: "https://example.com/a.jpg")), on: nil) { result in
    print(result)
  }
  _ = try? await task.response
}
