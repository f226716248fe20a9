import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let retrying: [LoaderCheck] = [
    LoaderCheck("hands on one body that comes in parts, over connections that break") { loaders in
      let body = noise(100_000)
      let origin = try loaders.origin { request in
        let whole = NukeOrigin.Response.ranged(body, etag: "\"v1\"", for: request)
        return whole.scripted(.head, .bytes(30_000), .reset)
      }
      let state = await loaders.make(retrying: 3).outcome(of: origin.url("/"))
      #expect(state.hasError == false)
      #expect(state.heads.map(\.status) == [200])
      #expect(state.head?.expectedLength == 100_000)
      #expect(state.body == body)
      // What the system had received when the connection was reset may be lost.
      let ranges = origin.log.requests.map { $0.header("Range") }
      #expect(ranges.count == 4 && ranges[0] == nil && ranges[1] != nil)
    },
    LoaderCheck("retries a busy server after its Retry-After") { loaders in
      let calls = CallCounter()
      let origin = try loaders.origin { _ in
        calls.next() < 3 ? .init(status: 503, headers: [("Retry-After", "0")]) : .data(Data("x".utf8))
      }
      let state = await loaders.make(retrying: 2).outcome(of: origin.url("/"))
      #expect(state.body == Data("x".utf8) && state.refused.isEmpty)
      #expect(origin.log.requests.count == 3)
    },
    LoaderCheck("does not retry without a policy, and reports the server's status") { loaders in
      let origin = try loaders.origin { _ in .init(status: 503, headers: [("Retry-After", "9")]) }
      let state = await loaders.make().outcome(of: origin.url("/"))
      #expect(state.unacceptableStatus == 503)
      #expect(state.refused.map { $0.value(forField: "Retry-After") } == ["9"])
      #expect(origin.log.requests.count == 1)
    },
    LoaderCheck("asks again below a cache, which is told the last answer alone") { loaders in
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url)
      let calls = CallCounter()
      let origin = try loaders.origin { request in
        calls.next() < 3 || request.path == "/busy"
          ? .init(status: 503, headers: [("Retry-After", "0")]) : .data(Data("x".utf8))
      }
      let loader = loaders.make(retrying: 2) { $0.urlCache = cache }
      #expect(await loader.outcome(of: origin.url("/")).body == Data("x".utf8))
      #expect(origin.log.requests.count == 3)
      let refused = await loader.outcome(of: origin.url("/busy"))
      #expect(refused.unacceptableStatus == 503)
      #expect(refused.refused.map { $0.value(forField: "Retry-After") } == ["0"])
      #expect(origin.log.requests.count == 6)
    },
    LoaderCheck("releases observers after the end, with and without an HTTP cache, for every outcome") { loaders in
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url.appendingPathComponent("cache"))
      let origin = try loaders.origin { request in
        request.path == "/missing"
          ? .status(404) : .init(headers: [("Cache-Control", "max-age=60")], body: noise(1000))
      }
      for loader in [loaders.make(), loaders.make { $0.urlCache = cache }] {
        // The second is stored.
        for path in ["/", "/", "/missing"] {
          await loader.letGoOfObserver(of: origin.url(path))
        }
        await loader.letGoOfObserver(of: origin.url("/cancelled"), cancels: true)
        await loader.letGoOfObserver(of: try #require(URL(string: "data:,x")))
      }
    },
    LoaderCheck("does not retry methods that are not idempotent") { loaders in
      for method in ["POST", "PATCH"] {
        let origin = try loaders.origin { _ in .status(503) }
        var request = URLRequest(url: origin.url("/"))
        request.httpMethod = method
        request.httpBody = Data("x".utf8)
        #expect(await loaders.make(retrying: 2).outcome(of: request).unacceptableStatus == 503)
        #expect(origin.log.requests.count == 1)
      }
    },
    LoaderCheck("waits for a server that is not there yet") { loaders in
      let port = try RefusingPort()
      let url = port.url("/")
      let number = try #require(url.port)
      let loader = loaders.make { $0.waitsForConnectivity = true }
      let recorder = loader.record(URLRequest(url: url)).recorder
      // A loader that does not wait is refused meanwhile.
      #expect(await loaders.make().outcome(of: url).error != nil)
      #expect(!recorder.state.isFinished)
      port.close()
      let origin = try NukeOrigin(port: UInt16(number)) { _ in .data(Data("x".utf8)) }
      defer { origin.stop() }
      #expect(await recorder.finished().body == Data("x".utf8))
    },
    LoaderCheck("gives up waiting for a connection when the whole time is over, and when it is cancelled") { loaders in
      let port = try RefusingPort()
      defer { port.close() }
      let loader = loaders.make {
        $0.waitsForConnectivity = true
        $0.resourceTimeout = 0.3
      }
      let state = await loader.outcome(of: port.url("/"))
      #expect(state.error == .timedOut(.resource, host: "127.0.0.1", seconds: 0.3))

      let (recorder, transfer) = loaders.make { $0.waitsForConnectivity = true }.record(URLRequest(url: port.url("/")))
      #expect(await loaders.make().outcome(of: port.url("/")).error != nil)
      transfer.cancel()
      #expect(await recorder.finished().error == .cancelled)
    },
    LoaderCheck("keeps to the whole time over all tries") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).scripted(.delay(0.1), .close) }
      let state = await loaders.make(retrying: 1000) { $0.resourceTimeout = 0.35 }.outcome(of: origin.url("/"))
      // Within a try, or before the next.
      switch state.error {
      case .timedOut(.resource, _, 0.35)?, .connectionLost?: break
      default: Issue.record("\(String(describing: state.error))")
      }
      // A try takes 0.1 s, and none begins after the time is over.
      #expect((1...4).contains(origin.log.requests.count))
    },
    LoaderCheck("does not wait for connections that its configuration rules out") { loaders in
      let loader = loaders.make {
        $0.waitsForConnectivity = true
        $0.addressPolicy = .publicOnly
        $0.proxy = .url(URL(string: "http://127.0.0.1:9")!)
      }
      let state = await loader.outcome(of: URL(string: "http://a.test/")!)
      guard case .cannotConnect = state.error else { throw Unexpected(state.ends) }
    },
  ]
}
