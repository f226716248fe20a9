import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("Failures of a data loader")
struct DataLoaderFailureTests {
  private let origins = Origins()

  @Test("A head with too many short fields is rejected")
  func manyFields() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n" + String(repeating: "A:\r\n", count: 2000) + "\r\nx"
    let origin = try origins.start { _ in NukeOrigin.Response().scripted(.raw(Data(head.utf8)), .close) }
    let error = await makeLoader().outcome(of: origin.url("/")).error
    #expect(error == .protocolError(host: "127.0.0.1", reason: "it has more than 2000 header fields"))
  }

  @Test("A line with a space is a folded field, and not the end of the head")
  func foldedBlank() async throws {
    let head = "HTTP/1.1 200 OK\r\nX-A: 1\n \nCache-Control: no-store\r\nContent-Length: 1\r\n\r\nx"
    let origin = try origins.start { _ in NukeOrigin.Response().scripted(.raw(Data(head.utf8)), .close) }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.error == nil && state.body == Data("x".utf8))
    #expect(state.head?.value(forField: "Cache-Control") == "no-store")
  }

  @Test("An endless head is rejected", arguments: ["one field", "many fields", "early hints", "after the body"])
  func endlessHead(kind: String) async throws {
    let line = Data("X-Padding: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let fields = (0..<600).reduce(into: Data()) { data, _ in data += line }
    let origin = try origins.start { _ in
      let start = Data("HTTP/1.1 200 OK\r\n".utf8)
      let response = NukeOrigin.Response()
      switch kind {
      case "one field": return response.scripted(.raw(start + "X: ".utf8 + noise(600_000).map { $0 | 0x41 }), .stall)
      case "many fields": return response.scripted(.raw(start + fields), .stall)
      case "early hints":
        let hint = Data("HTTP/1.1 103 Early Hints\r\n".utf8) + line + Data("\r\n".utf8)
        return response.scripted(.raw((0..<600).reduce(into: Data()) { data, _ in data += hint }), .stall)
      default:
        let body = Data("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n".utf8)
        return response.scripted(.raw(start + body + fields), .stall)
      }
    }
    let error = await makeLoader().outcome(of: origin.url("/")).error
    guard case .protocolError("127.0.0.1", _) = error else { throw Unexpected(error) }
    try await origin.waitUntil { $0.connectionsOpen == 0 }
  }
}
