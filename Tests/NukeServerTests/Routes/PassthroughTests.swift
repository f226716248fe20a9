#if Server
  import Foundation
  import NukeCodecs
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Fields and cookies of clients, passed on to sources", .timeLimit(.minutes(1)))
  struct PassthroughTests {
    /// An image whose width is the number in a field of the request; 1 if there is none.
    private static func origin(_ field: String, _ fields: [(name: String, value: String)] = []) throws -> NukeOrigin {
      try NukeOrigin { request in
        let digits = request.header(field)?.filter(\.isNumber) ?? ""
        var response = NukeOrigin.Response.data(SampleImage.png(width: Int(digits) ?? 1, height: 1))
        response.headers += fields
        return response
      }
    }

    private func width(_ answer: RawResponse) throws -> Int {
      try ImageReaders.reader(for: answer.body).header.pixelWidth
    }

    @Test(
      "Each client gets its own image, with and without a cache of sources, and from memory",
      arguments: [false, true])
    func separate(hasCache: Bool) async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-sources-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let origin = try Self.origin("X-User", [(name: "Cache-Control", value: "max-age=600")])
      defer { origin.stop() }
      try await WholeServer.with({
        $0.passedHeaders = ["X-User"]
        if hasCache { $0.sourceCache = folder.path }
      }) { server in
        for _ in 0..<2 {
          for user in [5, 6] {
            // Another format has another key, so that the source is loaded again.
            for format in ["png", "jpeg"] {
              let path = WholeServer.path(origin.url("/a.png"), "w:0", format: format)
              let answer = try await server.get(path, fields: "X-User: \(user)\r\nX-Other: 9\r\n")
              #expect(try width(answer) == user)
              #expect(answer.head.contains("private, max-age=") && answer.head.contains("x-user"))
            }
          }
          let plain = try await server.get(WholeServer.path(origin.url("/a.png"), "w:0"))
          #expect(try width(plain) == 1 && plain.head.contains("public, max-age="))
        }
        #expect(server.service.statistics.memoryHits == 5)
        #expect(origin.log.requests.allSatisfy { $0.header("X-Other") == nil })
      }
    }

    @Test("Cookies are sent to their host only, and not after a redirect to another one")
    func redirects() async throws {
      let other = try Self.origin("Cookie")
      defer { other.stop() }
      let target = other.url("/b.png").absoluteString
      let origin = try NukeOrigin { request in
        if request.path == "/away" { return .init(status: 302, headers: [(name: "Location", value: target)]) }
        return .data(SampleImage.png(width: 3, height: 1))
      }
      defer { origin.stop() }
      try await WholeServer.with({
        $0.passedHeaders = ["X-User"]
        $0.passedCookies = ["session"]
        $0.cookieBaseURL = origin.url("/").absoluteString
      }) { (server: WholeServer) async throws in
        let fields = "Cookie: session=7; theme=dark\r\nX-User: 8\r\n"
        #expect(try await server.get(WholeServer.path(origin.url("/a.png")), fields: fields).status == 200)
        #expect(try await server.get(WholeServer.path(origin.url("/away")), fields: fields).status == 200)
        #expect(try await server.get(WholeServer.path(other.url("/c.png")), fields: fields).status == 200)
      }
      #expect(origin.log.requests.map { $0.header("Cookie") } == ["session=7", "session=7"])
      #expect(origin.log.requests.map { $0.header("X-User") } == ["8", "8"])
      #expect(other.log.requests.map(\.path) == ["/b.png", "/c.png"])
      #expect(other.log.requests.map { $0.header("Cookie") } == [nil, nil])
      #expect(other.log.requests.map { $0.header("X-User") } == [nil, "8"])
    }
  }
#endif
