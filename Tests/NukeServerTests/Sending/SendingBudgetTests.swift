#if Server
  import Foundation
  import Hummingbird
  import HummingbirdTesting
  import NukeBase
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
      // The server has ended, and with it all responses.
      #expect(budget.statistics.responses == 0 && budget.statistics.bytes == 0, "\(budget.statistics)")
    }

    /// Requests a long response and receives its head, so that the budget contains it. Without further reading, the
    /// rest stays with the server.
    ///
    /// - Returns: the client, and the number of bytes it has received.
    private func begin(
      _ name: String, port: Int, connection: String = "close"
    ) async throws -> (client: RawClient, received: Int) {
      let client = try await ask(name, port: port, connection: connection)
      let beginning = try await client.receiveBytes(until: "\r\n\r\n")
      try #require(String(decoding: beginning, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
      try #require(budget.statistics.responses > 0)
      return (client, beginning.count)
    }

    private func ask(_ name: String, port: Int, connection: String = "close") async throws -> RawClient {
      let client = try RawClient(port: port, receiveBuffer: name == "slow" ? 65536 : nil)
      let path = ImageURL.signed(source: "https://example.com/\(name)")
      try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: \(connection)\r\n\r\n")
      return client
    }

    private func answer(_ name: String, port: Int) async throws -> RawResponse {
      let bytes = try await ask(name, port: port).receiveBytes()
      return try #require(RawResponse(bytes))
    }

    /// Repeats a request, as a client that is told to retry, until the server has noticed that another client has left.
    private func answerOnceAdmitted(_ name: String, port: Int) async throws -> RawResponse {
      while true {
        let answer = try await answer(name, port: port)
        if answer.status != 429 { return answer }
      }
    }

    @Test("Long responses are rejected while others use the budget, and short ones are not")
    func rejected() async throws {
      try await serve { port in
        let slow = try await begin("slow", port: port)
        let other = try await answer("other", port: port)
        #expect(other.status == 429 && other.head.contains("Retry-After: 1"))
        let short = try await answer("short", port: port)
        #expect(short.status == 200)
        let same = try await answer("slow", port: port)
        #expect(same.body.count == Self.length, "the same file is there already")
        let rest = try await slow.client.receiveBytes()
        #expect(slow.received + rest.count > Self.length)
        #expect(budget.statistics.rejected == 1)
        let later = try await answerOnceAdmitted("other", port: port)
        #expect(later.body.count == Self.length && budget.statistics.aborted == 0)
      }
    }

    @Test("Responses are aborted in favor of others if their clients do not read")
    func aborted() async throws {
      try await serve { port in
        let slow = try await begin("slow", port: port)
        var other = try await answer("other", port: port)
        // Until the system has taken for the client what it can.
        while other.status == 429 {
          clock.now.withLock { $0 += SendingTable.patience + 1 }
          other = try await answer("other", port: port)
        }
        #expect(other.body.count == Self.length)
        #expect(budget.statistics.aborted == 1)
        let rest = try await slow.client.receiveBytes()
        #expect(slow.received + rest.count < Self.length)
      }
    }

    @Test(
      "A client that closes its side receives the whole response",
      arguments: ["close", "keep-alive"])
    func halfClosed(connection: String) async throws {
      try await serve { port in
        let slow = try await begin("slow", port: port, connection: connection)
        slow.client.endSending()
        let rest = try await slow.client.receiveBytes()
        #expect(slow.received + rest.count > Self.length)
      }
    }

    @Test("Clients that disconnect return their share")
    func gone() async throws {
      try await serve { port in
        let slow = try await begin("slow", port: port)
        slow.client.reset()
        let other = try await answerOnceAdmitted("other", port: port)
        #expect(other.body.count == Self.length && budget.statistics.aborted == 0)
      }
    }
  }
#endif
