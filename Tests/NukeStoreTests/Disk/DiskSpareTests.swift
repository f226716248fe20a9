import Foundation
import Nuke
import Testing

@Suite("Spare files") struct DiskSpareTests {
  let folder = DiskFolder()
  let files = FaultyFileSystem()
  /// Enough for spares.
  static let limit = 8 << 20

  func makeStore(limit: Int = limit, _ change: (inout DiskStore.Options) -> Void = { _ in }) throws -> DiskStore {
    try folder.store(limit: limit, files: files, change)
  }

  func url(_ key: String, in store: DiskStore) throws -> URL {
    folder.url.appendingPathComponent(try #require(store.relativePath(for: key)))
  }

  func put(_ text: String, _ key: String, attributes: [UInt8] = [], in store: DiskStore) {
    store.store(Data(text.utf8), DiskMetadata(kind: "data", key: key, attributes: attributes))
  }

  @Test("Storing a key repeatedly reuses a file, and creates and removes none")
  func reuses() throws {
    let store = try makeStore()
    for text in ["1", "2"] { put(text, "a", in: store) }
    let before = (files.created, files.removed)
    for number in 0..<100 {
      // Longer and shorter ones.
      let data = Data(repeating: UInt8(number), count: number * 37 % 5000)
      store.store(data, DiskMetadata(kind: "data", key: "a", attributes: Array(repeating: 7, count: number % 50)))
      #expect(store.data(for: "a") == data && store.metadata(for: "a")?.attributes.count == number % 50)
    }
    #expect(files.created == before.0 && files.removed == before.1)
    #expect(store.setAttributes([1, 2], for: "a") && files.created == before.0)
    #expect(store.totals.allocated == folder.entriesAllocated && folder.entryFiles.count == 2)
    #expect(try folder.store(limit: Self.limit).metadata(for: "a")?.attributes == [1, 2])
  }

  @Test("A full store writes new entries to the files of evicted ones, and creates and removes none")
  func reusesEvicted() throws {
    let store = try makeStore()
    store.sizeLimit = 64 * (64 << 10)
    for number in 0..<80 { store.put(Data(repeating: UInt8(number), count: 60_000), "\(number)") }
    let before = (files.created, files.removed)
    for number in 80..<200 {
      // Longer and shorter ones, of the same number of blocks.
      let data = Data(repeating: UInt8(number), count: 58_000 + number * 89 % 3000)
      store.put(data, "\(number)")
      #expect(store.data(for: "\(number)") == data)
      #expect(folder.allocated <= store.sizeLimit)
    }
    #expect(files.created == before.0 && files.removed == before.1)
    #expect(store.totals.allocated == folder.entriesAllocated)
    let later = try folder.store(limit: store.sizeLimit)
    #expect(later.totals == store.totals && later.data(for: "199") == store.data(for: "199"))
  }

  @Test("The file of an evicted entry that a program has open is not reused")
  func sparesReadersOfEvicted() throws {
    let store = try makeStore()
    store.sizeLimit = 64 * (64 << 10)
    store.put(Data(repeating: 1, count: 50_000), "open")
    let handle = try FileHandle(forReadingFrom: url("open", in: store))
    for number in 0..<200 { store.put(Data(repeating: 2, count: 50_000), "\(number)") }
    #expect(!store.contains("open"))
    #expect(try handle.readToEnd() == Data(repeating: 1, count: 50_000))
  }

  @Test("Files that a program has open, mapped or linked are not reused")
  func sparesReaders() throws {
    let store = try makeStore()
    let old = String(repeating: "old", count: 2000)
    for key in ["open", "mapped", "linked"] { put(old, key, in: store) }
    let handle = try FileHandle(forReadingFrom: url("open", in: store))
    let mapped = try Data(contentsOf: url("mapped", in: store), options: .alwaysMapped)
    let other = folder.url.appendingPathComponent("other")
    try FileManager.default.linkItem(at: url("linked", in: store), to: other)
    for key in ["open", "mapped", "linked"] {
      for text in ["1", "2", "3"] { put(text, key, in: store) }
      #expect(store.data(for: key) == Data("3".utf8))
    }
    #expect(try handle.readToEnd() == Data(old.utf8))
    #expect(mapped == Data(old.utf8))
    #expect(try Data(contentsOf: other) == Data(old.utf8))
  }

  /// Metadata has no such protection: it is looked at whose it is.
  @Test("A reader does not mistake a reused file for the metadata that it has opened")
  func tellsMetadataApart() throws {
    let store = try makeStore()
    for key in ["a", "b"] { put("1", key, in: store) }
    let path = try #require(store.relativePath(for: "a")).replacing("/", with: "/.")
    let openings = CallCounter()
    files.afterOpening { opened in
      guard opened == path, openings.next() == 1 else { return }
      put("2", "a", attributes: [2], in: store)
      // Its metadata is in the file that was a's.
      put("2", "b", attributes: [2], in: store)
    }
    #expect(store.metadata(for: "a")?.attributes == [2])
    #expect(openings.count > 0)
    #expect(store.data(for: "a") == Data("2".utf8) && store.data(for: "b") == Data("2".utf8))
  }

  /// Where the system does not tell who has a file open, the time of the file's last change does.
  @Test("A reader does not mistake a reused file for the body that it has opened, even if it was verified")
  func tellsBodiesApart() throws {
    // Late enough for the times of changes to differ.
    let store = try makeStore { $0.now = { Int64(Date().timeIntervalSince1970 * 1e9) + 1_000_000_000 } }
    for key in ["a", "b"] { put("1", key, in: store) }
    let opened = Lock<[String]>([])
    files.afterOpening { path in opened.withLock { $0.append(path) } }
    for _ in 0..<2 { #expect(store.data(for: "a") == Data("1".utf8)) }
    #expect(opened.withLock { $0.count } == 3, "Body and metadata, then the body alone")
    files.fault = .unwatched
    let path = try #require(store.relativePath(for: "a"))
    let openings = CallCounter()
    files.afterOpening { opened in
      guard opened == path, openings.next() == 1 else { return }
      put("2", "a", in: store)
      put("3", "b", in: store)
    }
    #expect(store.data(for: "a") == Data("2".utf8))
    #expect(openings.count > 0)
  }

  @Test("Bodies are verified at each read while another change could have the same timestamp")
  func verifiesRecentChanges() throws {
    // The clock says that the file was changed just now.
    let store = try makeStore { $0.now = { 0 } }
    put("1", "a", in: store)
    let opened = Lock<[String]>([])
    files.afterOpening { path in opened.withLock { $0.append(path) } }
    for _ in 0..<2 { #expect(store.data(for: "a") == Data("1".utf8)) }
    #expect(opened.withLock { $0.count } > 3)
  }

  @Test("Spare files are removed when the limit is lowered, and if another store has a lower one")
  func holdsLoweredLimit() throws {
    let store = try makeStore()
    for text in ["1", "2"] { put(String(repeating: text, count: 60_000), "a", in: store) }
    #expect(folder.files.count == 4)
    store.sizeLimit = 20 * 4096
    store.sweep()
    #expect(folder.files.count == 2 && store.contains("a"))
    store.sizeLimit = Self.limit
    for text in ["1", "2"] { put(String(repeating: text, count: 60_000), "a", in: store) }
    #expect(folder.files.count == 4)
    let small = try folder.store(limit: 20 * 4096)
    put("1", "b", in: small)
    #expect(folder.files.count == 4 && folder.entryFiles.count == 4)
    #expect(folder.allocated <= 20 * 4096)
  }

  @Test("Spare files are removed together with the entries they belonged to")
  func areRemoved() throws {
    let store = try makeStore()
    for text in ["1", "2"] { put(text, "a", in: store) }
    store.remove("a")
    #expect(folder.files.isEmpty)
    for text in ["1", "2"] { put(text, "a", in: store) }
    store.removeAll()
    #expect(folder.files.isEmpty)
  }

  @Test("Spare files are not kept if names cannot be exchanged, or if they are large")
  func withoutSpares() throws {
    let store = try makeStore()
    for _ in 0..<2 { store.put(Data(count: 1 << 20), "large") }
    #expect(folder.files.filter { !$0.contains("/") } == ["staged-metadata"])
    store.removeAll()
    files.fault = .withoutExchange
    for text in ["1", "2", "3"] { put(text, "a", in: store) }
    #expect(store.data(for: "a") == Data("3".utf8) && folder.files.count == 2)
  }

  /// Its bytes are those of each version, so that only the attributes tell them apart.
  @Test("Spare files never become entries, wherever a later writer dies")
  func staysReplaced() throws {
    var step = 1
    while true {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      do {
        let store = try folder.store(limit: 5 << 20, files: files)
        // With a block of metadata, each of these takes a quarter of the lower limit.
        for number in 0..<4 { store.put(Data(count: 1_044_000), "\(number)") }
        store.put(Data(count: 4096), "b")
        for version in 1...2 { put("", "a", attributes: [UInt8(version)], in: store) }
        for key in ["0", "1", "2", "3", "b"] { #expect(store.data(for: key) != nil) }
        // "a" is evicted first, then a large one. The spare has the first version of "a".
        store.sizeLimit = 4 << 20
        store.sweep()
        #expect(!store.contains("a") && folder.files.contains("staged-metadata"))
        files.fault = .death(step: step)
        put("", "a", attributes: [3], in: store)
        if files.steps < step { break }
      }
      let later = try folder.store(limit: 4 << 20)
      later.prepare()
      #expect(later.metadata(for: "a").map { $0.attributes == [3] } ?? true, "step \(step)")
      step += 1
    }
    #expect(step > 3)
  }

  @Test("An unrelated file at the path of an entry is replaced")
  func replacesStrays() throws {
    let store = try makeStore()
    put("1", "a", in: store)
    store.remove("a")
    let body = try url("a", in: store)
    try Data("x".utf8).write(to: body)
    try Data("y".utf8).write(to: body.deletingLastPathComponent().appendingPathComponent("." + body.lastPathComponent))
    put("2", "a", in: store)
    #expect(store.data(for: "a") == Data("2".utf8) && store.totals.allocated == folder.allocated)
  }
}
