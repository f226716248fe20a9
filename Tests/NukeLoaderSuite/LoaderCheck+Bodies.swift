import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let bodies: [LoaderCheck] = [
    LoaderCheck("delivers the head, then the body, then one end") { loaders in
      let body = noise(100_000)
      let origin = try loaders.origin { _ in .data(body, type: "image/jpeg") }
      let state = await loaders.make().outcome(of: origin.url("/a.jpg"))
      #expect(state.body == body)
      #expect(state.heads.count == 1)
      #expect(state.head?.status == 200)
      #expect(state.head?.expectedLength == 100_000)
      #expect(state.head?.url == origin.url("/a.jpg"))
      #expect(state.ends.count == 1)
      #expect(state.hasError == false)
    },
    LoaderCheck("gives the closures of DataLoading chunks with an HTTP response, then one completion") { loaders in
      let body = noise(50_000)
      let origin = try loaders.origin { _ in
        var response = NukeOrigin.Response.data(body, type: "image/png")
        response.headers += [("ETag", "\"v1\""), ("X-Part", "one"), ("x-part", "two")]
        return response
      }
      let received = Lock<(Data, [URLResponse])>((Data(), []))
      let loader = loaders.make()
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
      #expect(response.value(forHTTPHeaderField: "etag") == "\"v1\"")
      #expect(response.value(forHTTPHeaderField: "X-Part") == "one, two")
    },
    LoaderCheck("completes without a chunk if the body is empty") { loaders in
      for status in [200, 204] {
        let origin = try loaders.origin { _ in .init(status: status) }
        let state = await loaders.make().outcome(of: origin.url("/"))
        #expect(state.head?.status == status)
        #expect(state.chunkSizes.isEmpty)
        #expect(state.ends.count == 1)
        #expect(state.hasError == false)
      }
    },
    LoaderCheck("reads chunked bodies and bodies that end with the connection, their length unknown") { loaders in
      let body = noise(70_000)
      let origin = try loaders.origin { request in
        request.path == "/chunked"
          ? .data(body).framed(.chunked).trickled(1000, .bytes(0)) : .data(body).framed(.untilClose)
      }
      for path in ["/chunked", "/close"] {
        let state = await loaders.make().outcome(of: origin.url(path))
        #expect(state.hasError == false)
        #expect(state.head?.expectedLength == nil)
        #expect(state.body == body)
      }
    },
    LoaderCheck("ignores bytes after the stated length of a body") { loaders in
      let origin = try loaders.origin { _ in .data(noise(1000)).framed(.declared(10)).closing() }
      let state = await loaders.make().outcome(of: origin.url("/"))
      #expect(state.hasError == false)
      #expect(state.body == noise(10))
    },
    LoaderCheck("reads files and data: URLs, unless told not to") { loaders in
      let folder = try TemporaryFolder()
      let file = folder.file("a.bin", noise(5000))
      #expect(await loaders.make().outcome(of: file).body == noise(5000))
      #expect(await loaders.make().outcome(of: URL(string: "data:,abc")!).body == Data("abc".utf8))
      let remote = loaders.make { $0.isLocalResourcesSupportEnabled = false }
      #expect(await remote.outcome(of: file).error == .unsupportedScheme("file"))
    },
    LoaderCheck("requests a range, and receives the whole body if the validator differs") { loaders in
      let body = noise(10_000)
      let origin = try loaders.origin { .ranged(body, etag: "\"v2\"", for: $0) }
      let loader = loaders.make()
      var request = URLRequest(url: origin.url("/"))
      request.setValue("bytes=4000-", forHTTPHeaderField: "Range")
      request.setValue("\"v2\"", forHTTPHeaderField: "If-Range")
      let rest = await loader.outcome(of: request)
      #expect(rest.head?.status == 206)
      #expect(rest.head?.value(forField: "Content-Range") == "bytes 4000-9999/10000")
      #expect(rest.head?.expectedLength == 6000)
      #expect(rest.body == body.dropFirst(4000))
      request.setValue("\"v1\"", forHTTPHeaderField: "If-Range")
      let whole = await loader.outcome(of: request)
      #expect(whole.head?.status == 200)
      #expect(whole.body == body)
    },
    LoaderCheck("answers fresh responses from the HTTP cache, and validates stale ones") { loaders in
      let body = noise(10_000)
      let origin = try loaders.origin { request in
        let life = request.path == "/fresh" ? "max-age=3600" : "no-cache"
        var response = NukeOrigin.Response.data(body)
        if request.header("If-None-Match") == "\"v1\"" { response = .init(status: 304) }
        response.headers += [("Cache-Control", life), ("ETag", "\"v1\"")]
        return response
      }
      let folder = try TemporaryFolder()
      let cache = try HTTPCache(path: folder.url)
      let loader = loaders.make { $0.urlCache = cache }
      for path in ["/fresh", "/changing"] {
        for _ in 0..<2 {
          let state = await loader.outcome(of: origin.url(path))
          #expect(state.hasError == false)
          #expect(state.head?.status == 200)
          #expect(state.body == body)
        }
      }
      #expect(origin.log.requests(to: "/fresh").count == 1)
      #expect(origin.log.requests(to: "/changing").map { $0.header("If-None-Match") } == [nil, "\"v1\""])
    },
    LoaderCheck("ends each of 2,000 requests exactly once, over few connections") { loaders in
      let body = noise(2000)
      let origin = try loaders.origin { .data(body, type: $0.path) }
      let loader = loaders.make()
      let recorders = (0..<2000).map { loader.record(URLRequest(url: origin.url("/\($0)"))).recorder }
      for (number, recorder) in recorders.enumerated() {
        let state = await recorder.finished()
        #expect(state.hasError == false)
        #expect(state.body == body)
        #expect(state.head?.value(forField: "content-type") == "/\(number)")
      }
      #expect(recorders.allSatisfy { $0.state.ends.count == 1 })
      #expect(origin.log.requests.count == 2000)
      #expect(origin.log.connectionsAccepted <= 6)
    },
    LoaderCheck("finishes running transfers when it is released, and then closes its connections") { loaders in
      let gate = ScriptGate()
      let body = noise(1000)
      let origin = try loaders.origin { _ in .data(body).scripted(.head, .bytes(10), .wait(gate), .rest) }
      var loader: (any StreamingDataLoading)? = loaders.make()
      let recorder = Recorder()
      var transfer = loader?.stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
      await recorder.waitUntil { !$0.chunkSizes.isEmpty }
      loader = nil
      gate.open()
      #expect(await recorder.finished().body == body)
      // A handle that is left does no harm.
      transfer?.cancel()
      transfer = nil
      try await origin.waitUntil { $0.connectionsOpen == 0 }
      #expect(recorder.state.ends.count == 1)
    },
  ]
}
