import Foundation
import Nuke
import Testing

@Suite("Partial bodies on disk") struct DiskPartTests {
  let folder = DiskFolder()
  static let body = Data((0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  var body: Data { Self.body }

  /// What is read of the part of `key` in a store opened now.
  func read(_ key: String, in store: DiskStore) -> Data? {
    guard let part = store.openPart(key) else { return nil }
    return part.read(capacity: 0)?.data
  }

  @Test("Another store reads a partial body up to its last record, with its attributes")
  func survives() throws {
    do {
      let part = try #require(try folder.store().makePart("k", length: 60_000, attributes: [1, 2]))
      #expect(part.write(body.prefix(10_000), total: 60_000))
      #expect(part.write(body.prefix(30_000), total: 60_000))
      // It goes without a word, as with a process that is killed.
    }
    let store = try folder.store()
    do {
      let part = try #require(store.openPart("k"))
      #expect(part.attributes == [1, 2] && part.count == 30_000)
      #expect(part.read(capacity: 60_000)?.data == body.prefix(30_000))
      #expect(!part.begins(Data(body.reversed())) || part.count == 0)
      #expect(part.suspend(body.prefix(40_000)))
    }
    #expect(read("k", in: store) == body.prefix(40_000))
    #expect(store.openPart("other") == nil)
    #expect(folder.allocated == store.totals.allocated && folder.allocated < 60_000)
  }

  @Test("A partial body becomes an entry without being written again")
  func finishes() throws {
    let files = FaultyFileSystem()
    let store = try folder.store(files: files)
    let part = try #require(store.makePart("k", length: 60_000, attributes: []))
    #expect(part.write(body.prefix(59_999), total: 60_000))
    store.put(Data("old".utf8), "e")
    let before = files.written
    #expect(part.finish(body, as: DiskMetadata(kind: "data", key: "e", attributes: [3])))
    #expect(files.written - before < 2000)
    #expect(store.data(for: "e") == body && store.metadata(for: "e")?.attributes == [3])
    let later = try folder.store()
    #expect(later.data(for: "e") == body && later.openPart("k") == nil)
    #expect(folder.files.count == 2 && later.totals.allocated == folder.allocated)
    #expect(!part.write(body, total: 0) && !part.finish(body, as: DiskMetadata(kind: "data", key: "e")))
    #expect(later.data(for: "e") == body, "A part that is gone changes nothing")
  }

  @Test("A partial body is not found or counted as an entry, under any name")
  func isInvisible() throws {
    let store = try folder.store()
    let part = try #require(store.makePart("k", length: 60_000, attributes: []))
    #expect(part.write(body.prefix(30_000), total: 60_000))
    let name = try #require(folder.files.first { $0.hasSuffix(".part") && !$0.contains("/.") })
    let file = URL(fileURLWithPath: name).lastPathComponent
    let named = try folder.store { $0.filename = { _ in file } }
    for store in [store, named] {
      #expect(store.data(for: "k") == nil && !store.contains("k") && store.metadata(for: "k") == nil)
      #expect(store.totals.count == 0 && store.totals.length == 0 && store.totals.allocated == folder.allocated)
    }
    named.put(Data("1".utf8), "x")
    #expect(named.filename(for: "x") == nil && part.write(body, total: 60_000))
    let verification = try #require(store.verify())
    #expect(verification.count == 0 && verification.damagedCount == 0)
    store.removeAll()
    #expect(folder.files.isEmpty)
    #expect(!part.write(body + [1], total: 0), "What was removed stays away")
  }

  @Test("A partial body has one holder at a time")
  func isOwned() throws {
    let (one, two) = (try folder.store(), try folder.store())
    var part = one.makePart("k", length: 60_000, attributes: [])
    #expect(part?.write(body.prefix(20_000), total: 60_000) == true)
    for store in [one, two] {
      #expect(store.openPart("k") == nil)
      #expect(store.makePart("k", length: 60_000, attributes: []) == nil)
    }
    part = nil
    #expect(two.makePart("k", length: 1, attributes: []) == nil, "There is one")
    part = two.openPart("k")
    #expect(part?.begins(body) == true && one.openPart("k") == nil)
    part?.discard()
    #expect(one.makePart("k", length: 60_000, attributes: []) != nil)
  }

  /// Between its fork and its exec a new process has all files of the one that starts it, and their locks with them.
  @Test("A closed partial body is free, even while a child process still has its descriptor")
  func isFreeDuringFork() throws {
    let files = FaultyFileSystem()
    let store = try folder.store(files: files)
    let copies = Lock<[CInt]>([])
    defer { copies.withLock { $0 }.forEach { close($0) } }
    files.afterLocking { file in copies.withLock { $0.append(dup(file)) } }
    #expect(store.makePart("k", length: 100, attributes: [])?.suspend(body.prefix(50)) == true)
    #expect(store.openPart("k")?.begins(body) == true, "after it was suspended")
    #expect(store.openPart("k")?.suspend(body.prefix(80)) == true, "after nobody wanted it any more")
    // One that turns out to be another's.
    let metadata = try #require(folder.files.first { $0.contains("/.") })
    try Data("x".utf8).write(to: folder.url.appendingPathComponent(metadata))
    #expect(store.openPart("k") == nil && folder.files.isEmpty)
    #expect(store.makePart("k", length: 100, attributes: []) != nil)
  }

  @Test("The holder of a removed partial body does not affect its successor")
  func sparesSuccessor() throws {
    let store = try folder.store()
    let lost = try #require(store.makePart("k", length: 60_000, attributes: [1]))
    #expect(lost.write(body.prefix(20_000), total: 60_000))
    store.removeAll()
    let next = try #require(store.makePart("k", length: 60_000, attributes: [2]))
    #expect(next.write(body.prefix(10_000), total: 60_000))
    #expect(!lost.write(body.prefix(30_000), total: 60_000))
    lost.discard()
    #expect(!lost.finish(body, as: DiskMetadata(kind: "data", key: "e")) && !store.contains("e"))
    #expect(next.finish(body, as: DiskMetadata(kind: "data", key: "e")) && store.data(for: "e") == body)
  }

  @Test("A partial body does not continue with another body")
  func isOfOneBody() throws {
    let store = try folder.store()
    #expect(store.makePart("k", length: 100, attributes: [])?.suspend(body.prefix(100)) == true)
    let other = Data(body.reversed())
    for again in 0..<2 {
      let part = try #require(store.openPart("k"))
      #expect(!part.begins(other) && !part.begins(body.prefix(99)))
      if again == 0 {
        #expect(!part.write(other, total: 60_000))
      } else {
        #expect(!part.finish(other, as: DiskMetadata(kind: "data", key: "e")))
      }
    }
    #expect(store.openPart("k") == nil && !store.contains("e") && folder.files.isEmpty)
  }

  @Test("A partial body with wrong bytes is a miss and removed")
  func missesDamage() throws {
    let store = try folder.store()
    for (index, offset) in [0, 50, 99].enumerated() {
      let key = "\(index)"
      #expect(store.makePart(key, length: 100, attributes: [])?.suspend(body.prefix(100)) == true)
      let path = try #require(folder.files.first { $0.hasSuffix(".part") && !$0.contains("/.") })
      let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent(path))
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: [body[offset] ^ 0x10])
      try handle.close()
      let part = try #require(store.openPart(key))
      #expect(part.read(capacity: 0) == nil)
      part.discard()
      #expect(folder.files.isEmpty)
    }
    #expect(store.makePart("k", length: 100, attributes: [])?.suspend(body.prefix(100)) == true)
    let path = try #require(folder.files.first { $0.contains("/.") })
    try Data("x".utf8).write(to: folder.url.appendingPathComponent(path))
    #expect(store.openPart("k") == nil)
    #expect(folder.files.isEmpty)
  }

