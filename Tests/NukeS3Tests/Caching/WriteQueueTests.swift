import Foundation
import Testing

@testable import NukeS3

@Suite("A queue of writes")
struct WriteQueueTests {
  private func data(_ text: String) -> WriteQueue.Write { .store(Data(text.utf8)) }

  @Test("gives writes in the order they came in, and knows them until they are done")
  func order() {
    var queue = WriteQueue(byteLimit: 100)
    for key in ["a", "b", "c"] { #expect(queue.add(data("1\(key)"), for: key) == true) }
    #expect(queue.byteCount == 6)
    #expect(queue.next()?.key == "a")
    #expect(queue.write(for: "a") == data("1a"))
    queue.finish("a")
    #expect(queue.write(for: "a") == nil)
    #expect(queue.byteCount == 4)
    #expect(queue.next()?.key == "b")
    #expect(queue.next()?.key == "c")
    #expect(queue.next() == nil)
    #expect(!queue.isEmpty)
    queue.finish("b")
    queue.finish("c")
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
  }

  @Test("writes the latest of what waits under a key alone")
  func latest() {
    var queue = WriteQueue(byteLimit: 100)
    #expect(queue.add(data("old"), for: "a") == true)
    #expect(queue.add(data("b"), for: "b") == true)
    #expect(queue.add(data("newer"), for: "a") == true)
    #expect(queue.byteCount == 6)
    let next = queue.next()
    #expect(next?.key == "a")
    #expect(next?.write == data("newer"))
    #expect(queue.next()?.key == "b")
    #expect(queue.next() == nil)
  }

  @Test("has one write of a key under way at a time")
  func exclusion() {
    var queue = WriteQueue(byteLimit: 100)
    #expect(queue.add(data("1"), for: "a") == true)
    #expect(queue.next()?.key == "a")
    #expect(queue.add(.remove, for: "a") == true)
    #expect(queue.add(data("b"), for: "b") == true)
    #expect(queue.write(for: "a") == .remove)
    #expect(queue.next()?.key == "b")
    #expect(queue.next() == nil)
    queue.finish("a")
    #expect(queue.next()?.write == .remove)
    #expect(queue.running("a") == .remove)
  }

  @Test("takes no more data than its limits, and removes what is no longer right where it takes none")
  func limits() {
    var queue = WriteQueue(byteLimit: 4, countLimit: 3, removalLimit: 5)
    #expect(queue.add(data("123"), for: "a") == true)
    #expect(queue.add(data("45"), for: "b") == false)
    #expect(queue.add(data("4"), for: "b") == true)
    #expect(queue.add(data("12345"), for: "a") == false)
    #expect(queue.write(for: "a") == .remove)
    #expect(queue.byteCount == 1)
    #expect(queue.add(.remove, for: "c") == true)
    #expect(queue.add(data("d"), for: "d") == false)
    #expect(queue.write(for: "d") == .remove)
    #expect(queue.add(.remove, for: "e") == true)
    #expect(queue.add(.remove, for: "f") == false)
    #expect(queue.write(for: "f") == nil)
    #expect(queue.waitingCount == 5)
    for key in ["a", "b", "c", "d", "e"] { #expect(queue.next()?.key == key) }
    #expect(queue.next() == nil)
    #expect(queue.add(data("123"), for: "g") == true)
    #expect(queue.add(data("1"), for: "h") == false)
  }

  @Test("gives up all that waits, and nothing that is under way")
  func dropping() {
    var queue = WriteQueue(byteLimit: 100)
    for key in ["a", "b", "c"] { #expect(queue.add(data(key), for: key) == true) }
    #expect(queue.next()?.key == "a")
    #expect(queue.dropWaiting() == 2)
    #expect(queue.byteCount == 1)
    #expect(queue.next() == nil)
    queue.finish("a")
    #expect(queue.isEmpty)
  }
}
