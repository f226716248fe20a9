import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Leases of a disk store", .timeLimit(.minutes(1)))
struct DiskLeaseTests {
  private let folder = DiskFolder()
  private let time = ManualTime()
  private let log = CallLog()

  private func store(_ files: any DiskFileSystem = SystemFileSystem()) throws -> DiskStore {
    try folder.store(files: files) {
      $0.clock = time.clock
      $0.leaseTimer = time.timer
    }
  }

  private func lease(_ key: String = "a", of store: DiskStore) -> DiskLease? {
    if case .taken(let lease) = store.lease(for: key) { lease as? DiskLease } else { nil }
  }

  private func place(_ key: String = "a", of store: DiskStore) throws -> DiskLeases.LockedByte {
    guard case .held(let held) = store.lease(for: key) else { throw CancellationError() }
    return try #require(held as? DiskLeases.LockedByte)
  }

  /// Waits for `milliseconds`, and writes "free" or "late" with the name.
  @discardableResult
  private func wait(
    _ name: String, for key: String = "a", of store: DiskStore, milliseconds: Double = 1000
  ) throws -> any Cancellable {
    let deadline = time.clock() + UInt64(milliseconds * 1e6)
    return try store.leases.wait(for: place(key, of: store), until: deadline) { [log] isFree in
      log.append("\(name) \(isFree ? "free" : "late")")
    }
  }

  private func isUnavailable(_ store: DiskStore) -> Bool {
    if case .unavailable = store.lease(for: "a") { true } else { false }
  }

  // MARK: Taking

  @Test("A lease of a key is granted once, of two stores and in one, until it is released", arguments: [2, 1])
  func exclusive(storeCount: Int) throws {
    let first = try store()
    let second = storeCount == 1 ? first : try store()
    var held = lease(of: first)
    #expect(held != nil)
    #expect(lease(of: second) == nil)
    #expect(lease("b", of: second) != nil)
    held = nil
    #expect(lease(of: second) != nil)
  }

  @Test("Releasing one lease of a store does not release another")
  func independent() throws {
    let (first, second) = (try store(), try store())
    let held = lease("a", of: first)
    var other = lease("b", of: first)
    #expect(other != nil)
    other = nil
    #expect(lease("a", of: second) == nil)
    #expect(lease("b", of: second) != nil)
    withExtendedLifetime(held) {}
  }