  @Test("Without enough space it is removed, and it never exceeds the limit")
  func holdsLimit() throws {
    let files = FaultyFileSystem()
    let store = try folder.store(limit: 20 * 4096, files: files)
    let folder = folder
    files.afterEachStep {
      if folder.allocated > 20 * 4096 { Issue.record("\(folder.allocated) bytes") }
    }
    #expect(store.makePart("huge", length: 20 * 4096, attributes: []) == nil)
    for number in 0..<5 { store.put(Data(count: 4096), "\(number)") }
    let part = try #require(store.makePart("k", length: 30_000, attributes: []))
    #expect(part.write(body.prefix(40_000), total: 60_000), "It grows when more is to come than was said")
    #expect(!store.contains("0") && store.contains("4"))
    #expect(part.write(body.prefix(50_000), total: 60_000))
    store.put(Data(count: 4096), "new")
    #expect(store.contains("new"))
    store.put(Data(count: 15 * 4096), "large")
    #expect(store.contains("large") && !part.write(body, total: 60_000), "What is newer goes before")
    #expect(store.totals.allocated == folder.allocated)
  }

  @Test("A length that no disk has is refused")
  func refusesLength() throws {
    let store = try folder.store()
    store.put(Data("1".utf8), "e")
    for length in [Int.max, .max - 4095, 1 << 53] {
      #expect(store.makePart("k", length: length, attributes: []) == nil)
      let part = try #require(store.makePart("k", length: 10, attributes: []))
      #expect(!part.write(body.prefix(20), total: length))
      part.discard()
    }
    #expect(store.contains("e") && store.totals.allocated == folder.allocated)
  }

