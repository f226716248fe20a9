import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let failures: [LoaderCheck] = [
    LoaderCheck("reports a reset as a lost connection") { loaders in
      for count in [0, 10] {
        let origin = try loaders.origin { _ in .data(noise(1000)).scripted(.head, .bytes(count), .reset) }
        let state = await loaders.make().outcome(of: origin.url("/"))
        guard case .connectionLost("127.0.0.1", _) = state.error else { throw Unexpected(state.ends) }
        #expect(state.ends.count == 1)
      }
    },
    LoaderCheck("reports a body that ends before its stated length as a lost connection, after delivering what arrived")
    {
      loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).framed(.declared(2000)).closing() }
      let state = await loaders.make().outcome(of: origin.url("/"))
      #expect(state.body == noise(1000))
      guard case .connectionLost = state.error else { throw Unexpected(state.ends) }
    },
    LoaderCheck("reports a chunked body that breaks off") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).framed(.chunked).scripted(.head, .bytes(10), .close) }
      let state = await loaders.make().outcome(of: origin.url("/"))
      guard case .connectionLost = state.error else { throw Unexpected(state.ends) }
    },
    LoaderCheck("reports broken chunked coding as a broken protocol") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).framed(.brokenChunked) }
      let state = await loaders.make().outcome(of: origin.url("/"))
      guard case .protocolError = state.error else { throw Unexpected(state.ends) }
    },
    LoaderCheck("reports an answer that is not HTTP as a broken protocol") { loaders in
      let origin = try loaders.origin { _ in .garbage() }
      let state = await loaders.make().outcome(of: origin.url("/"))
      guard case .protocolError("127.0.0.1", _) = state.error else { throw Unexpected(state.ends) }
      #expect(state.body.isEmpty)
    },
    LoaderCheck("reports a connection that is closed without a response, after at most one retry") { loaders in
      let origin = try loaders.origin { _ in .closed }
      let state = await loaders.make().outcome(of: origin.url("/"))
      guard case .connectionLost = state.error else { throw Unexpected(state.ends) }
      #expect(origin.log.requests.count <= 2)
    },
    LoaderCheck("does not send a body a second time") { loaders in
      let origin = try loaders.origin { _ in .closed }
      var request = URLRequest(url: origin.url("/"))
      request.httpMethod = "POST"
      request.httpBody = Data("x".utf8)
      let state = await loaders.make().outcome(of: request)
      guard case .connectionLost = state.error else { throw Unexpected(state.ends) }
      #expect(origin.log.requests.count == 1)
    },
    LoaderCheck("reports a refused connection, with the host and the system's message") { loaders in
      let port = try RefusingPort()
      let error = await loaders.make().outcome(of: port.url("/")).error
      withExtendedLifetime(port) {}
      #expect(error == .cannotConnect(host: "127.0.0.1", reason: "Connection refused"))
      #expect(error?.description == "Could not connect to 127.0.0.1: Connection refused.")
    },
    LoaderCheck("reports an unknown host") { loaders in
      let error = await loaders.make().outcome(of: URL(string: "http://nosuchhost.invalid/a.jpg")!).error
      #expect(error == .cannotResolveHost("nosuchhost.invalid"))
    },
    LoaderCheck("reports a server that does not speak TLS") { loaders in
      let plain = try PlainListener(answer: "HTTP/1.1 400 Bad Request\r\n\r\n")
      let state = await loaders.make().outcome(of: URL(string: "https://127.0.0.1:\(plain.port)/")!)
      guard case .tlsFailed("127.0.0.1", _) = state.error else { throw Unexpected(state.ends) }
    },
    LoaderCheck("refuses URLs that it cannot load") { loaders in
      for text in ["gopher://127.0.0.1/", "mailto:a@b.c", "about:blank"] {
        let url = try #require(URL(string: text))
        #expect(await loaders.make().outcome(of: url).error == .unsupportedScheme(url.scheme ?? ""))
      }
    },
    LoaderCheck("refuses a URL without a host or a scheme") { loaders in
      for text in ["http://", "http:///a", "http:/a", "a/b.jpg"] {
        let url = try #require(URL(string: text))
        #expect(await loaders.make().outcome(of: url).error == .malformedURL(text))
      }
    },
    LoaderCheck("recovers: the next request works after each kind of failure") { loaders in
      let origin = try loaders.origin { request in
        switch request.path {
        case "/reset": .data(noise(10)).scripted(.head, .reset)
        case "/garbage": .garbage()
        case "/closed": .closed
        case "/short": .data(noise(10)).framed(.declared(20)).closing()
        default: .data(noise(10))
        }
      }
      let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
      for path in ["/reset", "/garbage", "/closed", "/short"] {
        #expect(await loader.outcome(of: origin.url(path)).error != nil)
        #expect(await loader.outcome(of: origin.url("/fine")).body == noise(10))
      }
    },
  ]

  static let limits: [LoaderCheck] = [
    LoaderCheck("times out after the idle time without data") { loaders in
      for count in [0, 10] {
        let origin = try loaders.origin { _ in
          .data(noise(1000)).scripted(count == 0 ? .stall : .head, .bytes(count), .stall)
        }
        let loader = loaders.make { $0.idleTimeout = 0.3 }
        let state = await loader.outcome(of: origin.url("/"))
        #expect(state.error == .timedOut(.idle, host: "127.0.0.1", seconds: 0.3))
        #expect(state.body.count == count)
        try await origin.waitUntil { $0.closedEarly == 1 }
      }
    },
    LoaderCheck("lets a request state its idle time") { loaders in
      let origin = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      var request = URLRequest(url: origin.url("/"))
      request.timeoutInterval = 0.2
      let error = await loaders.make().outcome(of: request).error
      #expect(error == .timedOut(.idle, host: "127.0.0.1", seconds: 0.2))
    },
    LoaderCheck("counts time in the queue neither as idle nor as connecting") { loaders in
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in .data(Data("x".utf8)).held(by: gate) }
      let stalling = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      let loader = loaders.make {
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
      #expect(await first.finished().hasError == false)
      #expect(await second.finished().hasError == false)
    },
    LoaderCheck("gives up on a whole transfer after the resource time, in the queue too") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).trickled(1, .delay(0.02)) }
      let loader = loaders.make {
        $0.resourceTimeout = 0.3
        $0.maximumConnectionsPerHost = 1
      }
      let recorders = (0..<3).map { _ in loader.record(URLRequest(url: origin.url("/"))).recorder }
      for recorder in recorders {
        #expect(await recorder.finished().error == .timedOut(.resource, host: "127.0.0.1", seconds: 0.3))
      }
    },
    LoaderCheck("gives up on a handshake that does not end within the connect time") { loaders in
      // It waits for the end of a request's head, and takes the client's hello for its beginning.
      let origin = try loaders.origin { _ in .closed }
      let url = URL(string: "https://127.0.0.1:\(origin.port)/")!
      let error = await loaders.make { $0.connectTimeout = 0.3 }.outcome(of: url).error
      #expect(error == .timedOut(.connect, host: "127.0.0.1", seconds: 0.3))
    },
    LoaderCheck("rejects a body above the limit; if its length is stated, before delivering any of it") {
      loaders in
      let origin = try loaders.origin { request in
        .data(noise(100_000)).framed(request.path == "/stated" ? .contentLength : .chunked)
      }
      let loader = loaders.make()
      let stated = await loader.outcome(of: origin.url("/stated"), limit: 99_999)
      #expect(stated.error == .bodyTooLarge(limit: 99_999))
      #expect(stated.body.isEmpty)
      let unstated = await loader.outcome(of: origin.url("/unstated"), limit: 50_000)
      #expect(unstated.error == .bodyTooLarge(limit: 50_000))
      #expect(unstated.body.count <= 50_000)
      #expect(await loader.outcome(of: origin.url("/stated"), limit: 100_000).hasError == false)
      let configured = loaders.make { $0.maximumBodySize = 10 }
      #expect(await configured.outcome(of: origin.url("/stated"), limit: 20).error == .bodyTooLarge(limit: 10))
    },
  ]
}
