#if Server
  import Foundation
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Signing with the settings of a server") struct ConfiguredSignerTests {
    private func configuration(
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }
    ) -> ImageServer.Configuration {
      var configuration = ImageServer.Configuration()
      (configuration.keys, configuration.salts) = ([Data([1])], [Data([2])])
      change(&configuration)
      return configuration
    }

    private func signer(prefix: String, for subject: URLSigner.Subject = .image) throws -> ConfiguredSigner {
      try ConfiguredSigner(
        configuration {
          $0.pathPrefix = prefix
          $0.servesInfo = true
        }, for: subject)
    }

    /// What a server rejects: a path, the changed settings, and the error.
    private static let rejected: [(String, @Sendable (inout ImageServer.Configuration) -> Void, String)] = [
      (
        "hight:9/plain/http://a.test/1", { _ in },
        "The option hight is not valid: there is no such option; a similar one"
      ),
      ("w:x/plain/http://a.test/1", { _ in }, "The option w is not valid: "),
      ("pr:none/plain/http://a.test/1", { _ in }, "The option pr is not valid: there is no preset \"none\"."),
      ("q:5/plain/http://a.test/1", { $0.allowedOptions = ["rs"] }, "The option q is not valid: the server does not"),
      ("exp:99/plain/http://a.test/1", { _ in }, "The URL has expired."),
      ("w:1/plain", { _ in }, "The URL is malformed: "),
      ("plain/http://a.test/%zz", { _ in }, "The URL is malformed: "),
      // The signature of 43 characters counts, too.
      (
        "w:1/plain/http://a.test/" + String(repeating: "w", count: 8192 - 43 - 2 - 23), { _ in },
        "The URL is malformed: it is longer than 8192 bytes."
      ),
      (
        "http://a.test/" + String(repeating: "w", count: 4083), { _ in },
        "The URL is malformed: the source is longer than 4096 bytes."
      ),
      (String(repeating: "w:1/", count: 65) + "plain/http://a.test/1", { _ in }, "The URL is malformed: "),
      (
        "http://b.test/1", { $0.allowedSources = ["http://a.test/"] },
        "The source is not allowed. http://b.test is not among the allowed sources."
      ),
      ("ftp://a.test/1", { _ in }, "The source is not allowed. Its scheme is ftp."),
      ("local:///1", { _ in }, "The source is not allowed. Its scheme is local."),
      ("s3://a/1", { $0.s3Endpoint = "https://s3.test" }, "The source is not allowed. Its scheme is s3."),
      ("gs://a/1", { _ in }, "The source is not allowed. Its scheme is gs."),
      ("abs://a/1", { _ in }, "The source is not allowed. Its scheme is abs."),
      (
        "https://169.254.169.254/latest", { _ in },
        "The source is not allowed. Connections to 169.254.169.254, the address of 169.254.169.254, are not allowed."
      ),
      ("http://[::1]:8080/1", { _ in }, "The source is not allowed. Connections to ::1, the address of ::1, are not"),
      ("http://localhost/1", { _ in }, "The source is not allowed. Connections to 127.0.0.1, the address of localhost"),
      (
        // A watermark at http://10.0.0.1/w.
        "wm:1/wmu:aHR0cDovLzEwLjAuMC4xL3c/plain/http://a.test/1", { _ in },
        "The source is not allowed. Connections to 10.0.0.1"
      ),
    ]

    @Test("What the server rejects is not signed, and the error is the server's", arguments: rejected.indices)
    func rejections(index: Int) throws {
      let (path, change, message) = Self.rejected[index]
      let signer = try ConfiguredSigner(configuration(change), now: { 100 })
      let error = #expect(throws: ServingError.self, "\(path.prefix(80))") { try signer.sign(path) }
      #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    /// What a server accepts: a path, and the changed settings.
    private static let accepted: [(String, @Sendable (inout ImageServer.Configuration) -> Void)] = [
      ("exp:101/plain/http://a.test/1", { _ in }), ("local:///1", { $0.localRoots = ["": "/nowhere"] }),
      ("s3://a/1", { $0.allowedSources = ["s3://"] }), ("gs://a/1", { $0.allowedSources = ["gs://a/"] }),
      ("http://10.1.2.3/1", { $0.allowedPrivateAddresses = ["10.0.0.0/8"] }),
      ("w:1/plain/http://a.test/" + String(repeating: "w", count: 4082), { _ in }),
    ]

    @Test("What the server accepts is signed", arguments: accepted.indices)
    func acceptances(index: Int) throws {
      let (path, change) = Self.accepted[index]
      let signer = try ConfiguredSigner(configuration(change), now: { 100 })
      #expect(try signer.sign(path) { Issue.record("\($0)") }.hasSuffix(path))
    }

    @Test("A purge of a source that no setting of this machine provides is signed")
    func purges() throws {
      let signer = try ConfiguredSigner(
        configuration { ($0.purgeKeys, $0.purgeSalts) = ([Data([3])], [Data([4])]) }, for: .purge)
      for source in ["local:///1", "s3://a/1", "http://127.0.0.1/1"] {
        #expect(try signer.sign(source).hasSuffix("/plain/" + source))
      }
    }

    @Test("Metadata that the settings do not serve is signed with a warning")
    func info() throws {
      var warnings: [String] = []
      _ = try ConfiguredSigner(configuration(), for: .info).sign("http://a.test/1") { warnings.append($0) }
      #expect(warnings == ["A server with these settings responds with 403. Set info on the server to serve metadata."])
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
        ("/images", "http://images", "http://images/images"), ("/images", "//images/", "//images/images"),
        ("/images", "http://images/images", "http://images/images"), ("/images", "/images", "/images"),
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
