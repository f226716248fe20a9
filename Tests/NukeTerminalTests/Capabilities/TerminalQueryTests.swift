import Foundation
import NukeBase
import NukeTesting
import Testing

@testable import NukeTerminal

/// One terminal is asked at a time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TerminalQueryTests {
  /// Both ends of a terminal that a test plays.
  private final class Pair: Sendable {
    let master: Int32
    let slave: Int32

    init() throws {
      var (master, slave): (Int32, Int32) = (-1, -1)
      try #require(openpty(&master, &slave, nil, nil, nil) == 0)
      self.master = master
      self.slave = slave
      _ = fcntl(slave, F_SETFL, O_RDWR | O_NONBLOCK)
    }

    deinit {
      close(master)
      close(slave)
    }

    var flags: tcflag_t {
      var settings = termios()
      tcgetattr(slave, &settings)
      return settings.c_lflag
    }

    /// Calls `body` once the query has come, with it and the settings of that moment.
    func answer(_ body: @escaping @Sendable (_ query: [UInt8], _ flags: tcflag_t) -> String) -> Gate {
      let done = Gate()
      Thread.detachNewThread { [self] in
        var query: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        // The device attributes end every query.
        while !query.suffix(3).elementsEqual(Array("\u{1B}[c".utf8)) {
          let count = read(master, &buffer, buffer.count)
          guard count > 0 else { break }
          query += buffer[..<count]
        }
        let answer = Array(body(query, flags).utf8)
        _ = answer.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        done.open()
      }
      return done
    }
  }

  @Test("The reply is read without echo, and the settings are restored")
  func answer() throws {
    let pair = try Pair()
    let before = pair.flags
    try #require(before & tcflag_t(ECHO) != 0)
    let during = Lock<tcflag_t?>(nil)
    let done = pair.answer { query, flags in
      during.withLock { $0 = flags }
      return query.starts(with: Array("\u{1B}_G".utf8))
        ? "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c" : ""
    }
    let reply = try #require(TerminalQuery.send(.all, to: pair.slave, seconds: 30))
    done.waitBlocking()
    #expect(reply.hasKittyGraphics)
    #expect(reply.attributes == [62, 4])
    #expect(reply.cell == TerminalCell(width: 10, height: 20))
    #expect(during.withLock { $0 }.map { $0 & tcflag_t(ECHO | ICANON) } == 0)
    #expect(during.withLock { $0 }.map { $0 & tcflag_t(ISIG) } != 0, "an interrupt stays possible")
    #expect(pair.flags == before)
  }

  @Test("tmux is asked for nothing but what it answers itself")
  func attributes() throws {
    let pair = try Pair()
    let done = pair.answer { query, _ in query == Array("\u{1B}[c".utf8) ? "\u{1B}[?1;2c" : "" }
    let reply = try #require(TerminalQuery.send(.attributes, to: pair.slave, seconds: 30))
    done.waitBlocking()
    #expect(reply.attributes == [1, 2])
  }

  @Test("A terminal without a reply causes a short wait, and its settings are restored")
  func silence() throws {
    let pair = try Pair()
    let before = pair.flags
    let reply = try #require(TerminalQuery.send(.all, to: pair.slave, seconds: 0.02))
    #expect(reply == TerminalReply([]))
    #expect(pair.flags == before)
  }

  @Test("An endless reply is abandoned after some kilobytes")
  func flood() throws {
    let pair = try Pair()
    let done = pair.answer { _, _ in String(repeating: "yes\n", count: 1500) }
    #expect(TerminalQuery.send(.all, to: pair.slave, seconds: 30)?.attributes == nil)
    // What was not read would keep it writing.
    tcflush(pair.slave, TCIFLUSH)
    done.waitBlocking()
  }

  @Test("Only terminals are queried")
  func noTerminal() {
    let file = open("/dev/null", O_RDWR)
    defer { close(file) }
    #expect(TerminalQuery.send(.all, to: file, seconds: 30) == nil)
    TerminalQuery.restore()
  }

  @Test("A process that ends during a query restores the settings")
  func ending() throws {
    let pair = try Pair()
    let before = pair.flags
    let asked = Lock(false)
    let done = pair.answer { [pair] _, _ in
      // As a signal's handler does it, on its own thread.
      TerminalQuery.restore()
      let isRestored = pair.flags == before
      asked.withLock { $0 = isRestored }
      return "\u{1B}[?1c\n"
    }
    _ = TerminalQuery.send(.all, to: pair.slave, seconds: 30)
    done.waitBlocking()
    #expect(asked.withLock { $0 })
    #expect(pair.flags == before)
  }
}
