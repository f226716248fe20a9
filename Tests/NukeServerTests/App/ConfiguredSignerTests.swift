#if Server
  import Foundation
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Signing with the settings of a server") struct ConfiguredSignerTests {
    private func signer(prefix: String, for subject: URLSigner.Subject = .image) throws -> ConfiguredSigner {
      var configuration = ImageServer.Configuration()
      (configuration.keys, configuration.salts) = ([Data([1])], [Data([2])])
      configuration.pathPrefix = prefix
      return try ConfiguredSigner(configuration, for: subject)
    }

    @Test(
      "An address keeps its path, and does not get the prefix of the server twice",
      arguments: [
        ("/images", "https://a.test", "https://a.test/images"), ("/images", "https://a.test/", "https://a.test/images"),
        ("/images", "https://a.test/images", "https://a.test/images"), ("/images", "", "/images"),
        ("/images", "https://a.test/images/", "https://a.test/images"), ("", "https://a.test/b/", "https://a.test/b"),
        ("/images", "https://a.test/b/images", "https://a.test/b/images"),
        ("/images", "https://a.test/b", "https://a.test/b/images"),
        ("/images", "https://a.test/myimages", "https://a.test/myimages/images"),
      ])
    func prefixes(prefix: String, base: String, start: String) throws {
      let path = try signer(prefix: "").sign("https://example.com/a.jpg")
      #expect(try signer(prefix: prefix).sign("https://example.com/a.jpg", below: base) == start + path)
    }

    @Test(
      "A format that this build cannot write is signed with a warning, unless the source is sent unchanged",
      arguments: [
        ("plain/https://a.test/1@heic", true), ("f:heic/plain/https://a.test/1", true),
        ("plain/https://a.test/1@png", false),
        ("plain/https://a.test/1", false), ("raw:1/plain/https://a.test/1@heic", false),
        ("skp:heic/plain/https://a.test/1@heic", false), ("placeholder:blurhash/f:heic/plain/https://a.test/1", false),
      ])
    func formats(path: String, isWarned: Bool) throws {
      // No build writes HEIC.
      var warnings: [String] = []
      #expect(try signer(prefix: "").sign(path) { warnings.append($0) }.hasSuffix("/" + path))
      #expect(warnings.count == (isWarned ? 1 : 0) && warnings.allSatisfy { $0.contains("cannot write HEIC") })
      // Metadata has no format.
      let info = try signer(prefix: "", for: .info)
      _ = try info.sign(path) { Issue.record("\($0)") }
    }

    @Test("A path is signed as clients send it, with everything escaped that a URL cannot contain")
    func escapes() throws {
      let signer = try signer(prefix: "")
      let path = try signer.sign("rs:fit:10/plain/https://a.test/a b%2520c?d=[é]")
      #expect(path.hasSuffix("/rs:fit:10/plain/https://a.test/a%20b%2520c%3Fd=%5B%C3%A9%5D"))
      #expect(try signer.sign("rs:fit:10/plain/https://a.test/a%20b%2520c%3Fd=%5B%C3%A9%5D") == path)
    }
  }
#endif
