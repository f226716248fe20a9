import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let tls: [LoaderCheck] = [
    LoaderCheck("trusts the authority that it is told to, and speaks HTTP/2 where the server does") { loaders in
      let server = try TLSServer(files: ["a.jpg": noise(100_000)])
      defer { server.stop() }
      let loader = loaders.make { $0.caFile = server.authority }
      let state = await loader.outcome(of: server.url("/a.jpg"))
      #expect(state.hasError == false)
      #expect(state.body == noise(100_000))
      #expect(state.head?.expectedLength == 100_000)
      let log = await loader.outcome(of: server.url("/log"))
      #expect(log.head?.value(forField: "x-protocol") == "HTTP/2.0")
      let response = try #require(log.head?.urlResponse() as? HTTPURLResponse)
      #expect(response.statusCode == 200)
      #expect(response.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
    },
    LoaderCheck("sends many requests over one HTTP/2 connection") { loaders in
      let server = try TLSServer(files: ["a.jpg": noise(30_000)])
      defer { server.stop() }
      let loader = loaders.make { $0.caFile = server.authority }
      #expect(await loader.outcome(of: server.url("/log")).hasError == false)
      let recorders = (0..<200).map { number in
        loader.record(URLRequest(url: server.url(number % 2 == 0 ? "/log" : "/a.jpg"))).recorder
      }
      var connections: Set<String> = []
      for (number, recorder) in recorders.enumerated() {
        let state = await recorder.finished()
        #expect(state.hasError == false)
        if number % 2 == 0 {
          connections.insert(try #require(state.head?.value(forField: "X-Connection")))
        } else {
          #expect(state.body == noise(30_000))
        }
      }
      #expect(connections.count == 1)
    },
    LoaderCheck("holds back one HTTP/2 stream and lets the others on its connection go on") { loaders in
      let server = try TLSServer(files: ["large": noise(8 << 20), "small": noise(1000)])
      defer { server.stop() }
      let loader = loaders.make { $0.caFile = server.authority }
      // The connection is made first, so that both streams share it.
      #expect(await loader.outcome(of: server.url("/small")).hasError == false)
      let recorder = Recorder()
      let transfer = loader.stream(URLRequest(url: server.url("/large")), limit: nil, observer: recorder)
      transfer.pause()
      #expect(await loader.outcome(of: server.url("/small")).body == noise(1000))
      #expect(!recorder.state.isFinished)
      transfer.resume()
      #expect(await recorder.finished().body == noise(8 << 20))
    },
    LoaderCheck("leaves an HTTP/2 connection in use when one of its streams is cancelled") { loaders in
      let server = try TLSServer(files: ["large": noise(8 << 20)])
      defer { server.stop() }
      let loader = loaders.make { $0.caFile = server.authority }
      let first = try #require(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Connection"))
      let recorder = Recorder()
      let transfer = loader.stream(URLRequest(url: server.url("/large")), limit: nil, observer: recorder)
      transfer.pause()
      transfer.cancel()
      #expect(await recorder.finished().error == .cancelled)
      #expect(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Connection") == first)
    },
    LoaderCheck("speaks HTTP/1.1 where it is told to") { loaders in
      let server = try TLSServer(files: [:])
      defer { server.stop() }
      let loader = loaders.make {
        $0.caFile = server.authority
        $0.httpVersion = .http1
      }
      #expect(await loader.outcome(of: server.url("/log")).head?.value(forField: "X-Protocol") == "HTTP/1.1")
    },
    LoaderCheck("refuses a certificate of an authority that it does not know") { loaders in
      let server = try TLSServer(files: [:])
      defer { server.stop() }
      let state = await loaders.make().outcome(of: server.url("/log"))
      guard case .certificateNotTrusted("localhost", let reason) = state.error else { throw Unexpected(state.ends) }
      #expect(reason.contains("certificate"))
    },
    LoaderCheck("refuses a certificate of another host") { loaders in
      let server = try TLSServer(files: [:])
      defer { server.stop() }
      let url = URL(string: "https://127.0.0.1:\(server.port)/log")!
      let state = await loaders.make { $0.caFile = server.authority }.outcome(of: url)
      guard case .certificateNotTrusted = state.error else { throw Unexpected(state.ends) }
    },
    LoaderCheck("follows a redirect from https to http only where it is told to") { loaders in
      let server = try TLSServer(
        files: ["a": noise(100)], directives: "location = /down { return 302 http://localhost:$arg_port/a; }")
      defer { server.stop() }
      let url = server.url("/down?port=\(server.plainPort)")
      let refused = await loaders.make { $0.caFile = server.authority }.outcome(of: url)
      #expect(refused.error == .insecureRedirect(host: "localhost"))
      #expect(refused.body.isEmpty)
      let lenient = loaders.make {
        $0.caFile = server.authority
        $0.followsInsecureRedirects = true
      }
      #expect(await lenient.outcome(of: url).body == noise(100))
    },
    LoaderCheck("resumes a truncated body by a range, through a proxy that speaks HTTP/2") { loaders in
      let body = noise(200_000)
      let origin = try loaders.origin { request in
        let response = NukeOrigin.Response.ranged(body, etag: "\"1\"", for: request)
        return request.header("Range") == nil ? response.scripted(.head, .bytes(100_000), .reset) : response
      }
      let server = try TLSServer(
        files: [:], directives: "location / { proxy_pass http://127.0.0.1:\(origin.port); proxy_force_ranges off; }")
      defer { server.stop() }
      let broken = await loaders.make { $0.caFile = server.authority }.outcome(of: server.url("/a"))
      guard case .connectionLost? = broken.error else { throw Unexpected(broken.ends) }
      #expect(broken.head?.value(forField: "ETag") == "\"1\"")
      let retrying = loaders.make(retrying: 1) { $0.caFile = server.authority }
      #expect(await retrying.outcome(of: server.url("/a")).body == body)
      #expect(origin.log.requests.last?.header("Range") != nil)
    },
    LoaderCheck("reports a file of authorities that is missing") { loaders in
      let server = try TLSServer(files: [:])
      defer { server.stop() }
      let state = await loaders.make { $0.caFile = "/nonexistent/ca.pem" }.outcome(of: server.url("/log"))
      guard case .tlsFailed = state.error else { throw Unexpected(state.ends) }
    },
  ]
}
