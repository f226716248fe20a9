import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let redirects: [LoaderCheck] = [
    LoaderCheck("follows redirects, and names the URL that answered") { loaders in
      for status in [301, 302, 303, 307, 308] {
        let origin = try loaders.origin { request in
          request.path == "/end" ? .data(Data("end".utf8)) : .redirect(to: "/end", status: status)
        }
        let state = await loaders.make().outcome(of: origin.url("/start"))
        #expect(state.hasError == false)
        #expect(state.heads.count == 1)
        #expect(state.head?.url == origin.url("/end"))
        #expect(state.head?.urlResponse().url == origin.url("/end"))
        #expect(state.head?.status == 200)
        #expect(state.body == Data("end".utf8))
      }
    },
    LoaderCheck("does not deliver the body of a redirect, short or long") { loaders in
      for length in [5000, 1_000_000] {
        let origin = try loaders.origin { request in
          var response = NukeOrigin.Response.redirect(to: "/end")
          response.body = noise(length)
          return request.path == "/end" ? .data(Data("end".utf8)) : response
        }
        #expect(await loaders.make().outcome(of: origin.url("/start")).body == Data("end".utf8))
      }
    },
    LoaderCheck("sends a form's fields on where the status says so, else asks with GET") { loaders in
      for (status, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
        let origin = try loaders.origin { request in
          request.path == "/end" ? .data(Data("end".utf8)) : .redirect(to: "/end", status: status)
        }
        var request = URLRequest(url: origin.url("/start"))
        request.httpMethod = "POST"
        request.httpBody = Data("a=b".utf8)
        #expect(await loaders.make().outcome(of: request).body == Data("end".utf8))
        let last = try #require(origin.log.requests.last)
        #expect(last.method == method)
        #expect(last.body == (method == "POST" ? Data("a=b".utf8) : Data()))
      }
    },
    LoaderCheck("follows as many redirects as the limit says, and no more") { loaders in
      let origin = try loaders.origin { request in
        let number = Int(request.path.dropFirst()) ?? 0
        return number == 0 ? .data(Data("end".utf8)) : .redirect(to: "/\(number - 1)")
      }
      let loader = loaders.make { $0.maximumRedirects = 3 }
      #expect(await loader.outcome(of: origin.url("/3")).body == Data("end".utf8))
      #expect(await loader.outcome(of: origin.url("/4")).error == .tooManyRedirects(limit: 3))
      #expect(await loaders.make().outcome(of: origin.url("/11")).error == .tooManyRedirects(limit: 10))
      let none = loaders.make { $0.maximumRedirects = 0 }
      #expect(await none.outcome(of: origin.url("/1")).error == .tooManyRedirects(limit: 0))
    },
    LoaderCheck("follows to http and https only") { loaders in
      let locations = [
        "file:///etc/hostname", "FILE:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/",
        "dict://127.0.0.1/d",
        "scp://127.0.0.1/a", "smb://127.0.0.1/a", "data:,a", "javascript:1",
      ]
      for location in locations {
        let origin = try loaders.origin { _ in .redirect(to: location) }
        let state = await loaders.make().outcome(of: origin.url("/"))
        #expect(state.error == .unsupportedScheme(String(location.prefix { $0 != ":" })))
        #expect(state.body.isEmpty)
      }
    },
    LoaderCheck("keeps credentials for their own origin") { loaders in
      let other = try loaders.origin { _ in .data(Data("x".utf8)) }
      let target = other.url("/")
      let origin = try loaders.origin { request in
        .redirect(to: request.path == "/" ? "/again" : target.absoluteString)
      }
      var request = URLRequest(url: origin.url("/"))
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("a=b", forHTTPHeaderField: "Cookie")
      #expect(await loaders.make().outcome(of: request).hasError == false)
      #expect(origin.log.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
      #expect(other.log.requests.count == 1)
      #expect(other.log.requests.first?.header("Authorization") == nil)
      #expect(other.log.requests.first?.header("Cookie") == nil)
    },
    LoaderCheck("keeps the password in a URL, and a request's own Host, for their own origin") { loaders in
      let other = try loaders.origin { _ in .data(Data("x".utf8)) }
      let target = other.url("/").absoluteString
      let port = Lock<UInt16>(0)
      let origin = try loaders.origin { request in
        .redirect(to: request.path == "/" ? "http://127.0.0.1:\(port.withLock { $0 })/again" : target)
      }
      port.withLock { $0 = origin.port }
      var request = URLRequest(url: try #require(URL(string: "http://me:secret@127.0.0.1:\(origin.port)/")))
      request.setValue("pictures.test", forHTTPHeaderField: "Host")
      #expect(await loaders.make().outcome(of: request).hasError == false)
      let basic = "Basic " + Data("me:secret".utf8).base64EncodedString()
      #expect(origin.log.requests.map { $0.header("Authorization") } == [basic, basic])
      #expect(origin.log.requests.map { $0.header("Host") } == ["pictures.test", "pictures.test"])
      #expect(other.log.requests.map { $0.header("Authorization") } == [nil])
      #expect(other.log.requests.map { $0.header("Host") } == ["127.0.0.1:\(other.port)"])
    },
    LoaderCheck("keeps the connection where the body of a redirect is short, stated or not, and no other") {
      loaders in
      let origin = try loaders.origin { request in
        var response = NukeOrigin.Response.redirect(to: "/end")
        response.body = noise(request.path == "/long" ? 1_000_000 : 5000)
        return switch request.path {
        case "/short": response
        case "/chunked", "/long": response.framed(.chunked)
        case "/endless": response.framed(.chunked).scripted(.head, .bytes(1000), .stall)
        case "/stalling": response.scripted(.head, .bytes(1000), .stall)
        default: .data(Data("end".utf8))
        }
      }
      let loader = loaders.make {
        $0.maximumConnectionsPerHost = 1
        $0.idleTimeout = 2
      }
      let paths = [("/short", 1), ("/chunked", 1), ("/long", 2), ("/endless", 3), ("/stalling", 4)]
      for (path, connections) in paths {
        #expect(await loader.outcome(of: origin.url(path)).body == Data("end".utf8))
        #expect(origin.log.connectionsAccepted == connections, "\(path)")
      }
      // All of the long one may be on its way by the time.
      try await origin.waitUntil { $0.closedEarly >= 2 }
    },
    LoaderCheck("applies the resource timeout to a redirect whose body stalls") { loaders in
      let origin = try loaders.origin { request in
        guard request.path == "/start" else { return .data(Data("late".utf8)).scripted(.delay(2.5), .head, .rest) }
        var response = NukeOrigin.Response.redirect(to: "/end")
        response.body = noise(5000)
        return response.scripted(.head, .bytes(1000), .stall)
      }
      let loader = loaders.make {
        $0.idleTimeout = 3
        $0.resourceTimeout = 3.2
      }
      // The answer would come before the idle time is over a second time.
      let state = await loader.outcome(of: origin.url("/start"))
      #expect(state.error == .timedOut(.resource, host: "127.0.0.1", seconds: 3.2))
    },
    LoaderCheck("gives its place at a host back when it is redirected to another, however slow that is") { loaders in
      let slow = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      let target = slow.url("/").absoluteString
      let origin = try loaders.origin { $0.path == "/away" ? .redirect(to: target) : .data(Data("here".utf8)) }
      let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
      let away = (0..<3).map { _ in loader.record(URLRequest(url: origin.url("/away"))) }
      try await slow.waitUntil { $0.requests.count == 1 }
      #expect(await loader.outcome(of: origin.url("/here")).body == Data("here".utf8))
      // The limit holds at the other host too.
      #expect(slow.log.requests.count == 1)
      for (_, transfer) in away { transfer.cancel() }
      for (recorder, _) in away { #expect(await recorder.finished().error == .cancelled) }
    },
    LoaderCheck("waits for a place where it is redirected to, and goes by priority there") { loaders in
      let order = try await loaders.orderBehindRedirects(of: ["a", "b", "c", "d"]) { transfers in
        transfers["a"]?.setPriority(.low)
        transfers["c"]?.setPriority(.veryHigh)
        transfers["d"]?.setPriority(.high)
      }
      #expect(order == ["c", "d", "b", "a"])
    },
    LoaderCheck("never reaches the host it is redirected to when cancelled in the queue there") { loaders in
      let order = try await loaders.orderBehindRedirects(of: ["a", "b", "c"]) { $0["b"]?.cancel() }
      #expect(order == ["a", "c"])
    },
    LoaderCheck("does not count the wait for the host it is redirected to as idle") { loaders in
      let gate = ScriptGate()
      let busy = try loaders.origin { _ in .data(Data("x".utf8)).held(by: gate) }
      let target = busy.url("/second").absoluteString
      let origin = try loaders.origin { $0.path == "/away" ? .redirect(to: target) : .data(Data("here".utf8)) }
      let stalling = try loaders.origin { _ in NukeOrigin.Response().scripted(.stall) }
      let loader = loaders.make {
        $0.maximumConnectionsPerHost = 1
        $0.idleTimeout = 2
      }
      var patient = URLRequest(url: busy.url("/first"))
      patient.timeoutInterval = 100
      let first = loader.record(patient).recorder
      try await busy.waitUntil { $0.requests.count == 1 }
      let away = loader.record(URLRequest(url: origin.url("/away"))).recorder
      #expect(await loader.outcome(of: origin.url("/here")).hasError == false)
      // Two stalls one after another take longer than the limit.
      for _ in 0..<2 { #expect(await loader.outcome(of: stalling.url("/")).error != nil) }
      #expect(!away.state.isFinished)
      gate.open()
      #expect(await first.finished().hasError == false)
      #expect(await away.finished().body == Data("x".utf8))
    },
  ]
}

extension Loaders {
  /// Holds the one connection to a host, has another host redirect the others there, and says in which order the first
  /// saw them.
  fileprivate func orderBehindRedirects(
    of paths: [String], _ change: ([String: any Transfer]) -> Void
  ) async throws -> [String] {
    let gate = ScriptGate()
    let target = try origin { _ in .data(Data("x".utf8)).held(by: gate) }
    let origin = try origin { request in
      request.path == "/last" ? .data(Data("x".utf8)) : .redirect(to: target.url(request.path).absoluteString)
    }
    let loader = make { $0.maximumConnectionsPerHost = 1 }
    let first = loader.record(URLRequest(url: target.url("/first"))).recorder
    try await target.waitUntil { $0.requests.count == 1 }
    var transfers: [String: any Transfer] = [:]
    var recorders: [Recorder] = []
    for path in paths {
      let (recorder, transfer) = loader.record(URLRequest(url: origin.url("/\(path)")))
      transfers[path] = transfer
      recorders.append(recorder)
    }
    // Its turn comes when each of the others has given its place back.
    #expect(await loader.outcome(of: origin.url("/last")).hasError == false)
    change(transfers)
    gate.open()
    for recorder in [first] + recorders { await recorder.finished() }
    return target.log.requests.dropFirst().map { String($0.path.dropFirst()) }
  }
}
