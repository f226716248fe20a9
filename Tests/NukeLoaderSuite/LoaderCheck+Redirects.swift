import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let redirects: [LoaderCheck] = [
    LoaderCheck("follows redirects, and names the URL that answered") { loaders in
      for status in [301, 302, 303, 307, 308] {
        let origin = try NukeOrigin { request in
          request.path == "/end" ? .data(Data("end".utf8)) : .redirect(to: "/end", status: status)
        }
        defer { origin.stop() }
        let state = await loaders.make().outcome(of: origin.url("/start"))
        #expect(state.error == nil)
        #expect(state.heads.count == 1)
        #expect(state.head?.url == origin.url("/end"))
        #expect(state.head?.urlResponse().url == origin.url("/end"))
        #expect(state.head?.status == 200)
        #expect(state.body == Data("end".utf8))
      }
    },
    LoaderCheck("does not deliver the body of a redirect, short or long") { loaders in
      for length in [5000, 1_000_000] {
        let origin = try NukeOrigin { request in
          var response = NukeOrigin.Response.redirect(to: "/end")
          response.body = noise(length)
          return request.path == "/end" ? .data(Data("end".utf8)) : response
        }
        defer { origin.stop() }
        #expect(await loaders.make().outcome(of: origin.url("/start")).body == Data("end".utf8))
      }
    },
    LoaderCheck("sends a form's fields on where the status says so, else asks with GET") { loaders in
      for (status, method) in [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")] {
        let origin = try NukeOrigin { request in
          request.path == "/end" ? .data(Data("end".utf8)) : .redirect(to: "/end", status: status)
        }
        defer { origin.stop() }
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
      let origin = try NukeOrigin { request in
        let number = Int(request.path.dropFirst()) ?? 0
        return number == 0 ? .data(Data("end".utf8)) : .redirect(to: "/\(number - 1)")
      }
      defer { origin.stop() }
      let loader = loaders.make { $0.maximumRedirects = 3 }
      #expect(await loader.outcome(of: origin.url("/3")).body == Data("end".utf8))
      #expect(await loader.outcome(of: origin.url("/4")).error == .tooManyRedirects(limit: 3))
      let none = loaders.make { $0.maximumRedirects = 0 }
      #expect(await none.outcome(of: origin.url("/1")).error == .tooManyRedirects(limit: 0))
    },
    LoaderCheck("leaves a circle at the limit") { loaders in
      let origin = try NukeOrigin { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
      defer { origin.stop() }
      #expect(await loaders.make().outcome(of: origin.url("/a")).error == .tooManyRedirects(limit: 10))
      #expect(origin.log.requests.count == 11)
    },
    LoaderCheck("does not follow to a file or an ftp server") { loaders in
      for location in ["file:///etc/hostname", "ftp://127.0.0.1/a"] {
        let origin = try NukeOrigin { _ in .redirect(to: location) }
        defer { origin.stop() }
        let state = await loaders.make().outcome(of: origin.url("/"))
        #expect(state.error == .unsupportedScheme(String(location.prefix { $0 != ":" })))
        #expect(state.body.isEmpty)
      }
    },
    LoaderCheck("keeps credentials for their own origin") { loaders in
      let other = try NukeOrigin { _ in .data(Data("x".utf8)) }
      defer { other.stop() }
      let target = other.url("/")
      let origin = try NukeOrigin { request in
        .redirect(to: request.path == "/" ? "/again" : target.absoluteString)
      }
      defer { origin.stop() }
      var request = URLRequest(url: origin.url("/"))
      request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
      request.setValue("a=b", forHTTPHeaderField: "Cookie")
      #expect(await loaders.make().outcome(of: request).error == nil)
      #expect(origin.log.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
      #expect(other.log.requests.count == 1)
      #expect(other.log.requests.first?.header("Authorization") == nil)
      #expect(other.log.requests.first?.header("Cookie") == nil)
    },
  ]
}
