import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin
import Testing

@Suite("A data loader, when redirected")
struct DataLoaderRedirectTests {
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

  @Test("takes 304 for an answer, wherever it says that it is")
  func notModified() async throws {
    let origin = try NukeOrigin { request in
      NukeOrigin.Response(status: 304, headers: [("Location", "/elsewhere"), ("ETag", "\"1\"")]).scripted(.head)
    }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/a"))
    request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
    let state = await makeLoader().outcome(of: request)
    #expect(state.error == nil)
    #expect(state.head?.status == 304)
    #expect(origin.log.requests.map(\.path) == ["/a"])
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
}
