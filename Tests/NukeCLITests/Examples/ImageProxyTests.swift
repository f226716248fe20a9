#if Server
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite("The sample program ImageProxy", .timeLimit(.minutes(2))) struct ImageProxyTests {
    private let secrets = ["PROXY_KEY": "c0ffee", "PROXY_SALT": "beef"]

    private func link(to source: String, _ size: Int) async throws -> String {
      let outcome = try await Command.succeed(
        "sign", source, "\(size)", path: Program.path("ImageProxy"), environment: secrets)
      return try #require(outcome.lines.first)
    }

    @Test("It serves an image within the size of a signed link, and nothing for a link that was changed")
    func signedLink() async throws {
      let body = try Sample.data("lake.jpg")
      let origin = try NukeOrigin { _ in .data(body) }
      defer { origin.stop() }
      let server = try await Program.Server(
        "ImageProxy", environment: secrets.merging(["PROXY_ALLOWED_ADDRESSES": "127.0.0.0/8"]) { $1 })
      let link = try await link(to: origin.url("/lake.jpg").absoluteString, 400)
      let answer = try await server.send("GET", link)
      #expect(answer.status == 200)
      let image = try #require(Bitmap(data: answer.data))
      #expect(image.pixelWidth == 400 && image.pixelHeight == 300)
      #expect(try await server.send("GET", link.replacing("400:400", with: "800:800")).status == 403)
      #expect(origin.log.requests.count == 1)
    }

    @Test("It does not connect to addresses that are not public")
    func privateAddress() async throws {
      let origin = try NukeOrigin { _ in .data(Data()) }
      defer { origin.stop() }
      let server = try await Program.Server("ImageProxy", environment: secrets)
      let link = try await link(to: origin.url("/admin").absoluteString, 400)
      #expect(try await server.send("GET", link).status == 403)
      #expect(origin.log.requests.isEmpty)
    }

    @Test("Without secrets it does not start")
    func withoutSecrets() async throws {
      let outcome = try await Command.run(
        "0", path: Program.path("ImageProxy"), environment: ["PROXY_KEY": "", "PROXY_SALT": ""])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("PROXY_KEY and PROXY_SALT"))
    }
  }
#endif
