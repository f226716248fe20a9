import Foundation
import Nuke
import NukeTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct DataCacheTests {
  let folder = DiskFolder()

  func makeCache() throws -> DataCache { try DataCache(path: folder.url) }

  @Test("Data is stored, found, read and removed, before and after it is written")
  func storesAndRemoves() throws {
    let cache = try makeCache()
    for isWritten in [false, true] {
      #expect(cache.cachedData(for: "k") == nil && !cache.containsData(for: "k"))
      cache.storeData(Data("1".utf8), for: "k")
      if isWritten { cache.flush() }
      #expect(cache.cachedData(for: "k") == Data("1".utf8) && cache.containsData(for: "k"))
      cache.storeData(Data("2".utf8), for: "k")
      if isWritten { cache.flush() }
      #expect(cache.cachedData(for: "k") == Data("2".utf8))
      cache.removeData(for: "k")
      if isWritten { cache.flush() }
    }
    cache["k"] = Data("3".utf8)
    #expect(cache["k"] == Data("3".utf8))
    cache["k"] = nil
    #expect(cache["k"] == nil)
    cache["k"] = Data("4".utf8)
    cache["l"] = Data("4".utf8)
    cache.flush()
    cache.removeAll()
    #expect(cache["k"] == nil && !cache.containsData(for: "l"))
    cache["k"] = Data("5".utf8)
    cache.flush()
    #expect(cache["k"] == Data("5".utf8) && cache["l"] == nil)
    #expect(cache.totalCount == 1)
  }

  @Test("Pending data can be read, and is written eventually")
  func readsStaged() throws {
    let cache = try makeCache()
    cache["old"] = Data("1".utf8)
    cache.flush()
    cache.queue.suspend()
    cache["k"] = Data("1".utf8)
    cache["old"] = nil
    #expect(cache["k"] == Data("1".utf8) && cache.containsData(for: "k") && cache["old"] == nil)
    #expect(cache.totalCount == 1)
    cache.removeAll()
    #expect(cache["k"] == nil)
    cache["l"] = Data("2".utf8)
    #expect(cache["l"] == Data("2".utf8) && !cache.containsData(for: "old"))
    cache.queue.resume()
    cache.flush()
    #expect(cache["l"] == Data("2".utf8) && cache["k"] == nil && cache["old"] == nil)
    #expect(cache.totalCount == 1)
  }

  @Test("A released cache still writes its pending data")
  func writesAfterItsEnd() async throws {
    var cache: DataCache? = try makeCache()
    let queue = try #require(cache?.queue)
    queue.suspend()
    cache?["k"] = Data("1".utf8)
    cache = nil
    queue.resume()
    let later = try makeCache()
    try await waitUntil { later["k"] != nil }
    #expect(later["k"] == Data("1".utf8))
  }

  @Test("Stored data is written without a flush")
  func writesByItself() async throws {
    let cache = try makeCache()
    for round in 1...3 {
      cache["\(round)"] = Data("1".utf8)
      try await waitUntil { cache.totalCount >= round }
    }
    #expect(try makeCache()["3"] == Data("1".utf8))
  }

  @Test("An empty key is ignored")
  func ignoresEmptyKey() throws {
    let cache = try makeCache()
    for isFlushed in [false, true] {
      cache.storeData(Data("1".utf8), for: "")
      cache[""] = Data("2".utf8)
      if isFlushed { cache.flush() }
      #expect(cache.cachedData(for: "") == nil && cache[""] == nil && !cache.containsData(for: ""))
      cache.removeData(for: "")
      cache[""] = nil
    }
    cache.flush(for: "")
    cache.flush()
    #expect(cache.totalCount == 0 && folder.files.isEmpty)
    #expect(cache.url(for: "") == nil)
    let named = try DataCache(path: folder.url) { _ in "name" }
    named["k"] = Data("1".utf8)
    #expect(named.url(for: "") == nil && named.url(for: "k")?.lastPathComponent == "name")
    named[""] = nil
    named.flush()
    #expect(named["k"] == Data("1".utf8))
  }

  @Test("Flushing one key writes only that key")
  func flushesOneKey() throws {
    let cache = try makeCache()
    cache.flush()
    // Two stores on the queue before any writing can begin.
    cache.queue.sync {
      cache["a"] = Data("1".utf8)
      cache["b"] = Data("2".utf8)
      cache.flush(for: "a")
      #expect(cache.totalCount == 1)
    }
    cache.flush()
    #expect(cache.totalCount == 2)
    #expect(cache["a"] == Data("1".utf8) && cache["b"] == Data("2".utf8))
  }

  @Test("Data above the limit of pending writes is dropped, and so is the data it replaces")
  func boundsStaging() throws {
    let given = Lock<[String]>([])
    let cache = try folder.cache(
      stagingLimit: 10_000, warnings: Warnings { text in given.withLock { $0.append(text) } })
    cache["b"] = Data("old".utf8)
    cache.flush()
    cache.queue.suspend()
    cache["a"] = Data(count: 9000)
    cache["b"] = Data(count: 2000)
    cache["c"] = Data(count: 100)
    #expect(cache["a"] != nil && cache["b"] == nil && cache["c"] != nil)
    cache.queue.resume()
    cache.flush()
    #expect(cache["a"]?.count == 9000 && cache["b"] == nil && cache["c"]?.count == 100)
    cache["b"] = Data(count: 2000)
    #expect(cache["b"]?.count == 2000)
    cache.queue.suspend()
    for key in ["c", "d"] { cache[key] = Data(count: 9000) }
    cache.queue.resume()
    #expect(cache.droppedCount == 3 && given.withLock { $0 }.count == 1)
  }

  @Test("Data that waits for room is never dropped, whatever its size")
  func waitsForRoom() async throws {
    let cache = try folder.cache(stagingLimit: 10_000)
    for number in 0..<40 { try await cache.store(Data(repeating: UInt8(number), count: 3000), for: "\(number)") }
    try await cache.store(Data(count: 50_000), for: "large")
    try await cache.store(Data(count: 60_000), for: "large")
    #expect(cache["large"]?.count == 60_000)
    cache.flush()
    #expect(cache.totalCount == 41 && cache.droppedCount == 0)
    #expect((0..<40).allSatisfy { cache["\($0)"] == Data(repeating: UInt8($0), count: 3000) })
  }

  @Test("A canceled task does not wait for room, and changes nothing")
  func canceledWait() async throws {
    let cache = try folder.cache(stagingLimit: 10_000)
    cache.queue.suspend()
    cache["a"] = Data(count: 9000)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await cache.store(Data(count: 9000), for: "a2")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    cache.queue.resume()
    cache.flush()
    #expect(cache["a"] != nil && cache["a2"] == nil)
  }

  @Test("Storing one key repeatedly while writing is suspended needs the memory of one entry")
  func replacesStaged() throws {
    let cache = try makeCache()
    cache.queue.suspend()
    for number in 0..<1000 { cache["k"] = Data("\(number)".utf8) }
    cache["l"] = Data("1".utf8)
    cache.queue.resume()
    cache.flush()
    #expect(cache["k"] == Data("999".utf8) && cache["l"] == Data("1".utf8))
  }

  @Test("The file of a key contains exactly the data, under the SHA-1 of the key")
  func writesPlainFiles() throws {
    let cache = try makeCache()
    let data = Data((0...255).map { $0 })
    cache["http://test.com/image.jpeg"] = data
    cache.flush(for: "http://test.com/image.jpeg")
    let url = try #require(cache.url(for: "http://test.com/image.jpeg"))
    #expect(try Data(contentsOf: url) == data)
    #expect(url.lastPathComponent == cache.filename(for: "http://test.com/image.jpeg"))
    #expect(cache.path == folder.url)
    #expect(url.path.hasPrefix(folder.path))
  }

  @Test(
    "File names are SHA-1 in hexadecimal digits",
    arguments: [
      ("", nil), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
      (String(repeating: "a", count: 1000), "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    ])
  func namesFiles(_ key: String, _ name: String?) {
    #expect(DataCache.filename(for: key) == name)
  }

  @Test("A generator determines file names, or prevents storing")
  func usesGenerator() throws {
    let cache = try DataCache(path: folder.url) { $0 == "no" ? nil : "\($0).jpeg" }
    cache["k"] = Data("1".utf8)
    cache["no"] = Data("2".utf8)
    cache.flush()
    #expect(cache.url(for: "k")?.lastPathComponent == "k.jpeg")
    #expect(try cache.url(for: "k").map { try Data(contentsOf: $0) } == Data("1".utf8))
    #expect(cache.url(for: "no") == nil && cache.filename(for: "no") == nil && cache["no"] == nil)
  }

  @Test("Totals count the entries on disk")
  func countsTotals() throws {
    let cache = try makeCache()
    #expect(cache.totalCount == 0 && cache.totalSize == 0 && cache.totalAllocatedSize == 0)
    cache["a"] = Data(count: 100)
    cache["b"] = Data(count: 5000)
    cache.flush()
    #expect(cache.totalCount == 2 && cache.totalSize == 5100)
    // One block and two, with a block of metadata each.
    #expect(cache.totalAllocatedSize == 5 * 4096)
    #expect(cache.totalAllocatedSize == folder.allocated)
  }

  @Test("Lowering the limit takes effect with a sweep")
  func sweeps() throws {
    let cache = try makeCache()
    #expect(cache.sizeLimit == 150 * 1024 * 1024 && cache.isSweepEnabled && cache.sweepInterval == 30)
    for key in ["a", "b", "c"] {
      cache[key] = Data(count: 100)
      cache.flush()
    }
    cache.sizeLimit = 2 * 8192
    #expect(cache.totalCount == 3)
    cache.sweep()
    #expect(cache.totalCount == 2 && cache["a"] == nil && cache["c"] != nil)
    cache.sizeLimit = 0
    cache["d"] = Data(count: 1)
    cache.flush()
    #expect(cache["d"] == nil)
  }

  @Test("The cache sweeps by itself after a use, unless that is disabled", arguments: [true, false])
  func sweepsByItself(_ isEnabled: Bool) async throws {
    let files = FaultyFileSystem()
    var options = DiskStore.Options()
    options.files = files
    let cache = try DataCache(path: folder.url, options: options)
    cache.isSweepEnabled = isEnabled
    cache.sweepInterval = 0
    cache["a"] = Data(count: 1)
    cache["b"] = Data(count: 1)
    cache.flush()
    cache.sizeLimit = 8192
    _ = cache["b"]
    guard isEnabled else {
      cache.queue.sync {}
      #expect(cache.totalCount == 2)
      return
    }
    try await waitUntil { cache.totalCount != 2 }
    #expect(cache["b"] != nil)
  }

  @Test("A folder that cannot be created is an error with its name", arguments: ["/proc/nuke", "/dev/null/nuke"])
  func refusesFolder(_ path: String) {
    #expect {
      _ = try DataCache(path: URL(fileURLWithPath: path, isDirectory: true))
    } throws: { error in
      guard case .folderNotUsable(let named, _) = error as? DataCache.Error else { return false }
      return named.hasPrefix("/") && "\(error)".contains(named)
    }
  }

  @Test("A name that leads to another folder is rejected", arguments: ["", "/x", "..", "a/../../b"])
  func refusesName(_ name: String) {
    #expect(throws: DataCache.Error.invalidName(name)) { _ = try DataCache(name: name) }
  }

  @Test("Caches are in XDG_CACHE_HOME, in .cache in the home folder, or unavailable")
  func findsCacheFolder() {
    #expect(CacheFolder.path(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c")
    #expect(CacheFolder.path(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache")
    #expect(CacheFolder.path(environment: ["XDG_CACHE_HOME": "", "HOME": "/h"]) == "/h/.cache")
    #expect(CacheFolder.path(environment: ["HOME": ""]) == nil)
    #expect(CacheFolder.path(environment: [:]) == nil)
  }

  @Test(
    "Many threads use the same keys in two caches, and read only what was stored",
    arguments: [40 * 8192, 64 << 20])
  func survivesThreads(_ limit: Int) async throws {
    let caches = [try makeCache(), try makeCache()]
    for cache in caches { cache.sizeLimit = limit }
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(seed))
          for _ in 0..<500 {
            let key = Int.random(in: 0..<60, using: &random)
            let cache = caches[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<20, using: &random) {
            case 0: cache.removeAll()
            case 1...3: cache["\(key)"] = nil
            case 4: cache.flush(for: "\(key)")
            case 5: cache.sweep()
            case 6...11:
              cache["\(key)"] = Data(repeating: UInt8(key), count: 1 + Int.random(in: 0..<9000, using: &random))
            case 12: _ = cache.containsData(for: "\(key)")
            default:
              guard let data = cache["\(key)"] else { continue }
              #expect(!data.isEmpty && data.allSatisfy { $0 == UInt8(key) })
            }
          }
        }
      }
    }
    for cache in caches { cache.flush() }
    #expect(caches[0].totalAllocatedSize == folder.entriesAllocated)
    #expect(caches[0].totalCount == caches[1].totalCount)
    #expect(folder.allocated <= limit)
  }
}
