import Foundation
import Nuke
import Testing

@Suite("The queue of pending writes")
struct PendingWritesTests {
  private func data(_ text: String) -> PendingWrites.Write { .store(Data(text.utf8)) }

  @Test("Writes are returned in order, and tracked until they are finished")
  func order() {
    var queue = PendingWrites(byteLimit: 100)
    for key in ["a", "b", "c"] { #expect(queue.add(data("1\(key)"), for: key) == true) }
    #expect(queue.byteCount == 6)
    #expect(queue.next().first?.key == "a")
    #expect(queue["a"] == data("1a"))
    queue.finish("a")
    #expect(queue["a"] == nil)
    #expect(queue.byteCount == 4)
    #expect(queue.next().first?.key == "b")
    #expect(queue.next().first?.key == "c")
    #expect(queue.next().isEmpty)
    #expect(!queue.isEmpty)
    queue.finish("b")
    queue.finish("c")
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
  }

  @Test("Only the latest change of a key is written")
  func latest() {
    var queue = PendingWrites(byteLimit: 100)
    #expect(queue.add(data("old"), for: "a") == true)
    #expect(queue.add(data("b"), for: "b") == true)
    #expect(queue.add(data("newer"), for: "a") == true)
    #expect(queue.byteCount == 6)
    let next = queue.next().first
    #expect(next?.key == "a")
    #expect(next?.write == data("newer"))
    #expect(queue.next().first?.key == "b")
    #expect(queue.next().isEmpty)
  }

  @Test("Only one write of a key runs at a time")
  func exclusion() {
    var queue = PendingWrites(byteLimit: 100)
    #expect(queue.add(data("1"), for: "a") == true)
    #expect(queue.next().first?.key == "a")
    #expect(queue.add(.remove, for: "a") == true)
    #expect(queue.add(data("b"), for: "b") == true)
    #expect(queue["a"] == .remove)
    #expect(queue.next().first?.key == "b")
    #expect(queue.next().isEmpty)
    queue.finish("a")
    #expect(queue.next().first?.write == .remove)
    #expect(queue["a"] == .remove)
  }

  @Test("Data above the limits is rejected, and the outdated entry is removed")
  func limits() {
    var queue = PendingWrites(byteLimit: 4, countLimit: 3, removalLimit: 5)
    #expect(queue.add(data("123"), for: "a") == true)
    #expect(queue.add(data("45"), for: "b") == false)
    #expect(queue.add(data("4"), for: "b") == true)
    #expect(queue.add(data("12345"), for: "a") == false)
    #expect(queue["a"] == .remove)
    #expect(queue.byteCount == 1)
    #expect(queue.add(.remove, for: "c") == true)
    #expect(queue.add(data("d"), for: "d") == false)
    #expect(queue["d"] == .remove)
    #expect(queue.add(.remove, for: "e") == true)
    #expect(queue.add(.remove, for: "f") == false)
    #expect(queue["f"] == nil)
    #expect(queue.waitingCount == 5)
    for key in ["a", "b", "c", "d", "e"] { #expect(queue.next().first?.key == key) }
    #expect(queue.next().isEmpty)
    #expect(queue.add(data("123"), for: "g") == true)
    #expect(queue.add(data("1"), for: "h") == false)
  }

  @Test("Pending writes can be dropped without those that are running")
  func dropping() {
    var queue = PendingWrites(byteLimit: 100)
    for key in ["a", "b", "c"] { #expect(queue.add(data(key), for: key) == true) }
    #expect(queue.next().first?.key == "a")
    #expect(queue.dropWaiting() == 2)
    #expect(queue.byteCount == 1)
    #expect(queue.next().isEmpty)
    queue.finish("a")
    #expect(queue.isEmpty)
  }

  @Test("A batch contains as much as fits, and at least one write")
  func batches() {
    var queue = PendingWrites(byteLimit: 100)
    for (key, text) in [("a", "12345"), ("b", "1"), ("c", "12"), ("d", "1")] { _ = queue.add(data(text), for: key) }
    #expect(queue.next(bytes: 3, count: 9).map(\.key) == ["a"])
    #expect(queue.next(bytes: 3, count: 9).map(\.key) == ["b", "c"])
    #expect(queue.next(bytes: 3, count: 0).isEmpty)
    #expect(queue.next(bytes: 3, count: 9).map(\.key) == ["d"])
    #expect(queue.runningCount == 4 && queue.waitingCount == 0)
  }

  @Test("Data is dropped if nothing can be written, and removals are kept for later")
  func dropData() {
    var queue = PendingWrites(byteLimit: 100)
    for key in ["a", "b", "c"] { _ = queue.add(.remove, for: key) }
    _ = queue.add(data("1"), for: "d")
    #expect(queue.next(count: 4).count == 4)
    _ = queue.add(data("2"), for: "b")
    _ = queue.add(.remove, for: "e")
    #expect(queue.dropData() == 2)
    #expect(queue.byteCount == 0 && queue.runningCount == 0)
    #expect(["a", "c", "e"].allSatisfy { queue[$0] == .remove })
    #expect(queue["b"] == nil && queue["d"] == nil)
    #expect(Set(queue.next(count: 9).map(\.key)) == ["a", "c", "e"])
  }

  @Test("Removing everything affects earlier writes, and not later ones")
  func removeAll() {
    var queue = PendingWrites(byteLimit: 100)
    for key in ["a", "b"] { _ = queue.add(data(key), for: key) }
    #expect(queue.next().first?.key == "a")
    queue.removeAll()
    #expect(["a", "b", "other"].allSatisfy { queue[$0] == .remove })
    _ = queue.add(data("2"), for: "b")
    #expect(queue["b"] == data("2"))
    let first = queue.removalOfAll ?? 0
    queue.removeAll()
    queue.finishRemovalOfAll(first)
    #expect(queue.removalOfAll != nil && queue["b"] == .remove)
    queue.finishRemovalOfAll(first + 1)
    queue.finish("a")
    #expect(queue["b"] == nil && queue.isEmpty)
  }

  @Test("Followers of a key are notified when its change is finished")
  func followers() {
    var queue = PendingWrites(byteLimit: 100)
    let told = Lock(0)
    #expect(!queue.follow("a") {})
    _ = queue.add(data("1"), for: "a")
    #expect(queue.follow("a") { told.withLock { $0 += 1 } })
    #expect(queue.next().count == 1)
    #expect(queue.takeFollowers().isEmpty)
    queue.finish("a")
    #expect(!queue.isEmpty)
    for follower in queue.takeFollowers() { follower() }
    #expect(told.withLock { $0 } == 1)
    #expect(queue.isEmpty)
    _ = queue.add(.remove, for: "a")
    #expect(queue.follow("a") {})
    #expect(queue.takeFollowers(all: true).count == 1)
  }
}
