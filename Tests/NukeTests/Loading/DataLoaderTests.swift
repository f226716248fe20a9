import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("A data loader, over HTTP")
struct DataLoaderTests {
  @Test("delivers the head, then the body, then one end")
  func body() async throws {
    let body = noise(100_000)
    let origin = try NukeOrigin { _ in .data(body, type: "image/jpeg") }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/a.jpg"))
    #expect(state.body == body)
    #expect(state.heads.count == 1)
    #expect(state.head?.status == 200)
    #expect(state.head?.expectedLength == 100_000)
    #expect(state.head?.url == origin.url("/a.jpg"))
    #expect(state.ends.count == 1)
    #expect(state.error == nil)
  }

  @Test("gives the closures of DataLoading chunks with an HTTP response, then one completion")
  func closures() async throws {
    let body = noise(50_000)
    let origin = try NukeOrigin { _ in
      var response = NukeOrigin.Response.data(body, type: "image/png")
      response.headers += [("ETag", "\"v1\""), ("X-Part", "one"), ("x-part", "two")]
      return response
    }
    defer { origin.stop() }
    let received = Lock<(Data, [URLResponse])>((Data(), []))
    let loader = makeLoader()
    let error = await withCheckedContinuation { continuation in
      _ = loader.loadData(with: URLRequest(url: origin.url("/"))) { data, response in
        received.withLock {
          $0.0.append(data)
          $0.1.append(response)
        }
      } completion: {
        continuation.resume(returning: $0)
      }
    }
    #expect(error == nil)
    let (data, responses) = received.withLock { $0 }
    #expect(data == body)
    let response = try #require(responses.first as? HTTPURLResponse)
    #expect(response.statusCode == 200)
    #expect(response.mimeType == "image/png")
    #expect(response.expectedContentLength == 50_000)
    #expect(response.value(forHTTPHeaderField: "ETag") == "\"v1\"")
    #expect(response.value(forHTTPHeaderField: "X-Part") == "one, two")
  }

