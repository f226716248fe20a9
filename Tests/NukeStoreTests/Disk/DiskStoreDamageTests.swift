import Foundation
import Nuke
import NukeTesting
import Testing

@Suite struct DiskStoreDamageTests {
  let folder = DiskFolder()

  func change(_ path: String, _ body: (inout Data) -> Void) throws {
    let url = folder.url.appendingPathComponent(path)
    var data = try Data(contentsOf: url)
    body(&data)
    // In place: the file stays the same one.
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: data)
    try handle.close()
  }

  func metadataPath(_ key: String, in store: DiskStore) throws -> String {
    let path = try #require(store.relativePath(for: key))
    return "\(path.prefix(3)).\(path.dropFirst(3))"
  }

  @Test("Each of 10,000 flipped bits in unread entries is a miss, and the entry is removed")
  func missesFlippedBits() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      let store = try folder.store(limit: 64 << 20)
      for number in 0..<500 { store.put(Data(repeating: UInt8(number % 251), count: 1 + number), "\(number)") }
      for number in 0..<500 {
        let path =
          Bool.random(using: &random)
          ? try #require(store.relativePath(for: "\(number)")) : try metadataPath("\(number)", in: store)
        let file = open("\(folder.path)/\(path)", O_RDWR)
        var status = stat()
        fstat(file, &status)
        let offset = off_t.random(in: 0..<status.st_size, using: &random)
        var byte: UInt8 = 0
        pread(file, &byte, 1, offset)
        byte ^= 1 << UInt8.random(in: 0..<8, using: &random)
        pwrite(file, &byte, 1, offset)
        close(file)
      }
      let reader = try folder.store(limit: 64 << 20)
      let whole = (0..<500).filter { reader.data(for: "\($0)") != nil }
      #expect(whole.isEmpty)
      #expect(reader.totals.count == 0)
      #expect(folder.files.isEmpty)
    }
  }

  @Test("A body that changes after it was read is verified again")
  func verifiesChangedBody() throws {
    let store = try folder.store()
    store.put(Data(repeating: 1, count: 100), "a")
    #expect(store.data(for: "a") != nil)
    try change(try #require(store.relativePath(for: "a"))) { $0[50] = 2 }
    #expect(store.data(for: "a") == nil)
    #expect(!store.contains("a"))
  }

  @Test("A truncated, extended, empty or foreign body is a miss")
  func missesWrongBody() throws {
    let store = try folder.store()
    for key in ["a", "b", "c", "d", "e"] { store.put(Data(key.utf8) + Data(count: 5000), key) }
    #expect(store.data(for: "a") != nil)
    func path(_ key: String) throws -> String { try #require(store.relativePath(for: key)) }
    try change(path("a")) { $0.removeLast(1) }
    try change(path("b")) { $0.append(0) }
    try change(path("c")) { $0 = Data() }
    let other = try Data(contentsOf: folder.url.appendingPathComponent(path("e")))
    try change(path("d")) { $0 = other }
    for key in ["a", "b", "c", "d"] { #expect(store.data(for: key) == nil, "\(key)") }
    #expect(store.data(for: "e") != nil)
    #expect(store.totals.count == 1)
  }

  @Test("An entry without its body or its metadata is a miss, and the rest is removed")
  func missesHalves() throws {
    let store = try folder.store()
    for key in ["a", "b", "c"] { store.put(Data("1".utf8), key) }
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(#require(store.relativePath(for: "a"))))
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(metadataPath("b", in: store)))
    let other = try folder.store()
    for key in ["a", "b"] { #expect(store.data(for: key) == nil && other.data(for: key) == nil, "\(key)") }
    other.prepare()
    #expect(other.totals.count == 1 && folder.files.count == 2)
  }

  @Test("Truncated or random metadata is a miss")
  func missesWrongMetadata() throws {
    let store = try folder.store()
    store.put(Data("1".utf8), "a")
    let path = try metadataPath("a", in: store)
    let whole = try Data(contentsOf: folder.url.appendingPathComponent(path))
    var random = SeededGenerator(seed: 3)
    for length in 0..<whole.count {
      store.put(Data("1".utf8), "a")
      try change(path) {
        $0 =
          length % 2 == 0 ? whole.prefix(length) : Data((0..<length).map { _ in .random(in: 0...255, using: &random) })
      }
      #expect(store.data(for: "a") == nil)
    }
  }

  @Test("A pipe, link or folder at the path of a file is a miss, and reading does not block")
  func missesOtherKinds() throws {
    let store = try folder.store()
    for key in ["pipe", "link", "folder"] { store.put(Data("1".utf8), key) }
    func replace(_ key: String, _ body: (String) -> Void) throws {
      let path = "\(folder.path)/\(try #require(store.relativePath(for: key)))"
      try FileManager.default.removeItem(atPath: path)
      body(path)
    }
    try replace("pipe") { mkfifo($0, 0o600) }
    try replace("link") { symlink("/etc/hostname", $0) }
    try replace("folder") { mkdir($0, 0o700) }
    for key in ["pipe", "link", "folder"] { #expect(store.data(for: key) == nil, "\(key)") }
    store.put(Data("2".utf8), "pipe")
    #expect(store.data(for: "pipe") == Data("2".utf8))
  }

  @Test("A damaged journal is created again, and no entry is lost", arguments: [0, 1, 64, 4096, 9000])
  func survivesDamagedJournal(_ length: Int) throws {
    let store = try folder.store()
    for number in 0..<20 { store.put(Data("\(number)".utf8), "\(number)") }
    let before = store.totals
    try change("journal") { $0 = Data(repeating: 0xa5, count: length) }
    let later = try folder.store()
    store.put(Data("new".utf8), "new")
    for number in 0..<20 {
      #expect(store.data(for: "\(number)") == Data("\(number)".utf8))
      #expect(later.data(for: "\(number)") == Data("\(number)".utf8))
    }
    #expect(later.data(for: "new") == Data("new".utf8))
    #expect(later.totals.count == before.count + 1)
  }
}
