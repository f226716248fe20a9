#if Server
  import Nuke
  import NukeOrigin
  import Testing

  @testable import NukeServing

  @Suite("Clients that disconnect", .timeLimit(.minutes(1)))
  struct LeavingClientTests {
    private func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

    @Test(
      "A client that disconnects while the source is loading cancels the load",
      arguments: ["closes", "resets", "half-closes"])
    func loading(_ way: String) async throws {
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in
        .data(WholeServer.image).scripted(.head, .bytes(10), .wait(gate), .rest)
      }
      defer { origin.stop() }
      try await WholeServer.with { server in
        let path = WholeServer.path(origin.url("/"))
        var client: RawClient? = try RawClient(port: server.port)
        try await client?.send(request(path))
        try await origin.waitUntil { $0.requests.count == 1 }
        switch way {
        case "resets": client?.reset()
        case "half-closes": client?.endSending()
        default: client = nil
        }
        try await origin.waitUntil { $0.closedEarly == 1 }
        #expect(await server.becomesIdle())
        let figures = server.service.statistics
        #expect(figures.sources == 0 && figures.renditions == 0)
        gate.open()
        #expect(try await server.get(path).status == 200)
        _ = client
      }
    }

    @Test("A client that disconnects does not affect others that wait for the same image")
    func joined() async throws {
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in .data(WholeServer.image).held(by: gate) }
      defer { origin.stop() }
      try await WholeServer.with { server in
        let path = WholeServer.path(origin.url("/"))
        var first: RawClient? = try RawClient(port: server.port)
        try await first?.send(request(path))
        try await origin.waitUntil { $0.requests.count == 1 }
        async let second = server.get(path)
        #expect(await becomesTrue { server.service.statistics.requests == 2 })
        first = nil
        #expect(await becomesTrue { server.service.statistics.requests == 1 })
        gate.open()
        #expect(try await second.status == 200)
        #expect(origin.log.requests.count == 1 && origin.log.closedEarly == 0)
        #expect(server.service.statistics.renditions == 1)
      }
    }

    @Test("A client that disconnects before rendering cancels the rendering")
    func loaded() async throws {
      let origin = try NukeOrigin { _ in .data(WholeServer.image) }
      defer { origin.stop() }
      try await WholeServer.with { server in
        let queue = server.service.pipeline.configuration.imageEncodingQueue
        queue.isSuspended = true
        var client: RawClient? = try RawClient(port: server.port)
        try await client?.send(request(WholeServer.path(origin.url("/"))))
        #expect(await becomesTrue { server.service.statistics.running == 1 })
        client = nil
        #expect(await becomesTrue { server.service.statistics.failures["cancelled"] == 1 })
        queue.isSuspended = false
        #expect(await server.becomesIdle())
        #expect(server.service.statistics.renditions == 0)
        #expect(try await server.get(WholeServer.path(origin.url("/"), "w:20")).status == 200)
        #expect(server.service.statistics.renditions == 1)
      }
    }
  }
#endif
