import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The folder of a cache that is not writable")
struct ReadOnlyFolderTests {
  private let folder = DiskFolder()
  private let files = FaultyFileSystem()
  /// The errors of a file that may not be written: without permission, immutable, and on a read-only file system.
  static let codes: [CInt] = [EACCES, EPERM, EROFS]

  /// A cache of a folder that has an entry and became read-only.
  private func cache(_ code: CInt, of key: String, _ data: Data) throws -> DataCache {
    try folder.store().put(data, key)
    files.fault = .unshareable(code: code)
    let cache = try folder.cache(files: files)
    // Counts the steps from here on.
    files.fault = .unshareable(code: code)
    return cache
  }

  @Test("Data in it is found, and nothing is written or removed", arguments: codes)
  func reading(_ code: CInt) throws {
    let cache = try cache(code, of: "a", Data("text".utf8))
    #expect(cache.cachedData(for: "a") == Data("text".utf8))
    #expect(cache.containsData(for: "a"))
    #expect(cache.cachedData(for: "b") == nil)
    #expect(!cache.containsData(for: "b"))
    cache.storeData(Data("new".utf8), for: "b")
    cache.removeData(for: "a")
    cache.flush()
    cache.sweep()
    cache.removeAll()
    cache.flush()
    #expect(cache.cachedData(for: "a") == Data("text".utf8))
    #expect(cache.cachedData(for: "b") == nil)
    if case .unavailable = cache.lease(for: "a") {} else { Issue.record("there is no file to lock") }
    #expect(files.steps == 0)
  }

  @Test("Damaged data in it is a miss, and stays")
  func damage() throws {
    let cache = try cache(EROFS, of: "a", Data("text".utf8))
    let file = try #require(cache.url(for: "a"))
    try Data("next".utf8).write(to: file)
    #expect(cache.cachedData(for: "a") == nil)
    #expect(try Data(contentsOf: file) == Data("next".utf8))
    #expect(files.steps == 0)
  }

  @Test("A pipeline shows the images in it, also offline", arguments: [false, true])
  func pipeline(isOffline: Bool) async throws {
    let url = imageURL("a.png")
    let cache = try cache(EACCES, of: url.absoluteString, SampleImage.png(width: 8, height: 4))
    let loader = FakeDataLoader()
    let pipeline = ImagePipeline.fake(loader: loader) {
      $0.dataCache = cache
      $0.isOffline = isOffline
    }
    let response = try await pipeline.imageTask(with: url).response
    #expect(response.cacheType == .disk)
    #expect(response.image.pixelWidth == 8)
    #expect(loader.requests.isEmpty)
  }

  @Test("An empty folder that is not writable is an error")
  func empty() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    files.fault = .unshareable(code: EROFS)
    #expect(throws: DataCache.Error.self) { try folder.cache(files: files) }
  }
}
