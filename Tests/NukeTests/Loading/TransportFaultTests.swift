import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeLoaderSuite
import NukeOrigin
import Testing

/// What the article "When the Network Fails" says.
@Suite("A data loader that tries twice again", .timeLimit(.minutes(2)))
struct TransportFaultTests {
  @Test("ends as documented", arguments: TransportFault.all)
  func outcome(of fault: TransportFault) async throws {
    let count = Lock(0)
    let origin = try NukeOrigin { request in
      fault.respond(
        request,
        count.withLock { count in
          defer { count += 1 }
          return count
        })
    }
    defer { origin.stop() }
    let configuration = makeConfiguration {
      $0.userAgent = UUID().uuidString
      fault.configure(&$0)
    }
    let loader = DataLoader(
      configuration: configuration, retryPolicy: RetryPolicy(maxRetryCount: 2, initialDelay: 0))
    let state = await loader.outcome(of: fault.url?(origin) ?? origin.url("/"))
    #expect(state.error.map(Self.name) == fault.error)
    #expect(origin.log.requests.count == fault.requests)
    #expect(state.body.count == fault.bytes)
    #expect(fault.bytes < 1000 || state.body == TransportFault.body.prefix(fault.bytes))
    #expect(state.heads.count == (fault.bytes > 0 ? 1 : 0))
    #expect(state.ends.count == 1)
  }

  @Test("does all that the article says, and the article says all")
  func article() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/Nuke/Nuke.docc/NetworkFaults.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.map(String.init)
    // Without the head of the table.
    #expect(Array(rows.dropFirst(2)) == TransportFault.all.map(\.row))
  }

  private static func name(_ error: DataLoader.Error) -> String {
    switch error {
    case .statusCodeUnacceptable(let status): "statusCodeUnacceptable(\(status))"
    case .timedOut(let phase, _, _): "timedOut(.\(phase))"
    default: Mirror(reflecting: error).children.first?.label ?? "\(error)"
    }
  }
}
