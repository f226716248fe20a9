#if Server
  import Foundation
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Signing with the settings of a server") struct ConfiguredSignerTests {
    private func signer(prefix: String) throws -> ConfiguredSigner {
      var configuration = ImageServer.Configuration()
      (configuration.keys, configuration.salts) = ([Data([1])], [Data([2])])
      configuration.pathPrefix = prefix
      return try ConfiguredSigner(configuration)
    }

    @Test(
      "An address that ends with the prefix of the server does not get it twice",
      arguments: [
        ("https://a.test", "https://a.test/images"), ("https://a.test/", "https://a.test/images"),
        ("https://a.test/images", "https://a.test/images"), ("https://a.test/images/", "https://a.test/images"),
        ("https://a.test/b/images", "https://a.test/b/images"), ("https://a.test/b", "https://a.test/b/images"),
        ("https://a.test/myimages", "https://a.test/myimages/images"), ("", "/images"),
      ])
    func prefixes(base: String, start: String) throws {
      let path = try signer(prefix: "").sign("https://example.com/a.jpg")
      #expect(try signer(prefix: "/images").sign("https://example.com/a.jpg", below: base) == start + path)
    }

    @Test("Without a prefix, an address keeps its path")
    func withoutPrefix() throws {
      let signer = try signer(prefix: "")
      let path = try signer.sign("https://example.com/a.jpg")
      #expect(try signer.sign("https://example.com/a.jpg", below: "https://a.test/b/") == "https://a.test/b" + path)
    }
  }
#endif
