import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("A data loader, when redirected")
struct DataLoaderRedirectTests {
  @Test("follows, and names the URL that answered", arguments: [301, 302, 303, 307, 308])
  func follows(status: Int) async throws {
    let origin = try NukeOrigin { request in
      request.path == "/end" ? .data(Data("end".utf8)) : .redirect(to: "/end", status: status)
    }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/start"))
    #expect(state.error == nil)
    #expect(state.heads.count == 1)
    #expect(state.head?.url == origin.url("/end"))
    #expect(state.head?.urlResponse().url == origin.url("/end"))
    #expect(state.head?.status == 200)
    #expect(state.body == Data("end".utf8))
  }

  @Test("does not deliver the body of a redirect")
  func redirectBody() async throws {
    let origin = try NukeOrigin { request in
      var response = NukeOrigin.Response.redirect(to: "/end")
      response.body = noise(5000)
      return request.path == "/end" ? .data(Data("end".utf8)) : response
    }
    defer { origin.stop() }
    #expect(await makeLoader().outcome(of: origin.url("/start")).body == Data("end".utf8))
  }

  @Test("follows as many redirects as the limit says, and no more")
  func limit() async throws {
    let origin = try NukeOrigin { request in
      let number = Int(request.path.dropFirst()) ?? 0
      return number == 0 ? .data(Data("end".utf8)) : .redirect(to: "/\(number - 1)")
    }
    defer { origin.stop() }
    let loader = makeLoader { $0.maximumRedirects = 3 }
    #expect(await loader.outcome(of: origin.url("/3")).body == Data("end".utf8))
    #expect(await loader.outcome(of: origin.url("/4")).error == .tooManyRedirects(limit: 3))
    let none = makeLoader { $0.maximumRedirects = 0 }
    #expect(await none.outcome(of: origin.url("/1")).error == .tooManyRedirects(limit: 0))
  }

  @Test("leaves a circle at the limit")
  func circle() async throws {
    let origin = try NukeOrigin { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
    defer { origin.stop() }
    #expect(await makeLoader().outcome(of: origin.url("/a")).error == .tooManyRedirects(limit: 10))
    #expect(origin.log.requests.count == 11)
  }

  @Test(
    "follows to http and https only",
    arguments: [
      "file:///etc/hostname", "FILE:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "dict://127.0.0.1/d",
      "scp://127.0.0.1/a", "smb://127.0.0.1/a", "data:,a", "javascript:1",
    ])
  func schemes(location: String) async throws {
    let origin = try NukeOrigin { _ in .redirect(to: location) }
    defer { origin.stop() }
    let state = await makeLoader().outcome(of: origin.url("/"))
    #expect(state.error == .unsupportedScheme(String(location.prefix { $0 != ":" })))
    #expect(state.body.isEmpty)
  }

  @Test("lets a plain origin redirect to a plain one, and heeds no cookie on the way")
  func cookies() async throws {
    let origin = try NukeOrigin { request in
      var response = NukeOrigin.Response.data(Data("x".utf8))
      if request.path == "/start" { response = .redirect(to: "/end") }
      response.headers.append(("Set-Cookie", "id=1; Path=/"))
      return response
    }
    defer { origin.stop() }
    let loader = makeLoader()
    for path in ["/start", "/again"] { #expect(await loader.outcome(of: origin.url(path)).error == nil) }
    #expect(origin.log.requests.map(\.path) == ["/start", "/end", "/again"])
    #expect(origin.log.requests.allSatisfy { $0.header("Cookie") == nil })
  }

  @Test("keeps credentials from another origin")
  func credentials() async throws {
    let other = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { other.stop() }
    let target = other.url("/")
    let origin = try NukeOrigin { _ in .redirect(to: target.absoluteString) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    request.setValue("a=b", forHTTPHeaderField: "Cookie")
    #expect(await makeLoader().outcome(of: request).error == nil)
    #expect(origin.log.requests.first?.header("Authorization") == "Bearer secret")
    #expect(other.log.requests.count == 1)
    #expect(other.log.requests.first?.header("Authorization") == nil)
    #expect(other.log.requests.first?.header("Cookie") == nil)
  }

  @Test("keeps the user and password of a URL, and fields of all requests, from another origin")
  func credentialsInURL() async throws {
    let other = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { other.stop() }
    let target = other.url("/")
    let origin = try NukeOrigin { .redirect(to: $0.path == "/" ? "/same" : target.absoluteString) }
    defer { origin.stop() }
    let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(origin.port)/"))
    #expect(await makeLoader().outcome(of: url).error == nil)
    let basic = "Basic " + Data("me:secret".utf8).base64EncodedString()
    #expect(origin.log.requests.map { $0.header("Authorization") } == [basic, basic])

    let loader = makeLoader { $0.additionalHeaders = ["authorization": "Bearer secret"] }
    #expect(await loader.outcome(of: origin.url("/")).error == nil)
    #expect(origin.log.requests.last?.header("Authorization") == "Bearer secret")

    #expect(other.log.requests.count == 2)
    #expect(other.log.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test("refuses credentials for a proxy among a request's fields, which servers would see")
  func proxyCredentials() async throws {
    let origin = try NukeOrigin { _ in .data(Data("x".utf8)) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.setValue("Basic abc", forHTTPHeaderField: "Proxy-Authorization")
    guard case .malformedRequest = await makeLoader().outcome(of: request).error else {
      Issue.record("no error")
      return
    }
    #expect(origin.log.requests.isEmpty)
  }
}
