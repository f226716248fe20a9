import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite(
  "A data loader over TLS", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"))
struct DataLoaderTLSTests {
  @Test("Concurrent requests share one HTTP/2 connection from the start")
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

  @Test("The certificate authorities in a folder are trusted")
  func authoritiesInFolder() async throws {
    let server = try TLSServer(files: ["a": noise(100)])
    defer { server.stop() }
    let folder = try TemporaryFolder()
    _ = folder.file("ca.pem", try Data(contentsOf: URL(fileURLWithPath: server.authority)))
    try TLSServer.runOpenSSL(["rehash", folder.url.path])
    #expect(await makeLoader { $0.caPath = folder.url.path }.outcome(of: server.url("/a")).body == noise(100))
  }

  @Test("A redirect from HTTPS to HTTP is not followed, even if the request began with HTTP")
  func downgrade() async throws {
    let server = try TLSServer(
      files: ["a": noise(100)], directives: "location = /down { return 302 http://localhost:$arg_port/a; }")
    defer { server.stop() }
    let url = server.url("/down?port=\(server.plainPort)")
    let loader = makeLoader { $0.caFile = server.authority }
    let refused = await loader.outcome(of: url)
    #expect(refused.error == .insecureRedirect(host: "localhost"))
    #expect(refused.body.isEmpty)
    // The same handle of libcurl is used for what begins in the open.
    #expect(await loader.outcome(of: server.plainURL("/down?port=\(server.plainPort)")).body == noise(100))
    #expect(await loader.outcome(of: url).error == .insecureRedirect(host: "localhost"))
    let lenient = makeLoader {
      $0.caFile = server.authority
      $0.followsInsecureRedirects = true
    }
    #expect(await lenient.outcome(of: url).body == noise(100))
  }

  @Test("A redirect from HTTPS to HTTP is not followed after one from HTTP to HTTPS")
  func laterDowngrade() async throws {
    let server = try TLSServer(
      files: ["a": noise(100)],
      directives: """
        location = /up { return 302 https://localhost:$arg_secure/down?port=$arg_port; }
        location = /down { return 302 HTTP://localhost:$arg_port/a; }
        """)
    defer { server.stop() }
    let url = server.plainURL("/up?secure=\(server.port)&port=\(server.plainPort)")
    let refused = await makeLoader { $0.caFile = server.authority }.outcome(of: url)
    #expect(refused.error == .insecureRedirect(host: "localhost"))
    #expect(refused.body.isEmpty)
    let lenient = makeLoader {
      $0.caFile = server.authority
      $0.followsInsecureRedirects = true
    }
    #expect(await lenient.outcome(of: url).body == noise(100))
  }

  @Test("Credentials are not sent over HTTP to the same host")
  func credentials() async throws {
    let server = try TLSServer(
      files: [:],
      directives: """
        location = /down { return 302 http://localhost:$arg_port/seen; }
        location = /seen { add_header X-Seen "[$http_authorization$http_cookie]"; return 200; }
        """)
    defer { server.stop() }
    let loader = makeLoader {
      $0.caFile = server.authority
      $0.followsInsecureRedirects = true
    }
    var request = URLRequest(url: server.url("/seen"))
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    #expect(await loader.outcome(of: request).head?.value(forField: "X-Seen") == "[Bearer secret]")
    request.url = server.url("/down?port=\(server.plainPort)")
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    #expect(await loader.outcome(of: request).head?.value(forField: "X-Seen") == "[]")
  }

  @Test("A real server responds to conditional range requests", arguments: [true, false])
  func ranges(isSecure: Bool) async throws {
    let body = noise(100_000)
    let server = try TLSServer(files: ["a.jpg": body])
    defer { server.stop() }
    let loader = makeLoader { $0.caFile = server.authority }
    let url = isSecure ? server.url("/a.jpg") : server.plainURL("/a.jpg")
    let whole = await loader.outcome(of: url)
    let tag = try #require(whole.head?.value(forField: "ETag"))
    var request = URLRequest(url: url)
    request.setValue("bytes=40000-", forHTTPHeaderField: "Range")
    request.setValue(tag, forHTTPHeaderField: "If-Range")
    let rest = await loader.outcome(of: request)
    #expect(rest.head?.status == 206)
    #expect(rest.head?.value(forField: "Content-Range") == "bytes 40000-99999/100000")
    #expect(rest.body == body.dropFirst(40_000))
    request.setValue("\"other\"", forHTTPHeaderField: "If-Range")
    let changed = await loader.outcome(of: request)
    #expect(changed.head?.status == 200)
    #expect(changed.body == body)
    request.setValue("bytes=100000-", forHTTPHeaderField: "Range")
    request.setValue(nil, forHTTPHeaderField: "If-Range")
    #expect(await loader.outcome(of: request).unacceptableStatus == 416)
  }

  @Test("A plain HTTP/1.1 connection is reused")
  func keepAlive() async throws {
    let server = try TLSServer(files: ["a": noise(1000)])
    defer { server.stop() }
    let loader = makeOwnLoader()
    var connections: Set<String> = []
    for _ in 0..<10 {
      let head = await loader.outcome(of: server.plainURL("/log")).head
      #expect(head?.value(forField: "X-Protocol") == "HTTP/1.1")
      connections.insert(try #require(head?.value(forField: "X-Connection")))
      #expect(await loader.outcome(of: server.plainURL("/a")).body == noise(1000))
    }
    #expect(connections.count == 1)
  }

  @Test("No request is lost if a server closes its HTTP/2 connections")
  func goAway() async throws {
    let server = try TLSServer(files: ["a.jpg": noise(30_000)], directives: "keepalive_requests 20;")
    defer { server.stop() }
    let loader = makeOwnLoader { $0.caFile = server.authority }
    for _ in 0..<3 {
      let recorders = (0..<50).map { _ in loader.record(URLRequest(url: server.url("/a.jpg"))).recorder }
      for recorder in recorders {
        let state = await recorder.finished()
        #expect(state.error == nil)
        #expect(state.body == noise(30_000))
      }
    }
  }

  @Test("Running transfers finish while the server is replaced, and later ones use the new one")
  func reload() async throws {
    let server = try TLSServer(files: ["large": noise(8 << 20), "small": noise(1000)])
    defer { server.stop() }
    let loader = makeOwnLoader { $0.caFile = server.authority }
    let first = try #require(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Connection"))
    let stored = Lock<(any Transfer)?>(nil)
    let recorder = Recorder(onChunk: { stored.withLock { $0 }?.pause() })
    let transfer = loader.stream(URLRequest(url: server.url("/large")), limit: nil, observer: recorder)
    stored.withLock { $0 = transfer }
    await recorder.waitUntil { !$0.chunkSizes.isEmpty }
    server.reload()
    // The old worker answers on its connections until the new one has taken over.
    var connection = first
    while connection == first {
      let state = await loader.outcome(of: server.url("/log"))
      #expect(state.error == nil)
      connection = state.head?.value(forField: "X-Connection") ?? "none"
    }
    stored.withLock { $0 = nil }
    transfer.resume()
    #expect(await recorder.finished().body == noise(8 << 20))
  }
}
