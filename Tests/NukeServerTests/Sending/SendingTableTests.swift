#if Server
  import Testing

  @testable import NukeServer

  @Suite("Budgeting of long responses")
  struct SendingTableTests {
    /// A table whose decisions are returned as tuples.
    private struct Budget {
      var table: SendingTable

      init(_ limit: Int) { table = SendingTable(limit: limit) }

      /// Returns the number of the response, and the responses that are aborted for it; `nil` if there is no budget.
      mutating func admit(_ name: String, bytes: Int, now: Double) -> (number: Int, others: [Int])? {
        guard case .admitted(let number, let others) = table.admit(name, bytes: bytes, now: now) else { return nil }
        return (number, others)
      }

      mutating func number(_ name: String, bytes: Int, now: Double) throws -> Int {
        try #require(admit(name, bytes: bytes, now: now)).number
      }

      /// Returns the responses that are aborted; `nil` if there is no budget.
      mutating func aborted(for name: String, bytes: Int, now: Double) -> [Int]? {
        admit(name, bytes: bytes, now: now)?.others
      }
    }

    private var budget = Budget(100)

    @Test("A file that is sent to several clients is counted once, until the last one has received it")
    mutating func sharing() throws {
      var numbers: [Int] = []
      for _ in 0..<50 { numbers.append(try budget.number("a", bytes: 60, now: 0)) }
      #expect(budget.table.bytes == 60 && budget.table.count == 50)
      for number in numbers.dropLast() { budget.table.end(number) }
      #expect(budget.table.bytes == 60)
      let early = budget.aborted(for: "b", bytes: 60, now: 0)
      #expect(early == nil)
      budget.table.end(numbers[49])
      #expect(budget.table.bytes == 0 && budget.table.count == 0)
      let late = budget.aborted(for: "b", bytes: 60, now: 0)
      #expect(late == [])
    }

    @Test("A file that is larger than the whole budget is sent if there is no other")
    mutating func large() throws {
      let number = try budget.number("a", bytes: 1000, now: 0)
      let early = budget.aborted(for: "b", bytes: 1, now: 0)
      #expect(early == nil)
      budget.table.end(number)
      let late = budget.aborted(for: "b", bytes: 1, now: 0)
      #expect(late == [])
    }

    @Test("The clients that have not read for the longest time are evicted, and no more than necessary")
    mutating func order() throws {
      let a = try budget.number("a", bytes: 30, now: 0)
      let b = try budget.number("b", bytes: 30, now: 1)
      _ = try budget.number("c", bytes: 30, now: 2)
      budget.table.progressed(a, now: 3)
      let others = budget.aborted(for: "d", bytes: 35, now: 5)
      #expect(others == [b])
      #expect(budget.table.bytes == 95)
      // The aborted response ends later, by itself.
      budget.table.end(b)
      #expect(budget.table.bytes == 95 && budget.table.count == 3)
    }

    @Test("Clients that keep reading are not evicted, and responses without room are rejected")
    mutating func fullOfLive() throws {
      let a = try budget.number("a", bytes: 50, now: 0)
      let b = try budget.number("b", bytes: 50, now: 0)
      for second in 1...10 {
        budget.table.progressed(a, now: Double(second))
        if second < 5 { budget.table.progressed(b, now: Double(second)) }
      }
      // Aborting the one that makes no progress would not be enough.
      let large = budget.aborted(for: "c", bytes: 60, now: 10)
      #expect(large == nil && budget.table.bytes == 100)
      let fitting = budget.aborted(for: "c", bytes: 50, now: 10)
      #expect(fitting == [b])
    }

    @Test("A file is released only if none of its clients keeps reading")
    mutating func sharedFile() throws {
      let slow = try budget.number("a", bytes: 80, now: 0)
      let fast = try budget.number("a", bytes: 80, now: 0)
      budget.table.progressed(fast, now: 9)
      let early = budget.aborted(for: "b", bytes: 80, now: 10)
      #expect(early == nil)
      let late = budget.aborted(for: "b", bytes: 80, now: 11)
      #expect(late == [slow, fast])
      #expect(budget.table.bytes == 80 && budget.table.count == 1)
    }

    @Test("Unaccepted bytes count towards the limit, also for requests of a file that is already being sent")
    mutating func copies() throws {
      let first = try budget.number("a", bytes: 60, now: 0)
      let copy = budget.table.add(bytes: 90, now: 0)
      let sharing = try budget.number("a", bytes: 60, now: 0)
      let other = budget.table.add(bytes: 20, now: 1)
      #expect(budget.table.bytes == 170)
      let early = budget.aborted(for: "a", bytes: 60, now: 1)
      #expect(early == nil)
      budget.table.progressed(first, now: 2)
      budget.table.progressed(sharing, now: 2)
      let late = budget.aborted(for: "a", bytes: 60, now: 2.5)
      #expect(late == [copy])
      budget.table.end(other)
      #expect(budget.table.bytes == 60)
    }

    @Test("Files leave a reserve for short responses")
    func reservedForCopies() throws {
      var table = SendingTable(limit: 100, reservedForCopies: 25)
      let file = table.admit("a", bytes: 75, now: 0)
      #expect(file == .admitted(1, aborting: []))
      let (long, short) = (table.admit("b", bytes: 1, now: 0), table.admit(nil, bytes: 25, now: 0))
      #expect(long == .full && short == .admitted(2, aborting: []))
      let next = table.admit(nil, bytes: 1, now: 0)
      #expect(next == .full && table.bytes == 100)
    }

    @Test("Clients that receive the requested file are not evicted for it")
    mutating func wantedFile() throws {
      _ = try budget.number("a", bytes: 60, now: 0)
      let copy = budget.table.add(bytes: 110, now: 0)
      budget.table.progressed(copy, now: 3)
      let another = budget.aborted(for: "a", bytes: 60, now: 3)
      #expect(another == nil && budget.table.bytes == 170)
    }

    @Test("A file that is larger than the whole budget evicts all stalled clients")
    mutating func largeAfterStalled() throws {
      let a = try budget.number("a", bytes: 50, now: 0)
      let b = try budget.number("b", bytes: 50, now: 0)
      let others = budget.aborted(for: "c", bytes: 1000, now: 5)
      #expect(others.map(Set.init) == [a, b])
    }
  }
#endif