  @Test("A stated length evicts nothing before the bytes arrive")
  func reservesGradually() throws {
    let limit = 8 << 20
    let store = try folder.store(limit: limit)
    for number in 0..<10 { store.put(body, "\(number)") }
    // As much as the limit allows beside the metadata.
    let part = try #require(store.makePart("k", length: limit - 8192, attributes: []))
    #expect(Data([1]).withUnsafeBytes { part.append($0, total: limit - 8192) })
    #expect(store.totals.count == 10 && store.totals.allocated == folder.entriesAllocated)
    part.discard()
    #expect((0..<10).allSatisfy { store.data(for: "\($0)") == body })
    #expect(store.makePart("k", length: limit + 1, attributes: []) == nil)
  }

  @Test("A part grows to a body above what was reserved at first", arguments: [3_000_000, 6_500_000], [true, false])
  func grows(count: Int, isInMemory: Bool) throws {
    let store = try folder.store(limit: 8 << 20)
    let long = noise(count)
    let part = try #require(store.makePart("k", length: count, attributes: []))
    for end in stride(from: 500_000, through: count, by: 500_000) {
      if isInMemory {
        #expect(part.write(long.prefix(end), total: count))
      } else {
        #expect(long[(end - 500_000)..<end].withUnsafeBytes { part.append($0, total: count) })
      }
      #expect(store.totals.allocated == folder.entriesAllocated)
    }
    let metadata = DiskMetadata(kind: "data", key: "e")
    #expect(isInMemory ? part.finish(long, as: metadata) : part.finish(as: metadata))
    #expect(store.data(for: "e") == long && store.totals.allocated == folder.entriesAllocated)
  }

  @Test("At most sixteen partial bodies are open")
  func boundsFiles() throws {
    let store = try folder.store()
    var parts = (0..<16).map { store.makePart("\($0)", length: 10, attributes: []) }
    #expect(parts.allSatisfy { $0 != nil })
    #expect(store.makePart("more", length: 10, attributes: []) == nil)
    parts[3] = nil
    #expect(store.openPart("more") != nil)
  }

  // MARK: Deaths and failures

  /// What is made of a store with the part `p`, of which 30,000 bytes are there, and the entry `e` = "old".
  static let works: [@Sendable (DiskStore) -> Void] = [
    { _ = $0.makePart("q", length: 20_000, attributes: [])?.write(body.prefix(20_000), total: 20_000) },
    { store in
      guard let part = store.openPart("p") else { return }
      _ = part.write(body.prefix(40_000), total: 60_000)
      _ = part.write(body.prefix(50_000), total: 60_000)
    },
    { _ = $0.openPart("p")?.suspend(body.prefix(50_000)) },
    { _ = $0.openPart("p")?.finish(body, as: DiskMetadata(kind: "data", key: "e")) },
    { _ = $0.openPart("p")?.finish(body, as: DiskMetadata(kind: "data", key: "new")) },
    { $0.openPart("p")?.discard() },
  ]

