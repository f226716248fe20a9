import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("A data loader, when things go wrong")
struct DataLoaderFailureTests {
  @Test("reports a reset as a lost connection", arguments: [0, 10])
  func reset(after count: Int) async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).scripted(.head, .bytes(count), .reset) }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    guard case .connectionLost("127.0.0.1", _) = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
    #expect(state.ends.count == 1)
  }

  @Test("reports a body that ends before its stated length as a lost connection")
  func truncated() async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).framed(.declared(2000)).closing() }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.body == noise(1000))
    guard case .connectionLost = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
  }

  @Test("takes no more of a body than its stated length")
  func tooLong() async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).framed(.declared(10)).closing() }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.error == nil)
    #expect(state.body == noise(10))
  }

  @Test("reports a chunked body that breaks off")
  func truncatedChunks() async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).framed(.chunked).scripted(.head, .bytes(10), .close) }
    defer { origin.stop() }
    guard case .connectionLost = await makeLoader().outcome(of: origin.url("/")).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("reports broken chunked coding as a broken protocol")
  func brokenChunks() async throws {
    let origin = try NukeOrigin { _ in .data(noise(1000)).framed(.brokenChunked) }
    defer { origin.stop() }
    guard case .protocolError = await makeLoader().outcome(of: origin.url("/")).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("reports an answer that is not HTTP as a broken protocol")
  func garbage() async throws {
    let origin = try NukeOrigin { _ in .garbage() }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    guard case .protocolError("127.0.0.1", _) = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
    #expect(state.body.isEmpty)
  }

  @Test("reports a connection that is closed without an answer")
  func noAnswer() async throws {
    let origin = try NukeOrigin { _ in .closed }
    defer { origin.stop() }
    guard case .connectionLost = await makeLoader().outcome(of: origin.url("/")).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("reports a refused connection, with the host and the system's words")
  func refused() async throws {
    let port = try RefusingPort()
    let error = await makeLoader().outcome(of: port.url("/")).error
    withExtendedLifetime(port) {}
    #expect(error == .cannotConnect(host: "127.0.0.1", reason: "Connection refused"))
    #expect(error?.description == "No connection to 127.0.0.1: Connection refused.")
  }

  @Test("reports an unknown host")
  func unknownHost() async throws {
    let error = await makeLoader().outcome(of: URL(string: "http://nosuchhost.invalid/a.jpg")!).error
    #expect(error == .cannotResolveHost("nosuchhost.invalid"))
  }

  @Test("gives up on a server that sends nothing for the idle time", arguments: [0, 10])
  func idle(after count: Int) async throws {
    let origin = try NukeOrigin { _ in
      .data(noise(1000)).scripted(count == 0 ? .stall : .head, .bytes(count), .stall)
    }
    defer { origin.stop() }
    let state = await makeLoader { $0.idleTimeout = 0.3 }.outcome(of: origin.url("/"))
    #expect(state.error == .timedOut(.idle, host: "127.0.0.1", seconds: 0.3))
    #expect(state.body.count == count)
    try await origin.waitUntil { $0.closedEarly == 1 }
  }

  @Test("lets a request state its idle time")
  func requestTimeout() async throws {
    let origin = try NukeOrigin { _ in NukeOrigin.Response().scripted(.stall) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.timeoutInterval = 0.2
    #expect(
      await makeLoader().outcome(of: request).error == .timedOut(.idle, host: "127.0.0.1", seconds: 0.2))
  }

  @Test("does not count time in the queue as idle")
  func queued() async throws {
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)).held(by: gate) }
    defer { origin.stop() }
    let stalling = try NukeOrigin { _ in NukeOrigin.Response().scripted(.stall) }
    defer { stalling.stop() }
    let loader = makeLoader {
      $0.maximumConnectionsPerHost = 1
      $0.idleTimeout = 0.2
      $0.connectTimeout = 0.2
    }
    var patient = URLRequest(url: origin.url("/first"))
    patient.timeoutInterval = 100
    let first = loader.record(patient).recorder
    let second = loader.record(URLRequest(url: origin.url("/second"))).recorder
    // Two stalls one after another take longer than the limit.
    for _ in 0..<2 { #expect(await loader.outcome(of: stalling.url("/")).error != nil) }
    #expect(!second.state.isFinished)
    gate.open()
    #expect(await first.finished().error == nil)
    #expect(await second.finished().error == nil)
  }

  @Test("gives up on a whole transfer after the resource time, in the queue too")
  func resourceTimeout() async throws {
    let origin = try NukeOrigin { _ in
      .data(noise(1000)).trickled(1, .delay(0.02))
    }
    defer { origin.stop() }
    let loader = makeLoader {
      $0.resourceTimeout = 0.3
      $0.maximumConnectionsPerHost = 1
    }
    let recorders = (0..<3).map { _ in loader.record(URLRequest(url: origin.url("/"))).recorder }
    for recorder in recorders {
      #expect(await recorder.finished().error == .timedOut(.resource, host: "127.0.0.1", seconds: 0.3))
    }
  }

  @Test("gives up on a handshake that does not end within the connect time")
  func connectTimeout() async throws {
    // It waits for the end of a request's head, and takes the client's hello for its beginning.
    let origin = try NukeOrigin { _ in .closed }
    defer { origin.stop() }
    let url = URL(string: "https://127.0.0.1:\(origin.port)/")!
    let error = await makeLoader { $0.connectTimeout = 0.3 }.outcome(of: url).error
    #expect(error == .timedOut(.connect, host: "127.0.0.1", seconds: 0.3))
  }

  @Test("reports a server that does not speak TLS")
  func notTLS() async throws {
    let plain = try PlainListener(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
    let error = await makeLoader().outcome(of: URL(string: "https://127.0.0.1:\(plain.port)/")!).error
    guard case .tlsFailed("127.0.0.1", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("refuses a body past the limit, where its length is stated before a byte of it is delivered")
  func limit() async throws {
    let origin = try NukeOrigin { request in
      .data(noise(100_000)).framed(request.path == "/stated" ? .contentLength : .chunked)
    }
    defer { origin.stop() }
    let loader = makeLoader()
    let stated = await loader.outcome(of: origin.url("/stated"), limit: 99_999)
    #expect(stated.error == .bodyTooLarge(limit: 99_999))
    #expect(stated.body.isEmpty)
    let unstated = await loader.outcome(of: origin.url("/unstated"), limit: 50_000)
    #expect(unstated.error == .bodyTooLarge(limit: 50_000))
    #expect(unstated.body.count <= 50_000)
    #expect(await loader.outcome(of: origin.url("/stated"), limit: 100_000).error == nil)
    let configured = await makeLoader { $0.maximumBodySize = 10 }.outcome(of: origin.url("/stated"), limit: 20)
    #expect(configured.error == .bodyTooLarge(limit: 10))
  }

  @Test("refuses a head without end", arguments: ["one field", "many fields", "early hints", "after the body"])
  func endlessHead(kind: String) async throws {
    let line = Data("X-Padding: \(String(repeating: "a", count: 1000))\r\n".utf8)
    let fields = (0..<600).reduce(into: Data()) { data, _ in data += line }
    let origin = try NukeOrigin { _ in
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
    defer { origin.stop() }
    guard case .protocolError("127.0.0.1", _) = await makeLoader().outcome(of: origin.url("/")).error else {
      Issue.record("no error")
      return
    }
    try await origin.waitUntil { $0.connectionsOpen == 0 }
  }

  @Test("delivers what is compressed as it comes")
  func encodedBody() async throws {
    let origin = try NukeOrigin { _ in
      .init(headers: [("Content-Encoding", "gzip")], body: Data([0x1F, 0x8B]) + noise(500))
    }
    defer { origin.stop() }
    #expect(await makeLoader().outcome(of: origin.url("/")).body == Data([0x1F, 0x8B]) + noise(500))
  }

  @Test("refuses URLs that it cannot load", arguments: ["gopher://127.0.0.1/", "mailto:a@b.c", "about:blank"])
  func schemes(text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(await makeLoader().outcome(of: url).error == .unsupportedScheme(url.scheme ?? ""))
  }

  @Test("refuses a URL without a host or a scheme", arguments: ["http://", "http:///a", "http:/a", "a/b.jpg"])
  func malformed(text: String) async throws {
    let url = try #require(URL(string: text))
    let error = await makeLoader().outcome(of: url).error
    #expect(error == .malformedURL(text))
  }

  @Test("recovers: the next request works after each kind of failure")
  func recovery() async throws {
    let origin = try NukeOrigin { request in
      switch request.path {
      case "/reset": .data(noise(10)).scripted(.head, .reset)
      case "/garbage": .garbage()
      case "/closed": .closed
      case "/short": .data(noise(10)).framed(.declared(20)).closing()
      default: .data(noise(10))
      }
    }
    defer { origin.stop() }
    let loader = makeLoader { $0.maximumConnectionsPerHost = 1 }
    for path in ["/reset", "/garbage", "/closed", "/short"] {
      #expect(await loader.outcome(of: origin.url(path)).error != nil)
      #expect(await loader.outcome(of: origin.url("/fine")).body == noise(10))
    }
  }
}
