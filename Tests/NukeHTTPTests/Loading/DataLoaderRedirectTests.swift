import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("Redirects of a data loader")
struct DataLoaderRedirectTests {
  private let origins = Origins()

  @Test("A 304 with a Location is not a redirect")
  func notModified() async throws {
    let origin = try origins.start { request in
      NukeOrigin.Response(status: 304, headers: [("Location", "/elsewhere"), ("ETag", "\"1\"")]).scripted(.head)
    }
    var request = URLRequest(url: origin.url("/a"))
    request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
    let state = await makeLoader().outcome(of: request)
    #expect(state.error == nil)
    #expect(state.head?.status == 304)
    #expect(origin.log.requests.map(\.path) == ["/a"])
  }

  @Test("HTTP may redirect to HTTP, and cookies on the way are ignored")
  func cookies() async throws {
    let origin = try origins.start { request in
      var response = NukeOrigin.Response.data(Data("x".utf8))
      if request.path == "/start" { response = .redirect(to: "/end") }
      response.headers.append(("Set-Cookie", "id=1; Path=/"))
      return response
    }
    let loader = makeLoader()
    for path in ["/start", "/again"] { #expect(await loader.outcome(of: origin.url(path)).error == nil) }
    #expect(origin.log.requests.map(\.path) == ["/start", "/end", "/again"])
    #expect(origin.log.requests.allSatisfy { $0.header("Cookie") == nil })
  }

  @Test("Additional header fields are not sent to another origin")
  func fieldsOfAllRequests() async throws {
    let other = try origins.start { _ in .data(Data("x".utf8)) }
    let target = other.url("/")
    let origin = try origins.start { _ in .redirect(to: target.absoluteString) }
    let loader = makeLoader { $0.additionalHeaders = ["authorization": "Bearer secret"] }
    #expect(await loader.outcome(of: origin.url("/")).error == nil)
    #expect(origin.log.requests.last?.header("Authorization") == "Bearer secret")
    #expect(other.log.requests.map { $0.header("Authorization") } == [nil])
  }
}