  func fill(_ folder: DiskFolder, _ files: FaultyFileSystem) throws -> DiskStore {
    let store = try folder.store(files: files)
    store.put(Data("old".utf8), "e")
    #expect(store.makePart("p", length: 60_000, attributes: [7])?.suspend(body.prefix(30_000)) == true)
    return store
  }

  /// What may be found, whatever came between.
  func expectNothingWrong(_ store: DiskStore, _ context: String) {
    for key in ["e", "new"] {
      guard let data = store.data(for: key) else { continue }
      #expect(data == body || (key == "e" && data == Data("old".utf8)), "\(key) \(context)")
    }
    for key in ["p", "q"] {
      guard let part = store.openPart(key), let data = part.read(capacity: 0)?.data else { continue }
      #expect(data == body.prefix(data.count), "\(key) \(context)")
      #expect(part.attributes == (key == "p" ? [7] : []))
    }
  }

  func expectTidy(_ store: DiskStore, _ folder: DiskFolder, _ context: String) {
    #expect(store.totals.allocated == folder.allocated, "\(context)")
    let bodies = folder.files.filter { !$0.contains("/.") }
    #expect(folder.files.count == 2 * bodies.count, "No leftovers, \(context)")
    #expect(bodies.filter { !$0.hasSuffix(".part") }.count == store.totals.count, "\(context)")
  }

  @Test("If the writer dies at any step, the last or the next state remains", arguments: works.indices)
  func diesAtEveryStep(_ work: Int) throws {
    var step = 1
    while true {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      do {
        let store = try fill(folder, files)
        files.fault = .death(step: step)
        Self.works[work](store)
        if files.steps < step { break }
      }
      let context = "step \(step)"
      let reader = try folder.store()
      expectNothingWrong(reader, context)
      let writer = try folder.store()
      writer.prepare()
      expectNothingWrong(writer, context)
      expectTidy(writer, folder, context)
      if work < 3 {
        #expect(read("p", in: writer)?.count ?? 0 >= 30_000, "\(context)")
        #expect(writer.data(for: "e") == Data("old".utf8), "\(context)")
      } else if work < 5 {
        // The bytes are in one of the two places.
        let entry = writer.data(for: work == 3 ? "e" : "new")
        #expect(entry == body || read("p", in: writer)?.count ?? 0 >= 30_000, "\(context)")
        #expect(work != 3 || entry != nil, "\(context)")
      }
      // It goes on as usual.
      if let part = writer.openPart("p") ?? writer.makePart("p", length: 60_000, attributes: [7]) {
        #expect(part.finish(body, as: DiskMetadata(kind: "data", key: "e")), "\(context)")
      }
      #expect(writer.data(for: "e") == body && reader.data(for: "e") == body)
      step += 1
    }
    #expect(step > 3)
  }

  @Test(
    "If any step fails, at most the partial body is lost, and all entries stay correct", arguments: works.indices,
    [EIO, ENOSPC, EROFS])
  func failsAtEveryStep(_ work: Int, _ code: CInt) throws {
    var step = 1
    while true {
      let folder = DiskFolder()
      let files = FaultyFileSystem()
      let store = try fill(folder, files)
      files.fault = .failure(step: step, code: code)
      Self.works[work](store)
      if files.steps < step { break }
      files.fault = nil
      let context = "step \(step)"
      expectNothingWrong(store, context)
      let other = try folder.store()
      expectNothingWrong(other, context)
      other.prepare()
      expectTidy(other, folder, context)
      #expect(store.totals == other.totals, "\(context)")
      if work < 3 { #expect(store.data(for: "e") == Data("old".utf8), "\(context)") }
      store.put(body, "e")
      #expect(store.data(for: "e") == body && other.data(for: "e") == body)
      step += 1
    }
    #expect(step > 3)
  }
}
