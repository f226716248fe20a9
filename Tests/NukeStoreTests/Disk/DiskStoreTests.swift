import Foundation
import Nuke
import NukeTesting
import Testing

@Suite struct DiskStoreTests {
  let folder = DiskFolder()

  @Test("Stored data is read back, by this store and by one opened later")
  func storesAndReads() throws {
    let store = try folder.store()
    for length in [0, 1, 100, 4096, 70_000] {
      let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      store.put(data, "\(length)")
      #expect(store.data(for: "\(length)") == data)
      #expect(store.data(for: "\(length)") == data)
      #expect(store.contains("\(length)"))
    }
    #expect(store.data(for: "other") == nil)
    #expect(!store.contains("other"))
    let later = try folder.store()
    // Both before and after the folder was looked through.
    for _ in 0..<2 {
      #expect(later.data(for: "70000")?.count == 70_000)
      #expect(later.contains("0"))
      #expect(!later.contains("other"))
      #expect(later.data(for: "other") == nil)
      later.prepare()
    }
    #expect(later.totals == store.totals)
    #expect(later.totals.count == 5)
    #expect(later.totals.length == 74_197)
    #expect(later.totals.allocated == folder.allocated)
  }

  @Test("Metadata is stored unchanged, and its attributes can be changed without the body")
  func keepsMetadata() throws {
    let store = try folder.store()
    var metadata = DiskMetadata(kind: "http", key: "k", variantOf: "o", attributes: [1, 2, 3], created: 42)
    store.store(Data("body".utf8), metadata)
    let found = try #require(store.metadata(for: "k"))
    #expect(found.kind == "http" && found.variantOf == "o" && found.attributes == [1, 2, 3] && found.created == 42)
    #expect(found.length == 4)
    #expect(store.setAttributes(Array(repeating: 9, count: 5000), for: "k"))
    #expect(!store.setAttributes([], for: "other"))
    let entry = try #require(try folder.store().entry(for: "k"))
    #expect(entry.data == Data("body".utf8))
    #expect(entry.metadata.attributes.count == 5000)
    #expect(entry.metadata.variantOf == "o")
    #expect(store.totals.allocated == folder.allocated)
    metadata.attributes = Array(repeating: 0, count: 2 << 20)
    store.store(Data("new".utf8), metadata)
    #expect(store.data(for: "k") == nil, "Metadata that is too long is not stored, and the old data is not kept for it")
  }

