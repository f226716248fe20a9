import Foundation
import Nuke
import Testing

@Suite struct DiskStoreFailureTests {
  private let folder = DiskFolder()
  private let files = FaultyFileSystem()

  /// What a store with `a` = "old", `b` and `c` is made to do while a failure waits.
  static let works: [@Sendable (DiskStore) -> Void] = [
    { $0.put(Data("new".utf8), "a") },
    { $0.put(Data("new".utf8), "d") },
    { $0.remove("a") },
    { $0.removeAll() },
    { $0.setAttributes([1], for: "a") },
    // Above the limit together with the others, so that some go.
    { $0.put(Data(repeating: 5, count: 5 * 4096), "e") },
    { $0.apply([.store(Data("new".utf8), DiskMetadata(kind: "data", key: "a")), .remove("b")]) },
    { store in for _ in 0..<2 { store.put(Data("new".utf8), "a") } },
  ]
  /// Room for four entries, and for more than there are, so that files that were replaced are kept as spares.
  static let limits = [8 * 4096, 4 << 20]

  func fill(_ folder: DiskFolder, _ files: FaultyFileSystem, limit: Int = limits[0]) throws -> DiskStore {
    let store = try folder.store(limit: limit, files: files)
    for key in ["a", "b", "c"] {
      for text in ["older", "old"] { store.put(Data(text.utf8), key) }
    }
    #expect(store.data(for: "a") != nil)
    return store
  }

  /// What may be read under each key, whatever came between.
  func expectNothingWrong(_ store: DiskStore, _ context: String) {
    for key in ["a", "b", "c", "d"] {
      guard let data = store.data(for: key) else { continue }
      let isNew = data == Data("new".utf8) && (key == "a" || key == "d")
      #expect(isNew || (data == Data("old".utf8) && key != "d"), "\(key) \(context)")
    }
    if let data = store.data(for: "e") { #expect(data == Data(repeating: 5, count: 5 * 4096), "\(context)") }
  }

  @Test(
    "If a writer dies at any step, either the old or the new entry remains", arguments: works.indices,
    limits)
  func diesAtEveryStep(_ work: Int, _ limit: Int) throws {
    var step = 1
    while true {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      do {
        let store = try fill(folder, files, limit: limit)
        files.fault = .death(step: step)
        Self.works[work](store)
        if files.steps < step { break }
      }
      // One that reads before anyone has put things in order, one that puts them in order first.
      let reader = try folder.store(limit: limit)
      expectNothingWrong(reader, "step \(step)")
      let writer = try folder.store(limit: limit)
      writer.prepare()
      expectNothingWrong(writer, "step \(step)")
      expectNothingWrong(reader, "step \(step)")
      if work == 0 || work == 7 { #expect(writer.data(for: "a") != nil, "step \(step)") }
      if work == 1 || work == 4 { #expect(writer.data(for: "a") == Data("old".utf8), "step \(step)") }
      #expect(writer.totals.allocated == folder.entriesAllocated, "step \(step)")
      #expect(folder.allocated <= limit)
      #expect(folder.entryFiles.count == writer.totals.count * 2, "No leftovers, step \(step)")
      // It goes on as usual.
      writer.put(Data("new".utf8), "a")
      #expect(writer.data(for: "a") == Data("new".utf8) && reader.data(for: "a") == Data("new".utf8))
      step += 1
    }
    #expect(step > 3)
  }

  @Test(
    "A failing step causes a miss, and never wrong data", arguments: works.indices,
    [EIO, ENOSPC, EDQUOT, EFBIG, EROFS].flatMap { code in limits.map { (code, $0) } })
  func failsAtEveryStep(_ work: Int, _ failure: (code: CInt, limit: Int)) throws {
    let (code, limit) = failure
    var step = 1
    while true {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      let store = try fill(folder, files, limit: limit)
      files.fault = .failure(step: step, code: code)
      Self.works[work](store)
      if files.steps < step { break }
      files.fault = nil
      expectNothingWrong(store, "step \(step)")
      let other = try folder.store(limit: limit)
      expectNothingWrong(other, "step \(step)")
      other.prepare()
      expectNothingWrong(store, "step \(step)")
      expectNothingWrong(other, "step \(step)")
      #expect(other.totals.allocated == folder.entriesAllocated, "step \(step)")
      #expect(store.totals == other.totals, "step \(step)")
      store.put(Data("new".utf8), "a")
      #expect(store.data(for: "a") == Data("new".utf8) && other.data(for: "a") == Data("new".utf8))
      step += 1
    }
    #expect(step > 3)
  }

  @Test("A full disk causes misses", arguments: [ENOSPC, EIO, EROFS])
  func failsForGood(_ code: CInt) throws {
    let store = try fill(folder, files)
    files.fault = .failures(step: 1, code: code)
    for key in ["a", "d", "e"] { store.put(Data("new".utf8), key) }
    store.remove("b")
    store.removeAll()
    store.sweep()
    for key in ["d", "e"] { #expect(store.data(for: key) == nil) }
    files.fault = nil
    store.put(Data("new".utf8), "a")
    #expect(store.data(for: "a") == Data("new".utf8))
    #expect(store.totals.allocated == folder.allocated)
  }

  @Test("If the volume is full, the least recently used entries are evicted")
  func freesRoomWhenFull() throws {
    let store = try fill(folder, files)
    // The head, the file, its bytes.
    files.fault = .failure(step: 3, code: ENOSPC)
    store.put(Data("new".utf8), "d")
    #expect(store.data(for: "d") == Data("new".utf8))
    #expect(!store.contains("a"))
    #expect(store.totals.allocated == folder.allocated)
  }

  @Test("Partial writes are continued")
  func carriesShortWritesOn() throws {
    let store = try folder.store(files: files)
    files.fault = .shortWrites(7)
    store.put(Data(repeating: 3, count: 1000), "a")
    #expect(store.data(for: "a") == Data(repeating: 3, count: 1000))
  }

  @Test("A lock that another process never releases causes misses")
  func givesUpOnLock() throws {
    let store = try fill(folder, files)
    files.fault = .locked
    store.put(Data("new".utf8), "d")
    #expect(store.data(for: "d") == nil)
    #expect(store.data(for: "a") == Data("old".utf8))
    #expect(!store.removeAll())
  }

  @Test("A body that cannot be read is a miss")
  func missesUnreadable() throws {
    let store = try fill(folder, files)
    files.fault = .unreadable(code: EIO)
    #expect(store.data(for: "a") == nil && store.data(for: "b") == nil)
    files.fault = nil
    #expect(store.data(for: "c") == Data("old".utf8))
    store.put(Data("new".utf8), "a")
    #expect(store.data(for: "a") == Data("new".utf8))
  }
}
