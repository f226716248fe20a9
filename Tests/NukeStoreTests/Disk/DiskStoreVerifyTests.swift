import Foundation
import Nuke
import Testing

@Suite struct DiskStoreVerifyTests {
  private let folder = DiskFolder()
  private let files = FaultyFileSystem()

  private func change(_ path: String, _ body: (inout Data) -> Void) throws {
    let url = folder.url.appendingPathComponent(path)
    var data = try Data(contentsOf: url)
    body(&data)
    try data.write(to: url)
  }

  @Test("Verification finds damaged entries and removes them")
  func verifies() throws {
    let store = try folder.store()
    for key in ["a", "b", "c"] { store.put(Data(repeating: 1, count: 100), key) }
    try change(try #require(store.relativePath(for: "b"))) { $0[0] = 2 }
    let result = try #require(try folder.store().verify())
    #expect(result.wholeCount == 2 && result.damagedCount == 1 && result.removedCount == 1)
    #expect(result.count == 3 && result.completedCount == 3 && result.completedLength == 300)
    #expect(!store.contains("b") && store.contains("a"))
  }

  @Test("Each kind of damage is reported with its key, and removed only on request")
  func kinds() throws {
    let store = try folder.store()
    for key in ["bytes", "length", "metadata", "body", "whole"] { store.put(Data(repeating: 1, count: 100), key) }
    func path(_ key: String) throws -> String { try #require(store.relativePath(for: key)) }
    try change(try path("bytes")) { $0[50] = 0 }
    try change(try path("length")) { $0.removeLast() }
    try change(try path("metadata").replacing("/", with: "/.")) { $0[20] ^= 1 }
    try FileManager.default.removeItem(atPath: folder.path + "/" + path("body"))
    var damage: [DiskStore.Damage] = []
    let result = try #require(store.verify(isRemoving: false) { if let found = $1 { damage.append(found) } })
    #expect(damage.map(\.path) == (try ["bytes", "length", "metadata", "body"].map(path)))
    #expect(damage.map(\.kind) == [.bytes, .length, .metadata, .body])
    #expect(damage.map(\.key) == ["bytes", "length", nil, "body"])
    #expect(damage.allSatisfy { !$0.isRemoved })
    #expect(result.wholeCount == 1 && result.damagedCount == 4 && result.removedCount == 0)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/" + (try path("bytes"))))
  }

  @Test("An entry that is replaced during verification is read again, and is intact")
  func replaced() throws {
    let store = try folder.store(files: files)
    store.put(Data("old".utf8), "a")
    let other = try folder.store()
    let body = try #require(store.relativePath(for: "a"))
    let openings = CallCounter()
    files.beforeOpening { path in
      // Its metadata has been read, its bytes have not.
      guard path == body, openings.next() == 1 else { return }
      other.put(Data("newer".utf8), "a")
    }
    let result = try #require(store.verify { #expect($1 == nil, "\($0)") })
    #expect(result.wholeCount == 1 && result.damagedCount == 0)
    #expect(openings.count > 0)
    #expect(store.data(for: "a") == Data("newer".utf8))
  }

  @Test("Entries that others remove are not counted, and those they store again are intact")
  func others() throws {
    let store = try folder.store()
    let other = try folder.store()
    for key in ["a", "b", "c"] { store.put(Data(repeating: 1, count: 10), key) }
    var counts: [Int] = []
    let result = store.verify { state, damage in
      #expect(damage == nil)
      counts.append(state.count)
      if counts.count == 1 {
        other.remove("b")
        other.put(Data(repeating: 2, count: 20), "c")
      }
    }
    #expect(counts == [3, 2, 2])
    #expect(result?.wholeCount == 2 && result?.damagedCount == 0)
  }

  @Test("An entry that cannot be read now is neither intact nor damaged, and stays")
  func unreadable() throws {
    let store = try folder.store(files: files)
    store.put(Data("a".utf8), "a")
    // Nothing is wrong with them: the process has too many files open.
    files.fault = .unopenable(code: EMFILE)
    let result = try #require(store.verify { #expect($1 == nil, "\($0)") })
    #expect(result.unreadableCount == 1 && result.completedCount == 1)
    files.fault = nil
    #expect(store.data(for: "a") == Data("a".utf8))
  }

  @Test("A store that cannot be locked is neither verified nor inspected")
  func locked() throws {
    let store = try folder.store(files: files)
    store.put(Data("a".utf8), "a")
    files.fault = .locked
    #expect(store.verify() == nil)
    #expect(store.overview() == nil)
  }

  @Test("Damaged files that cannot be removed are not reported as removed")
  func irremovable() throws {
    let store = try folder.store(files: files)
    store.put(Data(repeating: 1, count: 10), "a")
    try change(try #require(store.relativePath(for: "a"))) { $0[0] = 0 }
    // The first step says that a change begins.
    files.fault = .failures(step: 2, code: EROFS)
    let result = try #require(store.verify())
    #expect(result.damagedCount == 1 && result.removedCount == 0)
  }
}
