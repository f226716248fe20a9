#if Server
  import Foundation
  import Hummingbird
  import HummingbirdTesting
  import NukeImaging
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("The memory budget for responses, over sockets", .timeLimit(.minutes(1)))
  struct SendingBudgetTests {
    /// More than the system keeps for a client that does not read, and has little room.
    private static let length = 12 << 20
    private let clock = Clock()
    private let budget: SendingBudget

    private final class Clock: Sendable {
      let now = Lock(0.0)
    }

    init() {
      budget = SendingBudget(limit: Self.length / 3 * 4 + 4) { [clock] in clock.now.withLock { $0 } }
    }

    /// A file for each source, which no memory cache keeps.
    private func serve(_ body: @Sendable (Int) async throws -> Void) async throws {
      let renditions = FakeRenditions { request in
        let name = request.source.lastPathComponent
        let count = name == "short" ? 100 : Self.length
        return Rendition(
          data: Data(repeating: 1, count: count), contentType: "image/png", entityTag: "\"\(name)\"")
      }
      var routes = ImageRoutes.fake(renditions)
      routes.sending = budget
      try await routes.application().test(.live) { client in try await body(#require(client.port)) }
      try await waitForAnswers(0)
      #expect(budget.statistics.bytes == 0)
    }

    private func waitForAnswers(_ count: Int, location: SourceLocation = #_sourceLocation) async throws {
      let isSo = await becomesTrue { budget.statistics.answers == count }
      try #require(isSo, "\(budget.statistics)", sourceLocation: location)
    }

    private func ask(_ name: String, port: Int, connection: String = "close") async throws -> RawClient {
      let client = try RawClient(port: port, receiveBuffer: name == "slow" ? 65536 : nil)
      let path = ImageURL.signed(source: "https://example.com/\(name)")
      try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: \(connection)\r\n\r\n")
      return client
    }

    private func answer(_ name: String, port: Int) async throws -> RawAnswer {
      let bytes = try await ask(name, port: port).receiveBytes()
      return try #require(RawAnswer(bytes))
    }

    @Test("Long responses are rejected while others use the budget, and short ones are not")
    func refused() async throws {
      try await serve { port in
        let slow = try await ask("slow", port: port)
        try await waitForAnswers(1)
        let other = try await answer("other", port: port)
        #expect(other.status == 429 && other.head.contains("Retry-After: 1"))
        let short = try await answer("short", port: port)
        #expect(short.status == 200)
        let same = try await answer("slow", port: port)
        #expect(same.body.count == Self.length, "the same file is there already")
        let whole = try await slow.receiveBytes()
        #expect(whole.count > Self.length)
        try await waitForAnswers(0)
        let later = try await answer("other", port: port)
        #expect(later.body.count == Self.length)
        #expect(budget.statistics.refused == 1 && budget.statistics.givenUp == 0)
      }
    }

    @Test("Responses are aborted in favor of others if their clients do not read")
    func givenUp() async throws {
      try await serve { port in
        let slow = try await ask("slow", port: port)
        try await waitForAnswers(1)
        var other = try await answer("other", port: port)
        // Until the system has taken for the client what it can.
        while other.status == 429 {
          clock.now.withLock { $0 += SendingTable.patience + 1 }
          other = try await answer("other", port: port)
        }
        #expect(other.body.count == Self.length)
        #expect(budget.statistics.givenUp == 1)
        let received = try await slow.receiveBytes()
        #expect(received.count < Self.length)
      }
    }

    @Test(
      "A client that closes its side receives the whole response",
      arguments: ["close", "keep-alive"])
    func halfClosed(connection: String) async throws {
      try await serve { port in
        let slow = try await ask("slow", port: port, connection: connection)
        try await waitForAnswers(1)
        let beginning = try await slow.receiveBytes(until: "\r\n\r\n")
        slow.endSending()
        let rest = try await slow.receiveBytes()
        #expect(beginning.count + rest.count > Self.length)
      }
    }

    @Test("Clients that disconnect return their share")
    func gone() async throws {
      try await serve { port in
        let slow = try await ask("slow", port: port)
        try await waitForAnswers(1)
        slow.reset()
        try await waitForAnswers(0)
        let other = try await answer("other", port: port)
        #expect(other.body.count == Self.length)
      }
    }
  }
#endif
