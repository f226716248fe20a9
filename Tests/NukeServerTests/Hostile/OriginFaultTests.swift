#if Server
  import Foundation
  import Nuke
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @testable import NukeServer

  /// What the document "Serving images" says.
  @Suite("Failing origins", .timeLimit(.minutes(2)))
  struct OriginFaultTests {
    @Test("The client gets only a status, the operator gets the details, and the next response is correct")
    func faults() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
        for (limits, faults) in Dictionary(grouping: OriginFault.all, by: Limits.init) {
          try await Trial(limits: limits).run(faults)
        }
      }
      if let result { Attachment.record(result.standardOutputContent, named: "faults.md") }
    }

    @Test("The server behaves as documented for every fault")
    func document() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
      let text = try String(contentsOf: root.appendingPathComponent("docs/serving-images.md"), encoding: .utf8)
      let rows = text.components(separatedBy: "| Status | Message to the client | Fault of the source |\n").last?
        .split(separator: "\n").dropFirst().prefix { $0.hasPrefix("| ") }.map(String.init)
      #expect(rows == OriginFault.outcomes.map(\.row))
      #expect(OriginFault.outcomes.flatMap(\.faults).sorted() == OriginFault.all.map(\.name).sorted())
    }
  }

  /// What a server has to be told for a fault.
  private struct Limits: Hashable {
    let connectTimeout: TimeInterval
    let sourceTimeout: TimeInterval
    let sourceByteLimit: Int

    init(_ fault: OriginFault) {
      let fallback = ImageServer.Configuration()
      let configuration = makeConfiguration {
        $0.connectTimeout = fallback.connectTimeout
        $0.idleTimeout = fallback.sourceTimeout
        fault.configure(&$0)
      }
      connectTimeout = configuration.connectTimeout
      // The one limit that the server has for an origin that is silent.
      sourceTimeout = min(configuration.idleTimeout, configuration.resourceTimeout ?? .infinity)
      sourceByteLimit = configuration.maximumBodySize ?? fallback.sourceByteLimit
    }
  }

  /// One server, and all faults that it is to bear, one after the other.
  private struct Trial {
    let limits: Limits

    func run(_ faults: [OriginFault]) async throws {
      let good = try NukeOrigin { _ in .data(WholeServer.image, type: "image/png").closing() }
      defer { good.stop() }
      try await WholeServer.with({
        $0.connectTimeout = limits.connectTimeout
        $0.sourceTimeout = limits.sourceTimeout
        $0.sourceByteLimit = limits.sourceByteLimit
      }) { server in
        let first = try await server.get(WholeServer.path(good.url("/first")))
        #expect(first.status == 200)
        // Libraries open one or two for good when they first need them.
        let descriptors = ProcessUse.descriptors + 2
        // All have the same address, as different machines behind one name.
        let port = try Self.freePort()
        for (number, fault) in faults.enumerated() {
          try await check(fault, id: "fault-\(number)", port, server)
          let answer = try await server.get(WholeServer.path(good.url("/\(number)")))
          #expect(answer.status == 200 && answer.body == first.body, "after: \(fault.name)")
          #expect(await server.becomesIdle(), "\(fault.name)")
          let areClosed = await becomesTrue { ProcessUse.descriptors <= descriptors }
          #expect(areClosed, "\(fault.name): \(ProcessUse.descriptors - descriptors) more descriptors")
        }
      }
    }

    private static func freePort() throws -> UInt16 {
      let origin = try NukeOrigin { _ in .status(404) }
      defer { origin.stop() }
      return origin.port
    }

    private func check(_ fault: OriginFault, id: String, _ port: UInt16, _ server: WholeServer) async throws {
      let count = Lock(0)
      let origin = try NukeOrigin(port: port) { request in
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        // A connection that is kept would be a descriptor more.
        return fault.respond(request, number).closing()
      }
      defer { origin.stop() }
      // The server remembers the failure of a source for a while.
      let source = fault.url?(origin) ?? origin.url("/?\(id)")
      let start = ContinuousClock.now
      let answer = try await server.get(WholeServer.path(source), fields: "X-Request-ID: \(id)\r\n")
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let outcome = try #require(OriginFault.outcome(of: fault.name), "\(fault.name)")
      print("| \(fault.name) | \(answer.status) | \((seconds * 1000).rounded() / 1000) |")
      #expect(answer.status == outcome.status, "\(fault.name): \(answer.text)")
      // Far below what a request has in all.
      #expect(seconds < server.running.server.configuration.requestTimeout / 2, "\(fault.name)")
      guard let message = outcome.message else { return }
      #expect(answer.text == message + "\n", "\(fault.name)")
      for secret in ["127.0.0.1", ":\(origin.port)", "nosuchhost", "curl", "Error", "10.0.0.1", "169.254"] {
        #expect(!(answer.head + answer.text).contains(secret), "\(fault.name) tells \(secret)")
      }
      try checkLog(id, message, fault, server)
    }

    /// The operator reads the same, and why.
    private func checkLog(_ id: String, _ message: String, _ fault: OriginFault, _ server: WholeServer) throws {
      let line = try #require(
        server.running.lines.all.first { $0.contains(#""message":"request""#) && $0.contains("\"\(id)\"") })
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let error = try #require(object["error"] as? String, "\(fault.name)")
      #expect(error.hasPrefix(message) && error.count > message.count + 5, "\(fault.name): \(error)")
    }
  }
#endif
