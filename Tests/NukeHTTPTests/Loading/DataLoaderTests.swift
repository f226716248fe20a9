import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("A data loader over HTTP")
struct DataLoaderTests {
  private let origins = Origins()

  @Test("A repeated Content-Length is accepted", arguments: ["4, 4", "4\r\nContent-Length: 4", " 4 "])
  func repeatedLength(text: String) async throws {
    let origin = try origins.start { _ in
      NukeOrigin.Response().scripted(.raw(Data("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\nbody".utf8)))
    }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.head?.expectedLength == 4)
    #expect(state.body == Data("body".utf8))
  }

  @Test("An ambiguous Content-Length is rejected", arguments: ["4, 5", "4 5", "4x", "+4", "99999999999999999999", ""])
  func badLength(text: String) async throws {
    let origin = try origins.start { _ in
      NukeOrigin.Response().scripted(
        .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\nbody".utf8)), .close)
    }
    let error = await makeLoader().outcome(of: origin.url("/")).error
    guard case .protocolError = error else { throw Unexpected(error) }
  }

  @Test("Statuses are validated like the static function")
  func staticValidation() throws {
    let url = URL(string: "http://127.0.0.1/")!
    let fine = try #require(HTTPURLResponse(url: url, statusCode: 204, httpVersion: nil, headerFields: nil))
    let bad = try #require(HTTPURLResponse(url: url, statusCode: 301, httpVersion: nil, headerFields: nil))
    #expect(DataLoader.validate(response: fine) == nil)
    #expect(DataLoader.validate(response: bad) as? DataLoader.Error == .statusCodeUnacceptable(301))
    let file = URLResponse(url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    #expect(DataLoader.validate(response: file) == nil)
  }

  @Test("Loaders with equal configurations share connections")
  func sharing() async throws {
    let origin = try origins.start { _ in .data(Data("x".utf8)) }
    let loaders = [makeLoader { $0.userAgent = "sharing" }, makeLoader { $0.userAgent = "sharing" }]
    for loader in loaders { #expect(await loader.outcome(of: origin.url("/")).error == nil) }
    #expect(origin.log.connectionsAccepted == 1)
  }

  @Test("A chunk is delivered when it arrives, whatever prefersIncrementalDelivery says", arguments: [false, true])
  func incrementalDelivery(isPreferred: Bool) async throws {
    let gate = ScriptGate()
    let origin = try origins.start { _ in .data(noise(20)).scripted(.head, .bytes(10), .wait(gate), .rest) }
    let loader = makeLoader()
    #expect(!loader.prefersIncrementalDelivery)
    loader.prefersIncrementalDelivery = isPreferred
    #expect(loader.prefersIncrementalDelivery == isPreferred)
    let chunks = AsyncStream<Data>.makeStream()
    let transfer = loader.loadData(
      with: URLRequest(url: origin.url("/")), didReceiveData: { chunk, _ in chunks.continuation.yield(chunk) },
      completion: { _ in chunks.continuation.finish() })
    var body = Data()
    for await chunk in chunks.stream {
      body += chunk
      // The server sends the rest when the beginning has been delivered.
      if body.count >= 10 { gate.open() }
    }
    #expect(body == noise(20))
    withExtendedLifetime(transfer) {}
  }
}
