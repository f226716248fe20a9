#if Command
  import Foundation
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct RequestOptionsTests {
    @Test(
      "Every command that loads URLs sends the given header fields",
      arguments: [
        ["load", "URL"], ["view", "URL"], ["info", "URL"], ["hash", "URL"], ["compare", "URL", "URL"],
        ["convert", "URL", "a.png"], ["montage", "URL", "--output", "a.png"], ["prefetch", "list", "--cache", "cache"],
      ])
    func fields(words: [String]) async throws {
      let place = try Workplace()
      let image = try Sample.data("badge.png")
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      let url = origin.url("/badge.png").absoluteString
      try place.write(Data(url.utf8), "list")
      let arguments = words.enumerated().map { index, word in
        word == "URL" ? url : index == 0 || word.hasPrefix("-") ? word : place.path(word)
      }
      try await Command.succeed(
        arguments + [
          "--header", "X-Key: a: b ", "--header", "Accept-Language:de", "--user-agent", "Reader/2", "--referer",
          "https://example.com/page",
        ])
      let request = try #require(origin.log.requests.first)
      #expect(request.header("X-Key") == "a: b")
      #expect(request.header("Accept-Language") == "de")
      #expect(request.header("User-Agent") == "Reader/2")
      #expect(request.header("Referer") == "https://example.com/page")
      #expect(request.header("Accept")?.contains("image/png") == true)
    }

    @Test("A field replaces that of the loader, and an empty --user-agent sends none")
    func replaced() async throws {
      let image = try Sample.data("badge.png")
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      let url = origin.url("/a").absoluteString
      try await Command.succeed("info", url, "--header", "Accept: image/webp", "--user-agent", "")
      try await Command.succeed("info", url)
      let requests = origin.log.requests
      try #require(requests.count == 2)
      #expect(requests[0].headers.filter { $0.name.lowercased() == "accept" }.map(\.value) == ["image/webp"])
      #expect(requests[0].header("User-Agent") == nil)
      #expect(requests[1].header("User-Agent")?.hasPrefix("nuke/") == true)
    }

    @Test("After a redirect, another server gets only fields that are not secret", arguments: ["load", "info"])
    func redirect(command: String) async throws {
      let image = try Sample.data("badge.png")
      let other = try NukeOrigin { _ in .data(image) }
      defer { other.stop() }
      let target = other.url("/b").absoluteString
      let origin = try NukeOrigin { $0.path == "/a" ? .redirect(to: "/same") : .redirect(to: target) }
      defer { origin.stop() }
      try await Command.succeed(
        command, origin.url("/a").absoluteString, "--header", "Authorization: Bearer abc", "--header",
        "Private-Token: abc", "--header", "Accept-Language: de", "--user-agent", "Reader/2")
      #expect(origin.log.requests.map { $0.header("Private-Token") } == ["abc", "abc"])
      #expect(origin.log.requests.map { $0.header("Authorization") } == ["Bearer abc", "Bearer abc"])
      let request = try #require(other.log.requests.first)
      #expect(request.header("Authorization") == nil)
      #expect(request.header("Private-Token") == nil)
      #expect(request.header("Accept-Language") == "de")
      #expect(request.header("User-Agent") == "Reader/2")
    }

    @Test(
      "A field that cannot be sent is invalid usage, and the error does not contain its value",
      arguments: [
        (["--header", "Authorization secret"], "has no colon: write '--header \"Name: value\"'"),
        (["--header", ": secret"], "\"\" cannot be the name of a header field"),
        (["--header", "X Key: secret"], "\"X Key\" cannot be the name of a header field"),
        (
          ["--header", "X-Key: secret\r\nX-Other: 1"],
          "the value of the header field X-Key contains a control character"
        ),
        (["--header", "X-Key: secret\u{1}"], "the value of the header field X-Key contains a control character"),
        (["--user-agent", "secret\n"], "the value of the header field User-Agent contains a control character"),
        (["--referer", "secret\n"], "the value of the header field Referer contains a control character"),
        (["--header", "Content-Length: 5"], "--header cannot set Content-Length: remove it."),
        (["--header", "Proxy-Authorization: secret"], "write the password into the URL of the proxy."),
        (["--header", "X-Key: secret", "--header", "x-key: 2"], "The header field x-key is given twice"),
        (["--header", "User-Agent: secret", "--user-agent", "b"], "The header field User-Agent is given twice"),
        (["--cacert", ""], "--cacert needs a file."),
      ])
    func malformed(options: [String], message: String) async throws {
      for command in ["load", "info"] {
        let outcome = try await Command.run([command, "https://127.0.0.1:1/a.jpg"] + options)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.first?.contains(message) == true, "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret"), "\(outcome.errors)")
      }
    }

    @Test("A file of certificates that cannot be read is a one-line error", arguments: ["load", "info", "hash"])
    func missingFile(command: String) async throws {
      let outcome = try await Command.run(command, Sample.path("badge.png"), "--cacert", "/nowhere/ca.pem")
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines == ["nuke: cannot read the certificates /nowhere/ca.pem: no such file or directory"])
    }

    @Test("Files of certificates in the environment are not needed for local files")
    func unusedFile() async throws {
      let environment = ["SSL_CERT_FILE": "/nowhere/ca.pem", "CURL_CA_BUNDLE": "/nowhere/ca.pem"]
      try await Command.succeed("info", Sample.path("badge.png"), environment: environment)
    }
  }

  @Suite(
    .timeLimit(.minutes(2)),
    .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"))
  struct AuthorityTests {
    @Test("--cacert, CURL_CA_BUNDLE and SSL_CERT_FILE name the authorities to trust, in this order")
    func authorities() async throws {
      let server = try TLSServer(files: ["badge.png": try Sample.data("badge.png")])
      defer { server.stop() }
      let url = server.url("/badge.png").absoluteString
      let (right, wrong) = (server.authority, "/nowhere/ca.pem")

      let unknown = try await Command.run("info", url, environment: ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": ""])
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("certificate"), "\(unknown.errors)")

      let missing = try await Command.run("info", url, environment: ["CURL_CA_BUNDLE": wrong, "SSL_CERT_FILE": right])
      #expect(missing.status == 1)

      try await Command.succeed("info", url, environment: ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": right])
      try await Command.succeed("load", url, environment: ["CURL_CA_BUNDLE": right, "SSL_CERT_FILE": wrong])
      try await Command.succeed("load", url, "--cacert", right, environment: ["CURL_CA_BUNDLE": wrong])
    }
  }
#endif
