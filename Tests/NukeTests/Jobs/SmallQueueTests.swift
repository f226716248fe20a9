import Nuke
import Testing

@Suite("A small queue")
struct SmallQueueTests {
  @Test("Elements are returned in order of arrival, however many there are", arguments: [1, 2])
  func order(perRound added: Int) {
    var queue = SmallQueue<Int>()
    var model: [Int] = []
    var taken: [Int?] = []
    var expected: [Int?] = []
    for number in 0..<60 {
      queue.append(number)
      model.append(number)
      if number % (added + 1) == 0 {
        taken.append(queue.next())
        expected.append(model.removeFirst())
      }
      // Emptied now and then, so that it begins anew.
      if number % 20 == 19 {
        taken += Array(queue)
        expected += model
        while queue.next() != nil {}
        model = []
        #expect(queue.isEmpty && queue.end == 0)
      }
    }
    #expect(taken == expected)
  }

  @Test("Elements can be read from an index on")
  func places() {
    var queue = SmallQueue<Int>()
    for number in 0..<3 { queue.append(number) }
    let place = queue.end
    for number in 3..<8 { queue.append(number) }
    #expect((place..<queue.end).map { queue[$0] } == [3, 4, 5, 6, 7])
    for _ in 0..<5 { _ = queue.next() }
    #expect((5..<queue.end).map { queue[$0] } == [5, 6, 7])
  }

  @Test("Removed elements are released once the queue is empty")
  func release() {
    final class Held {}
    var queue = SmallQueue<Held>()
    weak var first: Held?
    weak var last: Held?
    do {
      let held = (0..<6).map { _ in Held() }
      (first, last) = (held[0], held[5])
      for held in held { queue.append(held) }
    }
    _ = queue.next()
    #expect(first == nil && last != nil)
    while queue.next() != nil {}
    #expect(last == nil)
  }
}
