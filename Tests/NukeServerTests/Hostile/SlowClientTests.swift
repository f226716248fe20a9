#if Server
  import Foundation
  import NukeCodecs
  import NukeOrigin
  import Testing

  @testable import NukeServer

  /// Descriptors are counted, so that each test has a process of its own.
  @Suite("Slow clients", .timeLimit(.minutes(1)))
  struct SlowClientTests {
    @Test("A head that arrives byte by byte does not extend the deadline, and others are served in the meantime")
    func dribbledHead() async {
      await #expect(processExitsWith: .success) {
        try await Scene().run({ $0.headTime = .milliseconds(500) }) { server, path in
          let slow = try RawClient(port: server.port)
          try await slow.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nX: ")
          var count = 0
          // Fewer bytes than a head may have.
          while !slow.isClosedByServer, count < 15_000 {
            // It may be too late for it.
            try? await slow.send("a")
            #expect(try await server.get(path).status == 200)
            count += 1
          }
          #expect(slow.isClosedByServer && count > 1)
          #expect(try await slow.receive() == "")
        }
      }
    }

    @Test("Incomplete heads occupy all connections only until the deadline for a head")
    func manyHeads() async {
      await #expect(processExitsWith: .success) {
        try await Scene().run({ $0.headTime = .milliseconds(300) }, connectionLimit: 32) { server, path in
          // The system lets some more in at a time than there are places, and keeps the rest waiting.
          let slow = try (0..<64).map { _ in try RawClient(port: server.port) }
          for client in slow { try? await client.send("GET \(path) HTTP/1.1\r\nHost: loc") }
          #expect(try await server.get(path).status == 200)
          #expect(slow.contains { $0.isClosedByServer })
          for client in slow { #expect(try await client.receive() == "") }
        }
      }
    }

    @Test("Clients that do not read occupy no rendering slot, do not delay others, and are disconnected")
    func readers() async {
      await #expect(processExitsWith: .success) {
        try await Scene().run({ $0.writeTime = .milliseconds(500) }) { server, path in
          let before = ProcessUse.descriptors
          let clients = try (0..<4).map { _ in try RawClient(port: server.port, receiveBuffer: 4096) }
          let large = path.replacing("/small", with: "/large").replacing("w:10", with: "raw:1")
            .replacing("@png", with: "")
          for client in clients {
            try await client.send("GET \(large) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let head = try await client.receive(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: \(Scene.largeCount)\r\n"))
          }
          #expect(await server.becomesIdle(), "\(server.service.statistics)")
          #expect(try await server.get(path).status == 200)
          // Of each connection its client's end is left.
          let areGone = await becomesTrue { ProcessUse.descriptors <= before + clients.count }
          #expect(areGone, "\(ProcessUse.descriptors - before) more descriptors")
          withExtendedLifetime(clients) {}
        }
      }
    }

    @Test("Clients that request everything at once and never read are disconnected too")
    func pipelined() async {
      await #expect(processExitsWith: .success) {
        try await Scene().run({ $0.writeTime = .milliseconds(500) }) { server, path in
          let before = ProcessUse.descriptors
          let large = path.replacing("/small", with: "/large").replacing("w:10", with: "raw:1")
            .replacing("@png", with: "")
          let client = try RawClient(port: server.port, receiveBuffer: 4096)
          let requestCount = 50
          try await client.send(
            String(repeating: "GET \(large) HTTP/1.1\r\nHost: localhost\r\n\r\n", count: requestCount))
          _ = try await client.receive(until: "\r\n\r\n")
          let isGone = await becomesTrue { ProcessUse.descriptors <= before + 1 }
          #expect(isGone, "\(ProcessUse.descriptors - before) more descriptors")
          #expect(await server.becomesIdle(), "\(server.service.statistics)")
          // A request is begun after the response to the one before it was written.
          let now = server.service.statistics
          let begun = now.memoryHits + now.storeHits + now.joined + now.made
          #expect(begun < requestCount, "\(now)")
          withExtendedLifetime(client) {}
        }
      }
    }
  }

  /// A server with limits that are soon over, and an origin of a small and of a large image.
  private struct Scene {
    /// More than the system keeps for a client that does not read.
    static let largeCount = 6 << 20

    func run(
      _ change: (inout ConnectionLimits) -> Void, connectionLimit: Int? = nil,
      _ body: (WholeServer, _ path: String) async throws -> Void
    ) async throws {
      let bitmap = Data("BM".utf8) + Data(count: Self.largeCount - 2)
      let origin = try NukeOrigin { request in
        NukeOrigin.Response.data(request.path == "/small" ? WholeServer.image : bitmap).closing()
      }
      defer { origin.stop() }
      try await WholeServer.with({
        change(&$0.clientLimits)
        $0.connectionLimit = connectionLimit
      }) { server in
        let path = WholeServer.path(origin.url("/small"))
        #expect(try await server.get(path).status == 200)
        let descriptors = ProcessUse.descriptors
        try await body(server, path)
        let areClosed = await becomesTrue { ProcessUse.descriptors <= descriptors }
        #expect(areClosed, "\(ProcessUse.descriptors - descriptors) more descriptors at the end")
        #expect(await server.becomesIdle(), "\(server.service.statistics) at the end")
      }
    }
  }
#endif
