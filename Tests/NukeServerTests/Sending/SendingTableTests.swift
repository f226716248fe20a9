#if Server
  import Testing

  @testable import NukeServer

  @Suite("Budgeting of long responses")
  struct SendingTableTests {
    /// A table, with what it answers.
    private struct Room {
      var table: SendingTable

      init(_ limit: Int) { table = SendingTable(limit: limit) }

      /// The answer's number, and those that are given up for it; `nil` if there is no room.
      mutating func admit(_ name: String, bytes: Int, now: Double) -> (number: Int, others: [Int])? {
        guard case .admitted(let number, let others) = table.admit(name, bytes: bytes, now: now) else { return nil }
        return (number, others)
      }

      mutating func number(_ name: String, bytes: Int, now: Double) throws -> Int {
        try #require(admit(name, bytes: bytes, now: now)).number
      }

      /// Those that are given up; `nil` if there is no room.
      mutating func givenUp(for name: String, bytes: Int, now: Double) -> [Int]? {
        admit(name, bytes: bytes, now: now)?.others
      }
    }

    private var room = Room(100)

    @Test("A file that is sent to several clients is counted once, until the last one has received it")
    mutating func sharing() throws {
      var numbers: [Int] = []
      for _ in 0..<50 { numbers.append(try room.number("a", bytes: 60, now: 0)) }
      #expect(room.table.bytes == 60 && room.table.count == 50)
      for number in numbers.dropLast() { room.table.end(number) }
      #expect(room.table.bytes == 60)
      let early = room.givenUp(for: "b", bytes: 60, now: 0)
      #expect(early == nil)
      room.table.end(numbers[49])
      #expect(room.table.bytes == 0 && room.table.count == 0)
      let late = room.givenUp(for: "b", bytes: 60, now: 0)
      #expect(late == [])
    }

    @Test("A file that is larger than the whole budget is sent if there is no other")
    mutating func large() throws {
      let number = try room.number("a", bytes: 1000, now: 0)
      let early = room.givenUp(for: "b", bytes: 1, now: 0)
      #expect(early == nil)
      room.table.end(number)
      let late = room.givenUp(for: "b", bytes: 1, now: 0)
      #expect(late == [])
    }

    @Test("The clients that have not read for the longest time are evicted, and no more than necessary")
    mutating func order() throws {
      let a = try room.number("a", bytes: 30, now: 0)
      let b = try room.number("b", bytes: 30, now: 1)
      _ = try room.number("c", bytes: 30, now: 2)
      room.table.progressed(a, now: 3)
      let others = room.givenUp(for: "d", bytes: 35, now: 5)
      #expect(others == [b])
      #expect(room.table.bytes == 95)
      // What was given up ends later, of itself.
      room.table.end(b)
      #expect(room.table.bytes == 95 && room.table.count == 3)
    }

    @Test("Clients that keep reading are not evicted, and responses without room are rejected")
    mutating func fullOfLive() throws {
      let a = try room.number("a", bytes: 50, now: 0)
      let b = try room.number("b", bytes: 50, now: 0)
      for second in 1...10 {
        room.table.progressed(a, now: Double(second))
        if second < 5 { room.table.progressed(b, now: Double(second)) }
      }
      // Giving up the one that stands still would not be enough.
      let large = room.givenUp(for: "c", bytes: 60, now: 10)
      #expect(large == nil && room.table.bytes == 100)
      let fitting = room.givenUp(for: "c", bytes: 50, now: 10)
      #expect(fitting == [b])
    }

    @Test("A file is released only if none of its clients keeps reading")
    mutating func sharedFile() throws {
      let slow = try room.number("a", bytes: 80, now: 0)
      let fast = try room.number("a", bytes: 80, now: 0)
      room.table.progressed(fast, now: 9)
      let early = room.givenUp(for: "b", bytes: 80, now: 10)
      #expect(early == nil)
      let late = room.givenUp(for: "b", bytes: 80, now: 11)
      #expect(late == [slow, fast])
      #expect(room.table.bytes == 80 && room.table.count == 1)
    }

    @Test("Unaccepted bytes count towards the limit, also for requests of a file that is already being sent")
    mutating func copies() throws {
      let first = try room.number("a", bytes: 60, now: 0)
      let copy = room.table.add(bytes: 90, now: 0)
      let sharing = try room.number("a", bytes: 60, now: 0)
      let other = room.table.add(bytes: 20, now: 1)
      #expect(room.table.bytes == 170)
      let early = room.givenUp(for: "a", bytes: 60, now: 1)
      #expect(early == nil)
      room.table.progressed(first, now: 2)
      room.table.progressed(sharing, now: 2)
      let late = room.givenUp(for: "a", bytes: 60, now: 2.5)
      #expect(late == [copy])
      room.table.end(other)
      #expect(room.table.bytes == 60)
    }

    @Test("Files leave a reserve for short responses")
    func keptForCopies() throws {
      var table = SendingTable(limit: 100, keptForCopies: 25)
      let file = table.admit("a", bytes: 75, now: 0)
      #expect(file == .admitted(1, givingUp: []))
      let (long, short) = (table.admit("b", bytes: 1, now: 0), table.admit(nil, bytes: 25, now: 0))
      #expect(long == .full && short == .admitted(2, givingUp: []))
      let next = table.admit(nil, bytes: 1, now: 0)
      #expect(next == .full && table.bytes == 100)
    }

    @Test("Clients that receive the requested file are not evicted for it")
    mutating func wantedFile() throws {
      _ = try room.number("a", bytes: 60, now: 0)
      let copy = room.table.add(bytes: 110, now: 0)
      room.table.progressed(copy, now: 3)
      let another = room.givenUp(for: "a", bytes: 60, now: 3)
      #expect(another == nil && room.table.bytes == 170)
    }

    @Test("A file that is larger than the whole budget evicts all stalled clients")
    mutating func largeAfterStalled() throws {
      let a = try room.number("a", bytes: 50, now: 0)
      let b = try room.number("b", bytes: 50, now: 0)
      let others = room.givenUp(for: "c", bytes: 1000, now: 5)
      #expect(others.map(Set.init) == [a, b])
    }
  }
#endif