  @Test("The body of metadata that was read before is returned while it is unchanged")
  func readsBodyOfMetadata() throws {
    let store = try folder.store()
    store.store(Data("old".utf8), DiskMetadata(kind: "http", key: "k"))
    let old = try #require(store.metadata(for: "k"))
    for _ in 0..<2 { #expect(store.body(of: old) == Data("old".utf8)) }
    #expect(store.setAttributes([1], for: "k"))
    #expect(store.body(of: old) == Data("old".utf8))
    #expect(try folder.store().body(of: old) == Data("old".utf8))
    store.store(Data("new".utf8), DiskMetadata(kind: "http", key: "k"))
    #expect(store.body(of: old) == nil)
    let new = try #require(store.metadata(for: "k"))
    #expect(store.body(of: new) == Data("new".utf8))
    let path = try #require(store.relativePath(for: "k"))
    try Data("bad".utf8).write(to: folder.url.appendingPathComponent(path))
    #expect(store.body(of: new) == nil)
    store.remove("k")
    #expect(store.body(of: new) == nil)
  }

  @Test("The least recently used entry is evicted first")
  func evictsLeastRecentlyUsed() throws {
    // Room for four entries of a block each with a block of metadata.
    let store = try folder.store(limit: 8 * 4096)
    for key in ["a", "b", "c", "d"] { store.put(Data(count: 10), key) }
    _ = store.data(for: "a")
    store.put(Data(count: 10), "e")
    #expect(["a", "b", "c", "d", "e"].map { store.contains($0) } == [true, false, true, true, true])
    store.put(Data(count: 3 * 4096), "f")
    #expect(["a", "c", "d", "e", "f"].map { store.contains($0) } == [true, false, false, true, true])
  }

  @Test("The order of use outlives the store after a sweep")
  func keepsOrderOfUse() throws {
    do {
      let store = try folder.store(limit: 8 * 4096)
      for key in ["a", "b", "c", "d"] { store.put(Data(count: 10), key) }
      for key in ["b", "a"] { _ = store.data(for: key) }
      store.sweep()
    }
    let store = try folder.store(limit: 8 * 4096)
    store.put(Data(count: 3 * 4096), "e")
    #expect(["a", "b", "c", "d", "e"].map { store.contains($0) } == [true, true, false, false, true])
  }

  @Test("An entry recently used by another process is not evicted first")
  func regardsOthersUse() throws {
    let store = try folder.store(limit: 8 * 4096)
    for key in ["a", "b", "c", "d"] { store.put(Data(count: 10), key) }
    let other = try folder.store(limit: 8 * 4096)
    other.prepare()
    _ = other.data(for: "a")
    other.sweep()
    store.put(Data(count: 10), "e")
    #expect(["a", "b", "c", "d", "e"].map { store.contains($0) } == [true, false, true, true, true])
  }

  /// The second limit has room for spares.
  @Test("Files never exceed the limit, at any step of any write", arguments: [40 * 4096, 4 << 20])
  func holdsLimitAtEveryStep(_ limit: Int) throws {
    let files = FaultyFileSystem()
    let store = try folder.store(limit: limit, files: files)
    let folder = folder
    files.afterEachStep {
      if folder.allocated > limit { Issue.record("\(folder.allocated) bytes") }
    }
    var random = SeededGenerator(seed: 1)
    for round in 0..<150 {
      let length = Int.random(in: 0...(Bool.random(using: &random) ? limit * 3 / 8 : 60_000), using: &random)
      store.put(Data(count: length), "\(Int.random(in: 0..<12, using: &random))")
      if round % 10 == 0 { #expect(store.totals.allocated == folder.entriesAllocated) }
    }
    store.put(Data(count: limit - 2 * 4096), "0")
    #expect(store.contains("0") && store.totals.count == 1, "One that fills the limit is stored, and no spare is kept")
    store.put(Data(count: limit + 4096), "1")
    #expect(!store.contains("1"), "An entry above the limit is not stored, and what it was to replace is gone")
    store.sizeLimit = 10 * 4096
    store.sweep()
    #expect(folder.allocated <= 10 * 4096)
  }

  @Test("Free space is reserved for others on the volume")
  func leavesReserve() throws {
    let files = FaultyFileSystem()
    let store = try folder.store(files: files) { $0.freeSpaceReserve = 100_000 }
    files.set(space: DiskSpace(available: 1 << 20, total: 1 << 30))
    store.put(Data(count: 10), "a")
    store.put(Data(count: 10), "b")
    files.set(space: DiskSpace(available: 100_000, total: 1 << 30))
    store.put(Data(count: 10), "c")
    #expect(["a", "b", "c"].map { store.contains($0) } == [false, true, true])
    files.set(space: DiskSpace(available: 0, total: 1 << 30))
    store.put(Data(count: 10), "d")
    #expect(store.totals.count == 0)
  }

  @Test("Two stores in one folder see each other's changes immediately")
  func sharesFolder() throws {
    let one = try folder.store(limit: 64 << 20)
    let two = try folder.store(limit: 64 << 20)
    one.prepare()
    two.prepare()
    one.put(Data("1".utf8), "a")
    #expect(two.data(for: "a") == Data("1".utf8))
    two.put(Data("2".utf8), "a")
    #expect(one.data(for: "a") == Data("2".utf8))
    // More than the journal's ring holds.
    for number in 0..<700 { one.put(Data("\(number)".utf8), "n\(number)") }
    #expect(two.contains("n0") && two.contains("n699") && !two.contains("n700"))
    two.removeAll()
    #expect(!one.contains("n5"))
    #expect(one.totals.count == 0 && one.totals.allocated == 0)
    #expect(folder.files.isEmpty)
  }

  @Test("Keys with the same generated name replace each other, and are never mixed up")
  func tellsKeysApart() throws {
    let store = try folder.store { $0.filename = { $0.hasPrefix("x") ? "same" : nil } }
    store.put(Data("1".utf8), "x1")
    #expect(store.contains("x1") && !store.contains("x2"))
    #expect(store.data(for: "x2") == nil)
    store.remove("x2")
    #expect(store.data(for: "x1") == Data("1".utf8))
    store.put(Data("2".utf8), "x2")
    #expect(store.data(for: "x1") == nil && store.data(for: "x2") == Data("2".utf8))
    #expect(!store.contains("x1"))
    store.put(Data("3".utf8), "y")
    #expect(!store.contains("y") && store.filename(for: "y") == nil)
    #expect(store.totals.count == 1)
  }

  @Test("An invalid file name stores nothing", arguments: ["", ".", "..", ".hidden", "a/b", "a\0b"])
  func refusesNames(_ name: String) throws {
    let store = try folder.store { $0.filename = { _ in name } }
    store.put(Data("1".utf8), "k")
    #expect(store.filename(for: "k") == nil)
    #expect(store.data(for: "k") == nil && folder.files.isEmpty)
  }

  @Test("A name of 254 bytes is stored, also for a store opened later; one of 255 is not")
  func keepsLongNames() throws {
    let store = try folder.store { $0.filename = { String(repeating: "ü", count: 127) + $0 } }
    store.put(Data("1".utf8), "")
    store.put(Data("2".utf8), "k")
    #expect(store.data(for: "") == Data("1".utf8))
    #expect(!store.contains("k"))
    let later = try folder.store { $0.filename = { String(repeating: "ü", count: 127) + $0 } }
    later.prepare()
    #expect(later.data(for: "") == Data("1".utf8))
  }

  @Test("A removed folder is created again by the next write")
  func survivesRemovalOfFolder() throws {
    let store = try folder.store()
    store.put(Data("1".utf8), "a")
    try FileManager.default.removeItem(at: folder.url)
    #expect(store.data(for: "a") == nil)
    store.put(Data("2".utf8), "a")
    #expect(store.data(for: "a") == Data("2".utf8))
    #expect(try folder.store().data(for: "a") == Data("2".utf8))
  }

  @Test("Folders and files are accessible only to their owner")
  func isPrivate() throws {
    let store = try folder.store()
    store.put(Data("1".utf8), "a")
    let shard = try #require(store.relativePath(for: "a")).prefix(2)
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(folder.path) == 0o700)
    #expect(try permissions("\(folder.path)/\(shard)") == 0o700)
    #expect(try folder.files.allSatisfy { try permissions("\(folder.path)/\($0)") == 0o600 })
  }

  /// A clock that shows ten milliseconds more each time it is read.
  private func hastyClock() -> @Sendable () -> UInt64 {
    let time = Lock<UInt64>(0)
    return {
      time.withLock { time in
        time += 10_000_000
        return time
      }
    }
  }

  @Test(
    "What changes many entries locks the store for a few of them at a time",
    arguments: ["evict", "remove all", "write times"])
  func slices(_ work: String) throws {
    let files = FaultyFileSystem()
    let store = try folder.store(files: files) { [clock = hastyClock()] in $0.clock = clock }
    for number in 0..<40 { store.put(Data("\(number)".utf8), "n\(number)") }
    for number in 0..<40 { #expect(store.data(for: "n\(number)") != nil) }
    let locks = Lock(0)
    files.afterLocking { _ in locks.withLock { $0 += 1 } }
    switch work {
    case "evict":
      store.sizeLimit = 8 * 4096
      store.put(Data("new".utf8), "new")
      #expect(store.totals.count == 4 && store.contains("new") && store.contains("n39"))
    case "remove all":
      store.removeAll()
      #expect(store.totals.count == 0 && store.totals.allocated == 0)
      #expect(folder.files.isEmpty)
    default: store.sweep()
    }
    #expect(locks.withLock { $0 } > 10)
  }
}
