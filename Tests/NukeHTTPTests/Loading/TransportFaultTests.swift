import Foundation
import NukeLoaderSuite
import Testing

@Suite("The faults in the article \"When the network fails\"")
struct TransportFaultTests {
  @Test("The table equals the results that the loaders are tested for")
  func article() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let text = try String(
      contentsOf: root.appendingPathComponent("Sources/Nuke/Nuke.docc/NetworkFaults.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.map(String.init)
    // Without the head of the table.
    #expect(Array(rows.dropFirst(2)) == TransportFault.all.map(\.row))
  }
}
