import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let requests: [LoaderCheck] = [
    LoaderCheck("sends the request's fields, and its own where the request has none") { loaders in
      let origin = try loaders.origin { _ in .data(Data("x".utf8)) }
      let loader = loaders.make {
        $0.additionalHeaders = ["X-All": "all", "x-own": "not this"]
        $0.userAgent = "Tests/1"
      }
      _ = await loader.outcome(of: origin.url("/plain"))
      var request = URLRequest(url: origin.url("/own"))
      request.setValue("image/avif", forHTTPHeaderField: "Accept")
      request.setValue("br", forHTTPHeaderField: "Accept-Encoding")
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
      #expect(own.header("Accept-Encoding") == "br")
      #expect(own.header("User-Agent") == "Me")
      #expect(own.header("X-Own") == "this")
      #expect(own.header("X-Empty") == "")
      #expect(own.header("X-All") == "all")
      #expect(own.headers.count { $0.name.lowercased() == "accept" } == 1)
    },
    LoaderCheck("sends the path and the query as they are written") { loaders in
      let origin = try loaders.origin { _ in .data(Data("x".utf8)) }
      _ = await loaders.make().outcome(of: origin.url("/a%20b/%E2%82%AC.jpg?w=1&u=a%2Fb"))
      #expect(origin.log.requests.first?.path == "/a%20b/%E2%82%AC.jpg")
      #expect(origin.log.requests.first?.query == "w=1&u=a%2Fb")
    },
    LoaderCheck("refuses a field that would break the request apart") { loaders in
      let loader = loaders.make { $0.additionalHeaders = ["X-Bad": "a\r\nX-More: b"] }
      let error = await loader.outcome(of: URL(string: "http://127.0.0.1:9/")!).error
      guard case .malformedRequest = error else { throw Unexpected(error) }
    },
    LoaderCheck("refuses to send a proxy's credentials to a server") { loaders in
      var request = URLRequest(url: URL(string: "http://127.0.0.1:9/")!)
      request.setValue("Basic c2VjcmV0", forHTTPHeaderField: "Proxy-Authorization")
      let error = await loaders.make().outcome(of: request).error
      guard case .malformedRequest = error else { throw Unexpected(error) }
    },
    LoaderCheck("sends methods and bodies, and afterwards plain requests again") { loaders in
      let origin = try loaders.origin { .data($0.body) }
      let loader = loaders.make()
      let body = noise(2_000_000)
      for method in ["POST", "PUT", "DELETE", "HEAD", "GET"] {
        var request = URLRequest(url: origin.url("/\(method)"))
        request.httpMethod = method
        if method == "POST" || method == "PUT" { request.httpBody = body }
        let state = await loader.outcome(of: request)
        #expect(state.hasError == false)
        #expect(state.body == request.httpBody ?? Data())
      }
      let log = origin.log
      #expect(log.requests.map(\.method) == ["POST", "PUT", "DELETE", "HEAD", "GET"])
      #expect(log.requests.map(\.body.count) == [2_000_000, 2_000_000, 0, 0, 0])
      #expect(log.requests.last?.header("Content-Length") == nil)
    },
    LoaderCheck("takes the length that a HEAD response states for no body") { loaders in
      let origin = try loaders.origin { _ in .data(noise(5000)) }
      var request = URLRequest(url: origin.url("/"))
      request.httpMethod = "HEAD"
      let state = await loaders.make().record(request, limit: 10).recorder.finished()
      #expect(state.hasError == false)
      #expect(state.head?.expectedLength == 5000)
      #expect(state.body.isEmpty)
    },
    LoaderCheck("uses a connection again") { loaders in
      let origin = try loaders.origin { _ in .data(Data("x".utf8)) }
      let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
      for _ in 0..<20 { #expect(await loader.outcome(of: origin.url("/")).hasError == false) }
      #expect(origin.log.connectionsAccepted == 1)
    },
    LoaderCheck("retries if a reused connection turns out to be closed") { loaders in
      // Each response promises to keep the connection and breaks the promise.
      let origin = try loaders.origin { _ in .data(Data("x".utf8)).scripted(.head, .rest, .close) }
      let loader = loaders.make()
      for _ in 0..<20 {
        let state = await loader.outcome(of: origin.url("/"))
        #expect(state.hasError == false)
      }
      #expect(origin.log.requests.count == 20)
    },
    LoaderCheck("keeps to the connections per host that the configuration allows") { loaders in
      for limit in [1, 6] {
        let gate = ScriptGate()
        let origin = try loaders.origin { _ in .data(Data("x".utf8)).held(by: gate) }
        let loader = loaders.make { $0.maximumConnectionsPerHost = limit }
        let recorders = (0..<20).map { loader.record(URLRequest(url: origin.url("/\($0)"))).recorder }
        try await origin.waitUntil { $0.requests.count == limit }
        // Another host is served meanwhile: all is done that can be for the first.
        let other = try loaders.origin { _ in .data(Data("y".utf8)) }
        #expect(await loader.outcome(of: other.url("/")).hasError == false)
        #expect(origin.log.requests.count == limit)
        gate.open()
        for recorder in recorders { #expect(await recorder.finished().hasError == false) }
        #expect(origin.log.requests.count == 20)
        #expect(origin.log.connectionsAccepted == limit)
      }
    },
  ]

  static let statuses: [LoaderCheck] = [
    LoaderCheck("reports a status outside 200…299 without the body, and keeps the connection") { loaders in
      for status in [304, 404, 500] {
        let origin = try loaders.origin { $0.path == "/" ? .status(status) : .data(Data("fine".utf8)) }
        // The end is told with the head; the next request waits here until the body is read.
        let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
        let state = await loader.outcome(of: origin.url("/"))
        #expect(state.unacceptableStatus == status)
        #expect(state.ends.count == 1)
        #expect(state.heads.isEmpty && state.body.isEmpty)
        #expect(await loader.outcome(of: origin.url("/next")).body == Data("fine".utf8))
        #expect(origin.log.connectionsAccepted == 1)
      }
    },
    LoaderCheck("delivers a 304 with its fields to a conditional request") { loaders in
      let fields = [(name: "ETag", value: "\"v1\""), (name: "Cache-Control", value: "max-age=60")]
      let origin = try loaders.origin { _ in .init(status: 304, headers: fields) }
      var request = URLRequest(url: origin.url("/"))
      request.setValue("\"v1\"", forHTTPHeaderField: "If-None-Match")
      let loader = loaders.make()
      let state = await loader.outcome(of: request)
      #expect(state.hasError == false)
      #expect(state.head?.status == 304)
      #expect(state.head?.value(forField: "Cache-Control") == "max-age=60")
      #expect(state.body.isEmpty)
      // To the closures of DataLoading by an empty part.
      let told = Lock<[String?]>([])
      _ = await withCheckedContinuation { continuation in
        _ = loader.loadData(with: request) { data, response in
          let value = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control")
          told.withLock { $0.append(data.isEmpty ? value : nil) }
        } completion: {
          continuation.resume(returning: $0 == nil)
        }
      }
      #expect(told.withLock { $0 } == ["max-age=60"])
    },
    LoaderCheck("reports an unacceptable status with the header, without waiting for the body") { loaders in
      let origin = try loaders.origin { _ in
        var response = NukeOrigin.Response.status(404).scripted(.head, .stall)
        response.body = noise(1_000_000)
        return response
      }
      let loader = loaders.make()
      #expect(await loader.outcome(of: origin.url("/")).unacceptableStatus == 404)
      try await origin.waitUntil { $0.closedEarly == 1 }
    },
    LoaderCheck("asks its own validation about the response") { loaders in
      struct Refused: Error {}
      let origin = try loaders.origin { .data(Data("x".utf8), type: $0.path == "/a" ? "text/html" : "image/png") }
      let loader = loaders.make(validate: { $0.mimeType == "image/png" ? nil : Refused() })
      let refused = await loader.outcome(of: origin.url("/a"))
      #expect(refused.ends.first.map { $0 is Refused } == true)
      #expect(refused.body.isEmpty)
      #expect(await loader.outcome(of: origin.url("/b")).hasError == false)
    },
  ]
}
