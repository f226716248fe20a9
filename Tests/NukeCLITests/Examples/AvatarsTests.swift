#if Server
  import Foundation
  import Nuke
  import Testing

  @Suite("The sample program Avatars", .timeLimit(.minutes(2))) struct AvatarsTests {
    @Test("It stores an upload as a square, and serves it as a thumbnail that clients can cache")
    func thumbnail() async throws {
      let place = try Workplace()
      let server = try await Program.Server("Avatars", place.path("avatars"))
      let upload = try await server.send("PUT", "/avatars/alice", body: Sample.data("lake.jpg"))
      #expect(upload.status == 204)
      let stored = try #require(Bitmap(data: place.data("avatars/alice.jpg")))
      #expect(stored.pixelWidth == 512 && stored.pixelHeight == 512)

      let answer = try await server.send("GET", "/avatars/alice?size=96")
      #expect(answer.status == 200)
      #expect(answer.response.value(forHTTPHeaderField: "Content-Type") == "image/webp")
      #expect(answer.response.value(forHTTPHeaderField: "Cache-Control") == "public, max-age=60")
      let thumbnail = try #require(Bitmap(data: answer.data))
      #expect(thumbnail.pixelWidth == 96 && thumbnail.pixelHeight == 96)

      let entityTag = try #require(answer.response.value(forHTTPHeaderField: "ETag"))
      let known = ["If-None-Match": entityTag]
      #expect(try await server.send("GET", "/avatars/alice?size=96", fields: known).status == 304)
      #expect(try await server.send("GET", "/avatars/alice?size=64", fields: known).status == 200)
    }

    @Test("A second upload replaces the first one")
    func replacement() async throws {
      let place = try Workplace()
      let server = try await Program.Server("Avatars", place.path("avatars"))
      _ = try await server.send("PUT", "/avatars/bob", body: Sample.data("lake.jpg"))
      let first = try await server.send("GET", "/avatars/bob")
      _ = try await server.send("PUT", "/avatars/bob", body: Sample.data("badge.png"))
      let second = try await server.send("GET", "/avatars/bob")
      #expect(first.data != second.data)
      #expect(
        first.response.value(forHTTPHeaderField: "ETag") != second.response.value(forHTTPHeaderField: "ETag"))
    }

    @Test("It refuses bodies that are not images, bodies that are too large, and names that are paths")
    func refusals() async throws {
      let place = try Workplace()
      let server = try await Program.Server("Avatars", place.path("avatars"))
      #expect(try await server.send("PUT", "/avatars/eve", body: Data("not an image".utf8)).status == 415)
      #expect(try await server.send("PUT", "/avatars/eve", body: Data(count: 8 << 20 + 1)).status == 413)
      #expect(try await server.send("PUT", "/avatars/..%2Feve", body: Sample.data("badge.png")).status == 400)
      #expect(try await server.send("GET", "/avatars/eve").status == 404)
      #expect(try await server.send("GET", "/avatars/eve?size=97").status == 400)
      #expect(try place.contents() == ["avatars"])
      #expect(try place.contents("avatars").isEmpty)
    }
  }
#endif