  @Test("completes without a chunk where the body is empty", arguments: [200, 204])
  func empty(status: Int) async throws {
    let origin = try NukeOrigin { _ in .init(status: status) }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.head?.status == status)
    #expect(state.chunkSizes.isEmpty)
    #expect(state.ends.count == 1)
    #expect(state.error == nil)
  }

  @Test("reads chunked bodies and bodies that end with the connection, their length unknown")
  func framings() async throws {
    let body = noise(70_000)
    let origin = try NukeOrigin { request in
      request.path == "/chunked"
        ? .data(body).framed(.chunked).trickled(1000, .bytes(0)) : .data(body).framed(.untilClose)
    }
    defer { origin.stop() }
    for path in ["/chunked", "/close"] {
      let state = await makeLoader().outcome(of: origin.url(path))
      #expect(state.error == nil)
      #expect(state.head?.expectedLength == nil)
      #expect(state.body == body)
    }
  }

  @Test("reads a length that is stated several times over", arguments: ["4, 4", "4\r\nContent-Length: 4", " 4 "])
  func repeatedLength(text: String) async throws {
    let origin = try NukeOrigin { _ in
      NukeOrigin.Response().scripted(.raw(Data("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\nbody".utf8)))
    }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.head?.expectedLength == 4)
    #expect(state.body == Data("body".utf8))
  }

  @Test("takes no length that is not clear", arguments: ["4, 5", "4 5", "4x", "+4", "99999999999999999999", ""])
  func badLength(text: String) async throws {
    let origin = try NukeOrigin { _ in
      NukeOrigin.Response().scripted(
        .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: \(text)\r\n\r\nbody".utf8)), .close)
    }
    defer { origin.stop() }
    guard case .protocolError = await makeLoader().outcome(of: origin.url("/")).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("sends the request's fields, and its own where the request has none")
  func fields() async throws {
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { origin.stop() }
    let loader = makeLoader {
      $0.additionalHeaders = ["X-All": "all", "x-own": "not this"]
      $0.userAgent = "Tests/1"
    }
    _ = await loader.outcome(of: origin.url("/plain"))
    var request = URLRequest(url: origin.url("/own"))
    request.setValue("image/avif", forHTTPHeaderField: "Accept")
    request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
    request.setValue("Me", forHTTPHeaderField: "User-Agent")
    request.setValue("this", forHTTPHeaderField: "X-Own")
    request.setValue("", forHTTPHeaderField: "X-Empty")
    _ = await loader.outcome(of: request)

    let plain = try #require(origin.log.requests(to: "/plain").first)
    for format in ["image/jpeg", "image/png", "image/webp", "image/gif", "*/*;q=0.5"] {
      #expect(plain.header("Accept")?.contains(format) == true)
    }
    #expect(plain.header("Accept-Encoding") == "identity")
    #expect(plain.header("User-Agent") == "Tests/1")
    #expect(plain.header("X-All") == "all")
    #expect(plain.header("Cookie") == nil)
    let own = try #require(origin.log.requests(to: "/own").first)
    #expect(own.header("Accept") == "image/avif")
    #expect(own.header("Accept-Encoding") == "gzip")
    #expect(own.header("User-Agent") == "Me")
    #expect(own.header("X-Own") == "this")
    #expect(own.header("X-Empty") == "")
    #expect(own.header("X-All") == "all")
    #expect(own.headers.count { $0.name.lowercased() == "accept" } == 1)
  }

  @Test("refuses a field that would break the request apart")
  func injection() async throws {
    let loader = makeLoader { $0.additionalHeaders = ["X-Bad": "a\r\nX-More: b"] }
    let state = await loader.outcome(of: URL(string: "http://127.0.0.1:9/")!)
    guard case .malformedRequest = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
  }

  @Test("sends methods and bodies, and afterwards plain requests again")
  func methods() async throws {
    let origin = try NukeOrigin { .data($0.body) }
    defer { origin.stop() }
    let loader = makeLoader()
    let body = noise(2_000_000)
    for method in ["POST", "PUT", "DELETE", "HEAD", "GET"] {
      var request = URLRequest(url: origin.url("/\(method)"))
      request.httpMethod = method
      if method == "POST" || method == "PUT" { request.httpBody = body }
      let state = await loader.outcome(of: request)
      #expect(state.error == nil)
      #expect(state.body == request.httpBody ?? Data())
    }
    let log = origin.log
    #expect(log.requests.map(\.method) == ["POST", "PUT", "DELETE", "HEAD", "GET"])
    #expect(log.requests.map(\.body.count) == [2_000_000, 2_000_000, 0, 0, 0])
    #expect(log.requests.last?.header("Content-Length") == nil)
  }

  @Test("takes the length that a HEAD response states for no body")
  func head() async throws {
    let origin = try NukeOrigin { _ in .data(noise(5000)) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.httpMethod = "HEAD"
    let (recorder, _) = makeLoader().record(request, limit: 10)
    let state = await recorder.finished()
    #expect(state.error == nil)
    #expect(state.head?.expectedLength == 5000)
    #expect(state.body.isEmpty)
  }

  @Test("reports a status outside 200…299 without the body", arguments: [304, 404, 500])
  func statuses(status: Int) async throws {
    let origin = try NukeOrigin { $0.path == "/" ? .status(status) : .data(Data("fine".utf8)) }
    defer { origin.stop() }
    // The end is told with the head; the next request waits here until the body is read.
    let loader = makeOwnLoader { $0.maximumConnectionsPerHost = 1 }
    let state = await loader.outcome(of: origin.url("/"))
    #expect(state.error == .statusCodeUnacceptable(status))
    #expect(state.ends.count == 1)
    #expect(state.heads.isEmpty && state.body.isEmpty)
    // The short body was read, so that the connection could be kept.
    let next = await loader.outcome(of: origin.url("/next"))
    #expect(next.body == Data("fine".utf8))
    #expect(origin.log.connectionsAccepted == 1)
  }

  @Test("reports a bad status with the head, before a body that does not come")
  func statusBeforeBody() async throws {
    let origin = try NukeOrigin { _ in
      var response = NukeOrigin.Response.status(404).scripted(.head, .stall)
      response.body = noise(1_000_000)
      return response
    }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.error == .statusCodeUnacceptable(404))
    try await origin.waitUntil { $0.closedEarly == 1 }
  }

  @Test("asks its own validation about the response")
  func validation() async throws {
    struct Refused: Error {}
    let origin = try NukeOrigin { .data(Data("x".utf8), type: $0.path == "/a" ? "text/html" : "image/png") }
    defer { origin.stop() }
    let loader = DataLoader(configuration: makeConfiguration()) { $0.mimeType == "image/png" ? nil : Refused() }
    let refused = await loader.outcome(of: origin.url("/a"))
    #expect(refused.ends.first.map { $0 is Refused } == true)
    #expect(refused.body.isEmpty)
    #expect(await loader.outcome(of: origin.url("/b")).error == nil)
  }

  @Test("validates statuses as its static function says")
  func staticValidation() throws {
    let url = URL(string: "http://127.0.0.1/")!
    let fine = try #require(HTTPURLResponse(url: url, statusCode: 204, httpVersion: nil, headerFields: nil))
    let bad = try #require(HTTPURLResponse(url: url, statusCode: 301, httpVersion: nil, headerFields: nil))
    #expect(DataLoader.validate(response: fine) == nil)
    #expect(DataLoader.validate(response: bad) as? DataLoader.Error == .statusCodeUnacceptable(301))
    let file = URLResponse(url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    #expect(DataLoader.validate(response: file) == nil)
  }

  @Test("uses a connection again")
  func reuse() async throws {
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { origin.stop() }
    let loader = makeOwnLoader()
    for _ in 0..<20 { #expect(await loader.outcome(of: origin.url("/")).error == nil) }
    #expect(origin.log.connectionsAccepted == 1)
  }

  @Test("tries again where a kept connection turns out to be closed")
  func staleConnection() async throws {
    // The first response promises to keep the connection and breaks the promise.
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)).scripted(.head, .rest, .close) }
    defer { origin.stop() }
    let loader = makeOwnLoader()
    for _ in 0..<20 {
      let state = await loader.outcome(of: origin.url("/"))
      #expect(state.error == nil)
    }
    #expect(origin.log.requests.count == 20)
  }

  @Test("keeps to the connections per host that the configuration allows", arguments: [1, 6])
  func connectionsPerHost(limit: Int) async throws {
    let gate = Gate()
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)).held(by: gate) }
    defer { origin.stop() }
    let loader = makeOwnLoader { $0.maximumConnectionsPerHost = limit }
    let recorders = (0..<20).map { loader.record(URLRequest(url: origin.url("/\($0)"))).recorder }
    try await origin.waitUntil { $0.requests.count == limit }
    // Another host is served meanwhile: the thread has done all it could for the first.
    let other = try NukeOrigin { _ in .data(Data("y".utf8)) }
    defer { other.stop() }
    #expect(await loader.outcome(of: other.url("/")).error == nil)
    #expect(origin.log.requests.count == limit)
    gate.open()
    for recorder in recorders { #expect(await recorder.finished().error == nil) }
    #expect(origin.log.requests.count == 20)
    #expect(origin.log.connectionsAccepted == limit)
  }

  @Test("ends each of 2,000 requests exactly once")
  func many() async throws {
    let body = noise(2000)
    let origin = try NukeOrigin { .data(body, type: $0.path) }
    defer { origin.stop() }
    let loader = makeOwnLoader()
    let recorders = (0..<2000).map { loader.record(URLRequest(url: origin.url("/\($0)"))).recorder }
    for (number, recorder) in recorders.enumerated() {
      let state = await recorder.finished()
      #expect(state.error == nil)
      #expect(state.body == body)
      #expect(state.head?.value(forField: "content-type") == "/\(number)")
    }
    #expect(recorders.allSatisfy { $0.state.ends.count == 1 })
    #expect(origin.log.requests.count == 2000)
    #expect(origin.log.connectionsAccepted <= 6)
  }

  @Test("finishes what runs when it is let go, and then closes its connections")
  func deinitialisation() async throws {
    let gate = Gate()
    let body = noise(1000)
    let origin = try NukeOrigin { _ in .data(body).scripted(.head, .bytes(10), .wait(gate), .rest) }
    defer { origin.stop() }
    var loader: DataLoader? = makeOwnLoader()
    let recorder = Recorder()
    var transfer = loader?.stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
    await recorder.waitUntil { !$0.chunkSizes.isEmpty }
    loader = nil
    gate.open()
    #expect(await recorder.finished().body == body)
    try await origin.waitUntil { $0.connectionsOpen == 0 }
    // The thread is gone; a handle that is left does no harm.
    transfer?.cancel()
    transfer = nil
    #expect(recorder.state.ends.count == 1)
  }

  @Test("shares connections with a loader of the same configuration")
  func sharing() async throws {
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { origin.stop() }
    let loaders = [makeLoader { $0.userAgent = "sharing" }, makeLoader { $0.userAgent = "sharing" }]
    for loader in loaders { #expect(await loader.outcome(of: origin.url("/")).error == nil) }
    #expect(origin.log.connectionsAccepted == 1)
  }
}
