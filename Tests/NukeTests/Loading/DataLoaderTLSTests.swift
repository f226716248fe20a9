import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import Testing

@Suite(
  "A data loader, over TLS", .serialized,
  .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"))
struct DataLoaderTLSTests {
  @Test("trusts the authority that it is told to, and speaks HTTP/2 where the server does")
  func http2() async throws {
    let server = try TLSServer(files: ["a.jpg": noise(100_000)])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = server.authority }
    let state = await loader.outcome(of: server.url("/a.jpg"))
    #expect(state.error == nil)
    #expect(state.body == noise(100_000))
    #expect(state.head?.expectedLength == 100_000)
    let log = await loader.outcome(of: server.url("/log"))
    #expect(log.head?.value(forField: "x-protocol") == "HTTP/2.0")
    let response = try #require(log.head?.urlResponse() as? HTTPURLResponse)
    #expect(response.statusCode == 200)
    #expect(response.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
  }

  @Test("sends many requests over one HTTP/2 connection")
  func multiplexing() async throws {
    let server = try TLSServer(files: ["a.jpg": noise(30_000)])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = server.authority }
    let recorders = (0..<200).map { number in
      loader.record(URLRequest(url: server.url(number % 2 == 0 ? "/log" : "/a.jpg"))).recorder
    }
    var connections: Set<String> = []
    for (number, recorder) in recorders.enumerated() {
      let state = await recorder.finished()
      #expect(state.error == nil)
      if number % 2 == 0 {
        connections.insert(try #require(state.head?.value(forField: "X-Connection")))
      } else {
        #expect(state.body == noise(30_000))
      }
    }
    #expect(connections.count == 1)
  }

  @Test("holds back one HTTP/2 stream and lets the others on its connection go on")
  func pausedStream() async throws {
    let server = try TLSServer(files: ["large": noise(8 << 20), "small": noise(1000)])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = server.authority }
    // The connection is made first, so that both streams share it.
    #expect(await loader.outcome(of: server.url("/small")).error == nil)
    let recorder = Recorder()
    let transfer = loader.stream(URLRequest(url: server.url("/large")), limit: nil, observer: recorder)
    transfer.pause()
    #expect(await loader.outcome(of: server.url("/small")).body == noise(1000))
    #expect(!recorder.state.isFinished)
    transfer.resume()
    #expect(await recorder.finished().body == noise(8 << 20))
  }

  @Test("leaves an HTTP/2 connection in use when one of its streams is cancelled")
  func cancelledStream() async throws {
    let server = try TLSServer(files: ["large": noise(8 << 20)])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = server.authority }
    let first = try #require(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Connection"))
    let recorder = Recorder()
    let transfer = loader.stream(URLRequest(url: server.url("/large")), limit: nil, observer: recorder)
    transfer.pause()
    transfer.cancel()
    #expect(await recorder.finished().error == .cancelled)
    #expect(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Connection") == first)
  }

  @Test("speaks HTTP/1.1 where it is told to")
  func http1() async throws {
    let server = try TLSServer(files: [:])
    defer { server.stop() }
    let loader = makeLoader {
      $0.caFile = server.authority
      $0.httpVersion = .http1
    }
    #expect(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Protocol") == "HTTP/1.1")
  }

  @Test("refuses a certificate of an authority that it does not know")
  func unknownAuthority() async throws {
    let server = try TLSServer(files: [:])
    defer { server.stop() }
    guard case .tlsFailed("localhost", let reason) = await makeLoader().outcome(of: server.url("/log")).error else {
      Issue.record("no error")
      return
    }
    #expect(reason.contains("certificate"))
  }

  @Test("refuses a certificate of another host")
  func otherHost() async throws {
    let server = try TLSServer(files: [:])
    defer { server.stop() }
    let url = URL(string: "https://127.0.0.1:\(server.port)/log")!
    guard case .tlsFailed = await makeLoader({ $0.caFile = server.authority }).outcome(of: url).error else {
      Issue.record("no error")
      return
    }
  }

  @Test("reports a file of authorities that is missing")
  func missingAuthorities() async throws {
    let server = try TLSServer(files: [:])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = "/nonexistent/ca.pem" }
    guard case .tlsFailed = await loader.outcome(of: server.url("/log")).error else {
      Issue.record("no error")
      return
    }
  }
}