  @Test("One thread at a time holds a lease, of many threads in two stores")
  func threads() throws {
    let stores = [try store(), try store()]
    let state = Lock((holders: 0, most: 0, taken: 0))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<300 {
        guard let held = lease(of: stores[thread % 2]) else { continue }
        state.withLock {
          $0.holders += 1
          $0.most = max($0.most, $0.holders)
          $0.taken += 1
        }
        state.withLock { $0.holders -= 1 }
        withExtendedLifetime(held) {}
      }
    }
    let (most, taken) = state.withLock { ($0.most, $0.taken) }
    #expect(most == 1)
    #expect(taken > 0)
    #expect(stores.allSatisfy { lease(of: $0) != nil })
  }

  @Test("Leases take no disk space, and a folder with one is still a store")
  func room() throws {
    let store = try store()
    store.put(Data("b".utf8), "b")
    let held = lease(of: store)
    #expect(store.totals.allocated == folder.allocated)
    let size = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/leases")[.size] as? Int
    #expect(size == 0)
    #expect(DiskStore.site(at: folder.path) == .store)
    withExtendedLifetime(held) {}
  }

  @Test("Leases work in a folder that was removed and created again")
  func removedFolder() throws {
    let (first, second) = (try store(), try store())
    let old = lease(of: first)
    try FileManager.default.removeItem(at: folder.url)
    for store in [first, second] { store.put(Data("b".utf8), "b") }
    let held = lease("b", of: first)
    #expect(held != nil)
    #expect(lease("b", of: second) == nil)
    withExtendedLifetime((old, held)) {}
  }

  // MARK: Without

  @Test("Without byte locks in the file system, leases are unavailable")
  func withoutLocks() throws {
    let files = FaultyFileSystem()
    let store = try store(files)
    files.fault = .withoutByteLocks
    #expect(isUnavailable(store))
    files.fault = nil
    #expect(lease(of: store) != nil)
  }

  @Test("While the lease file cannot be opened, leases are unavailable", arguments: [EMFILE, ENOSPC, EROFS, EACCES])
  func withoutFile(code: CInt) throws {
    let files = FaultyFileSystem()
    let store = try store(files)
    files.fault = .unshareable(code: code)
    #expect(isUnavailable(store))
    files.fault = nil
    #expect(lease(of: store) != nil)
  }

  @Test("A process with too many leases gets no more")
  func limit() throws {
    let (first, second) = (try store(), try store())
    var held = (0..<DiskLeases.limit).map { lease("\($0)", of: first) }
    #expect(held.allSatisfy { $0 != nil })
    #expect(isUnavailable(first))
    #expect(lease(of: second) != nil)
    held.removeLast()
    #expect(lease(of: first) != nil)
  }

  // MARK: Waiting

  @Test("Waiters in the same store are notified immediately")
  func toldInStore() throws {
    let store = try store()
    var held = lease(of: store)
    try wait("first", of: store)
    try wait("second", of: store)
    #expect(log.entries.isEmpty)
    #expect(held != nil)
    held = nil
    #expect(log.entries == ["first free", "second free"])
    #expect(store.leases.waitingCount == 0)
  }

  @Test("Waiters in another store detect a free lease when they poll")
  func seenFromOtherStore() throws {
    let (first, second) = (try store(), try store())
    var held = lease(of: first)
    try wait("one", of: second)
    time.pass(milliseconds: 100)
    #expect(held != nil && log.entries.isEmpty)
    held = nil
    #expect(log.entries.isEmpty)
    time.pass(milliseconds: 20)
    #expect(log.entries == ["one free"])
    #expect(lease(of: second) != nil)
  }

  @Test("The polling interval is an eighth of the time waited, and at most a tenth of a second")
  func pauses() throws {
    let (first, second) = (try store(), try store())
    let held = lease(of: first)
    try wait("one", of: second, milliseconds: 10_000)
    time.pass(milliseconds: 400)
    let pauses = time.log.entries.compactMap { Double($0) }
    #expect(pauses.first == 2)
    #expect(pauses.last == 50)
    time.pass(milliseconds: 9_000)
    #expect(time.log.entries.last == "100.0")
    #expect(time.log.entries.count < 160)
    #expect(log.entries.isEmpty)
    withExtendedLifetime(held) {}
  }

  @Test("Waiters give up exactly at their time limit")
  func late() throws {
    let (first, second) = (try store(), try store())
    let held = lease(of: first)
    try wait("one", of: second, milliseconds: 1000)
    try wait("two", of: second, milliseconds: 1003)
    time.pass(milliseconds: 999)
    #expect(log.entries.isEmpty)
    time.pass(milliseconds: 1)
    #expect(log.entries == ["one late"])
    time.pass(milliseconds: 3)
    #expect(log.entries == ["one late", "two late"])
    #expect(held != nil)
  }

  @Test("A lease is free when its holder has died and the system has closed its files")
  func death() throws {
    let (first, second) = (try store(), try store())
    let byte = try withExtendedLifetime(lease(of: first)) { try place(of: second).byte }
    // A process of which nothing is left but its open file.
    let system = SystemFileSystem()
    let file = system.openShared("\(folder.path)/leases", in: AT_FDCWD)
    #expect(system.tryLock(file, byte: byte) == .taken)
    try wait("one", of: second)
    time.pass(milliseconds: 100)
    #expect(log.entries.isEmpty)
    system.close(file)
    time.pass(milliseconds: 20)
    #expect(log.entries == ["one free"])
    #expect(lease(of: second) != nil)
  }

  @Test("Canceled waiters are not notified and do not poll")
  func cancelled() throws {
    let (first, second) = (try store(), try store())
    var held = lease(of: first)
    let waiting = try wait("one", of: second)
    try wait("two", of: second)
    waiting.cancel()
    waiting.cancel()
    time.pass(milliseconds: 100)
    #expect(held != nil)
    held = nil
    time.pass(milliseconds: 20)
    #expect(log.entries == ["two free"])
    #expect(second.leases.waitingCount == 0)
    // Nobody waits, so no timer is set any more.
    let count = time.log.entries.count
    time.pass(milliseconds: 1000)
    #expect(time.log.entries.count == count)
  }

  @Test("Many waiters need few timers")
  func many() throws {
    let (first, second) = (try store(), try store())
    let keys = (0..<200).map { "\($0)" }
    var held = keys.map { lease($0, of: first) }
    for key in keys {
      try wait(key, for: key, of: second, milliseconds: 10_000)
      time.pass(milliseconds: 0.1)
    }
    time.pass(milliseconds: 1000)
    #expect(time.log.entries.count < 600)
    #expect(held.count == 200 && log.entries.isEmpty)
    held = []
    time.pass(milliseconds: 200)
    #expect(Set(log.entries) == Set(keys.map { "\($0) free" }))
    #expect(log.entries.count == 200)
  }
}
