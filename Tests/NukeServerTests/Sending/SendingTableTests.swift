#if Server
  import Testing

  @testable import NukeServer

  @Suite("Room for long answers")
  struct SendingTableTests {
    private func admitted(_ answer: SendingTable.Answer) throws -> (number: Int, givingUp: [Int]) {
      guard case .admitted(let number, let others) = answer else { throw Refused() }
      return (number, others)
    }

    private struct Refused: Error {}

    @Test("a file that goes to many is held once, until the last has it")
    func sharing() throws {
      var table = SendingTable(limit: 100)
      let numbers = try (0..<50).map { _ in try admitted(table.admit("a", bytes: 60, now: 0)).number }
      #expect(table.bytes == 60 && table.count == 50)
      for number in numbers.dropLast() { table.end(number) }
      #expect(table.bytes == 60)
      #expect(table.admit("b", bytes: 60, now: 0) == .full)
      table.end(numbers[49])
      #expect(table.bytes == 0 && table.count == 0)
      #expect(try admitted(table.admit("b", bytes: 60, now: 0)).givingUp.isEmpty)
    }

    @Test("one that is larger than all room is sent alone")
    func large() throws {
      var table = SendingTable(limit: 100)
      let number = try admitted(table.admit("a", bytes: 1000, now: 0)).number
      #expect(table.admit("b", bytes: 1, now: 0) == .full)
      table.end(number)
      #expect(try admitted(table.admit("b", bytes: 1, now: 0)).givingUp.isEmpty)
    }

    @Test("those that took nothing for the longest time make room, no more of them than needed")
    func order() throws {
      var table = SendingTable(limit: 100)
      let numbers = try ["a", "b", "c"].enumerated().map { index, name in
        try admitted(table.admit(name, bytes: 30, now: Double(index))).number
      }
      table.progressed(numbers[0], now: 3)
      let answer = try admitted(table.admit("d", bytes: 35, now: 5))
      #expect(answer.givingUp == [numbers[1]])
      #expect(table.bytes == 95)
      // What was given up ends later, of itself.
      table.end(numbers[1])
      #expect(table.bytes == 95 && table.count == 3)
    }

    @Test("clients that go on taking are left alone, and what has no room is refused")
    func fullOfLive() throws {
      var table = SendingTable(limit: 100)
      let a = try admitted(table.admit("a", bytes: 50, now: 0)).number
      let b = try admitted(table.admit("b", bytes: 50, now: 0)).number
      for second in 1...10 {
        let now = Double(second)
        table.progressed(a, now: now)
        if second < 5 { table.progressed(b, now: now) }
      }
      // Giving up the one that stands still would not be enough.
      #expect(table.admit("c", bytes: 60, now: 10) == .full)
      #expect(table.bytes == 100)
      #expect(try admitted(table.admit("c", bytes: 50, now: 10)).givingUp == [b])
    }

    @Test("a file is given up only where none of its clients goes on")
    func sharedFile() throws {
      var table = SendingTable(limit: 100)
      let slow = try admitted(table.admit("a", bytes: 80, now: 0)).number
      let fast = try admitted(table.admit("a", bytes: 80, now: 0)).number
      table.progressed(fast, now: 9)
      #expect(table.admit("b", bytes: 80, now: 10) == .full)
      #expect(try admitted(table.admit("b", bytes: 80, now: 11)).givingUp == [slow, fast])
      #expect(table.bytes == 80 && table.count == 1)
    }

    @Test("one that is larger than all room waits for nobody who stands still")
    func largeAfterStalled() throws {
      var table = SendingTable(limit: 100)
      let numbers = try ["a", "b"].map { try admitted(table.admit($0, bytes: 50, now: 0)).number }
      #expect(Set(try admitted(table.admit("c", bytes: 1000, now: 5)).givingUp) == Set(numbers))
    }
  }
#endif
