#if Command && Server
  import Foundation
  import Testing

  @Suite("nuke sign", .timeLimit(.minutes(3))) struct SignCommandTests {
    private static let keys = ["NUKE_KEYS": "736563726574", "NUKE_SALTS": "68656c6c6f"]

    @Test("It prints signatures that other programs compute too")
    func signature() async throws {
      // By `printf 'hello/rs:fit:300/plain/https://example.com/a.jpg' | openssl dgst -sha256 -hmac secret -binary`, in
      // URL-safe Base64; the others likewise.
      let cases = [
        (
          ["rs:fit:300/plain/https://example.com/a.jpg"],
          "/0_XfHnLNpIv3_cBtrXt0BwqPeWj93kt1_Ki-nLvLi3w/rs:fit:300/plain/https://example.com/a.jpg"
        ),
        (["https://example.com/a.jpg"], "/rgPbopbfJNAMnnPGqj_XX57l42tgdbHmtPtr57qZuyY/plain/https://example.com/a.jpg"),
        (
          ["--info", "https://example.com/a.jpg"],
          "/info/wMkzmfXppwdc3AQ8ADlEO-U0acIcB9nneA6JxlQOb0Y/plain/https://example.com/a.jpg"
        ),
        (
          ["--base", "https://images.example.com/", "/plain/https://example.com/a.jpg"],
          "https://images.example.com/rgPbopbfJNAMnnPGqj_XX57l42tgdbHmtPtr57qZuyY/plain/https://example.com/a.jpg"
        ),
      ]
      for (arguments, expected) in cases {
        let outcome = try await Command.run(["sign"] + arguments, environment: Self.keys)
        #expect(outcome.status == 0 && outcome.output == expected + "\n", "\(outcome)")
      }
    }

    @Test("It encrypts sources as other programs do, and needs a key for that")
    func encryption() async throws {
      // By `openssl enc -aes-256-cbc` and `openssl dgst -sha256 -hmac secret -binary`. The initialization vector is the
      // HMAC of the URL, whose key is the HMAC of "initialization vector".
      let key = "1eb5b0e971ad7f45324c1bb15c947cb207c43152fa5c6c7f35c4f36e0c18e0f1"
      let outcome = try await Command.run(
        ["sign", "--encrypt", "https://example.com/a.jpg"],
        environment: Self.keys.merging(["NUKE_SOURCE_URL_ENCRYPTION_KEY": key]) { $1 })
      #expect(
        outcome.output == "/AmangPFGgjuZXshW781ltCogsxMFYIFunDBgWYarZGM/enc/"
          + "B7eihx_mx45a3B8bNstJECYpif8TfaAF7zEI-NoLVdlEcoc2s-VjKbSjaSon8JuZ\n", "\(outcome)")
      let keyless = try await Command.run(
        ["sign", "--encrypt", "https://example.com/a.jpg"], environment: Self.keys)
      #expect(keyless.status == 2 && keyless.output.isEmpty && keyless.errors.contains("source-url-encryption-key"))
    }

    @Test("It signs each line of standard input, and names those that the server would reject")
    func lines() async throws {
      let outcome = try await Command.run(
        ["sign", "-"], input: "plain/https://a/1\nwobble:1/plain/https://a/2\nplain/https://a/3\n",
        environment: Self.keys)
      #expect(outcome.status == 1)
      #expect(outcome.lines.map { $0.suffix(18) } == ["/plain/https://a/1", "/plain/https://a/3"])
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains("wobble:1/plain/https://a/2: The option wobble"))
    }

    @Test("The error of a misspelled option names the similar one")
    func misspelled() async throws {
      let outcome = try await Command.run("sign", "hight:100/plain/https://a/1", environment: Self.keys)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(
        outcome.errorLines == [
          "Error: hight:100/plain/https://a/1: The option hight is not valid: there is no such option; a similar one is "
            + "height."
        ])
    }

    @Test("A format that this build cannot write is signed, with a warning that names it")
    func unwritableFormat() async throws {
      let outcome = try await Command.run("sign", "plain/https://a/1@heic", environment: Self.keys)
      #expect(outcome.status == 0 && outcome.output.hasSuffix("/plain/https://a/1@heic\n"), "\(outcome)")
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("Warning: plain/https://a/1@heic: This build cannot write HEIC."))
    }

    @Test("A server accepts what it signs with the same configuration file, with a prefix and presets")
    func accepted() async throws {
      let place = try Workplace()
      let file = try place.write(
        Data(
          #"""
          {"keys": ["736563726574"], "salts": ["68656c6c6f"], "path-prefix": "/images", "presets": ["s=w:10"], "info": true,
          "local-roots": ["\#(Sample.folder.path)"]}
          """#.utf8),
        "server.json")
      let server = try await RunningServe("--demo", "--config", file, "--no-allow-unsigned")
      for arguments in [["pr:s/plain/local:///badge.png@png"], ["--info", "local:///badge.png"]] {
        let outcome = try await Command.succeed(["sign", "--config", file] + arguments)
        let path = try #require(outcome.lines.first)
        #expect(path.hasPrefix("/images/"))
        #expect(try await server.get(path).status == 200, "\(path)")
      }
      _ = await server.stop()
    }
  }

  @Suite("nuke health", .timeLimit(.minutes(3))) struct HealthCommandTests {
    @Test("A server that is ready is status 0, and none is status 1")
    func port() async throws {
      let server = try await RunningServe("--demo")
      let port = try #require(server.address.port)
      let ready = try await Command.run("health", "--port", "\(port)")
      #expect(ready.status == 0 && ready.output == "ready\n", "\(ready)")
      _ = await server.stop()
      let gone = try await Command.run("health", environment: ["NUKE_PORT": "\(port)", "NUKE_HOST": "0.0.0.0"])
      #expect(gone.status == 1)
      #expect(
        gone.errors == "Error: the server cannot be reached: 127.0.0.1:\(port): Connection refused\n", "\(gone.errors)")
    }

    @Test("It asks the operation port, or the socket, if there is one")
    func others() async throws {
      let place = try Workplace()
      let socket = place.url.appendingPathComponent("s").path
      let command = try Command.Running(
        ["serve", "--demo", "--socket", socket, "--operation-port", "0", "--operation-host", "127.0.0.1"])
      command.write("")
      let errors = await command.waitForErrors("serving health and metrics on ")
      let port = try #require(errors.firstMatch(of: /metrics on http:\/\/127.0.0.1:(\d+)/), "\(errors)").output.1
      _ = await command.waitForErrors("listening on unix")
      for settings in [["--operation-port", "\(port)"], ["--socket", socket]] {
        let outcome = try await Command.run(["health"] + settings)
        // The socket does not serve health then, which is an answer too.
        #expect(outcome.status == (settings[0] == "--socket" ? 1 : 0), "\(outcome)")
      }
      command.send(SIGTERM)
      _ = await command.outcome()
    }
  }
#endif
