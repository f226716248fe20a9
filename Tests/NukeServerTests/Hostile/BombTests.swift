#if Server
  import Foundation
  import NukeOrigin
  import NukeServer
  import Testing

  @Suite("Decompression bombs", .timeLimit(.minutes(2)))
  struct BombTests {
    @Test("A server rejects decompression bombs, or renders what fits, within its limits of memory and time")
    func bombs() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        try await WholeServer.with({
          $0.decodeBudget = Trial.budget
          $0.requestTimeout = Trial.deadline
        }) { server in
          for bomb in Bomb.all { try await Trial(bomb: bomb).run(server) }
        }
      }
      if let result { Attachment.record(result.standardOutputContent, named: "bombs.md") }
    }
  }

  private struct Trial {
    let bomb: Bomb

    /// Bytes of pixels that the server may take at a time.
    static let budget = 128 << 20
    static let deadline = 20.0
    /// What the server may take beside pixels: the file as it comes, buffers, and what the system gives later than it is
    /// asked for. Each bomb would be a gigabyte and more, or much longer than the deadline.
    static let allowance = 128 << 20

    func run(_ server: WholeServer) async throws {
      let data = try bomb.make()
      let fields = bomb.fields
      let origin = try NukeOrigin { request in
        guard request.path == "/bomb" else { return .data(WholeServer.image).closing() }
        var response = NukeOrigin.Response.data(data).closing()
        response.headers += fields
        return response
      }
      defer { origin.stop() }
      let good = try await server.get(WholeServer.path(origin.url("/before")))
      try ProcessUse.forgetPeak()
      let before = ProcessUse.memory
      let start = ContinuousClock.now
      let answer = try await server.get(WholeServer.path(origin.url("/bomb"), bomb.options, format: ""))
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let growth = ProcessUse.peakMemory - before
      let rounded = (seconds * 100).rounded() / 100
      print("| \(bomb.name) | \(data.count) | \(answer.status) | \(rounded) | \(growth >> 20) |")
      #expect(data.count < 3 << 20, "\(bomb.name)")
      #expect(bomb.statuses.contains(answer.status), "\(bomb.name): \(answer.status) \(answer.text.prefix(80))")
      #expect(growth < Self.budget + Self.allowance, "\(bomb.name): \(growth >> 20) MiB")
      #expect(seconds < Self.deadline, "\(bomb.name)")
      let again = try await server.get(WholeServer.path(origin.url("/after")))
      #expect(again.status == 200 && again.body == good.body, "after: \(bomb.name)")
      #expect(await server.becomesIdle(), "\(bomb.name)")
    }
  }
#endif
