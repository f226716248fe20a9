import Foundation
import Nuke
import Testing

@Suite struct DiskStoreInspectionTests {
  private let folder = DiskFolder()

  @Test("An overview contains the totals and the times of the earliest and latest use")
  func overview() throws {
    let time = Lock<Int64>(1_000)
    let store = try folder.store { $0.now = { time.withLock { $0 } } }
    let empty = try #require(store.overview())
    #expect(empty.totals.count == 0 && empty.oldestUse == nil && empty.newestUse == nil)
    for (index, key) in ["a", "b", "c"].enumerated() {
      time.withLock { $0 = Int64(index + 1) * 1_000_000 }
      store.put(Data(repeating: 1, count: 5000), key)
    }
    let full = try #require(store.overview())
    #expect(full.totals.count == 3 && full.totals.length == 15_000 && full.totals.allocated == 3 * 12_288)
    #expect(full.oldestUse == 1_000_000 && full.newestUse == 3_000_000)
    time.withLock { $0 = 9_000_000 }
    _ = store.data(for: "a")
    let used = try #require(store.overview())
    #expect(used.totals == full.totals && used.oldestUse == 2_000_000 && used.newestUse == 9_000_000)
    // Others know of the use once it is written down.
    store.sweep()
    #expect(try folder.store().overview() == store.overview())
  }

  @Test("The totals that a sweep would leave are those that it leaves")
  func sweptTotals() throws {
    let store = try folder.store()
    for (key, count) in [("a", 5000), ("b", 1000), ("c", 3000)] { store.put(Data(repeating: 1, count: count), key) }
    _ = store.data(for: "a")
    // The entries have 12, 8 and 8 KiB on disk, with their metadata. The first one is b, then c.
    for (limit, count, length, kibibytes) in [
      (28, 3, 9000, 28), (27, 2, 8000, 20), (19, 1, 5000, 12), (11, 0, 0, 0), (-1, 0, 0, 0),
    ] {
      let totals = try #require(store.totals(sweptTo: limit * 1024))
      #expect(totals.before == store.totals && totals.before.count == 3)
      #expect(totals.after == .init(count: count, length: length, allocated: kibibytes * 1024))
    }
    store.sizeLimit = 19 * 1024
    let expected = try #require(store.totals(sweptTo: 19 * 1024)).after
    store.sweep()
    #expect(store.totals == expected)
  }

  @Test("The folder of a store is recognized, also while it is in use and when it is empty")
  func store() throws {
    #expect(DiskStore.site(at: folder.path) == .absent)
    let store = try folder.store()
    // Its journal is empty until the first change.
    #expect(DiskStore.site(at: folder.path) == .empty)
    store.put(Data("a".utf8), "a")
    #expect(DiskStore.site(at: folder.path) == .store)
    store.removeAll()
    #expect(DiskStore.site(at: folder.path) == .store)
  }

  @Test("Other folders, files, and unreadable folders are not stores, and are not changed")
  func others() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    #expect(DiskStore.site(at: folder.path) == .empty)
    let journal = folder.url.appendingPathComponent("journal")
    for text in ["", "NUKE", "NUKEDSK2 and more", "Dear diary"] {
      try Data(text.utf8).write(to: journal)
      #expect(DiskStore.site(at: folder.path) == (text.isEmpty ? .empty : .other), "\(text)")
    }
    #expect(DiskStore.site(at: journal.path) == .unusable(ENOTDIR))
    try FileManager.default.removeItem(at: journal)
    try Data().write(to: folder.url.appendingPathComponent("file"))
    #expect(DiskStore.site(at: folder.path) == .other)
    try Data().write(to: journal)
    #expect(DiskStore.site(at: folder.path) == .other)
    try FileManager.default.removeItem(at: journal)
    // A pipe would make the reader wait, a link would lead out of the folder.
    #expect(mkfifo(journal.path, 0o600) == 0)
    #expect(DiskStore.site(at: folder.path) == .other)
    try FileManager.default.removeItem(at: journal)
    try FileManager.default.createSymbolicLink(at: journal, withDestinationURL: URL(fileURLWithPath: "/dev/null"))
    #expect(DiskStore.site(at: folder.path) == .other)
    let files = FaultyFileSystem()
    files.fault = .death(step: 0)
    _ = files.remove("nothing", in: -1)
    #expect(DiskStore.site(at: folder.path, files: files) == .unusable(EIO))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "journal"])
  }
}
