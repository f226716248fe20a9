import Foundation
import Nuke
import NukeLocalServers
import NukeOrigin
import Testing

#if Command && Server
  @Suite("nuke serve", .timeLimit(.minutes(3))) struct ServeCommandTests {
    @Test("It prints its address, serves the samples, and ends with status 0")
    func demo() async throws {
      let server = try await RunningServe("--demo")
      #expect(server.address.host == "127.0.0.1" && server.address.port ?? 0 > 0)
      let answer = try await server.get("/unsafe/rs:fit:40/plain/local:///badge.png@webp")
      #expect(answer.status == 200)
      let image = try #require(Bitmap(data: answer.data))
      #expect(max(image.pixelWidth, image.pixelHeight) == 40)
      #expect(try await server.get("/").status == 200)
      let outcome = await server.stop()
      #expect(outcome.status == 0 && !outcome.wasSignalled)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("shutting down") && outcome.errorLines.last?.contains("ended") == true)
    }

    @Test("With a drain delay, it serves after the first signal, but is not ready")
    func drain() async throws {
      let server = try await RunningServe("--demo", "--drain-delay", "60s")
      #expect(try await server.get("/ready").status == 200)
      server.command.send(SIGTERM)
      _ = await server.command.waitForErrors("shutting down in 60s")
      #expect(try await server.get("/ready").status == 503)
      #expect(try await server.get("/unsafe/rs:fit:40/plain/local:///badge.png").status == 200)
      server.command.send(SIGTERM)
      #expect(await server.outcome().status == 128 + SIGTERM)
    }

    @Test("A second signal ends it immediately", arguments: [SIGTERM, SIGINT])
    func secondSignal(number: Int32) async throws {
      let gate = ScriptGate()
      let body = try Sample.data("badge.png")
      let origin = try NukeOrigin { _ in .data(body).held(by: gate) }
      defer { origin.stop() }
      let server = try await RunningServe("--allow-unsigned", "--allow-private-addresses", "127.0.0.0/8")
      let request = Task { try? await server.get("/unsafe/plain/\(origin.url("/a.png"))").status }
      try await origin.waitUntil { $0.requests.count == 1 }
      server.command.send(number)
      _ = await server.command.waitForErrors("shutting down")
      server.command.send(number)
      let outcome = await server.outcome()
      #expect(outcome.status == 128 + number && !outcome.wasSignalled)
      #expect(await request.value == nil)
    }

    @Test("--print-config prints each setting with its origin, and serves nothing")
    func printConfig() async throws {
      let place = try Workplace()
      let file = try place.write(Data(#"{"quality": 60, "max-frames": 7, "ttl": "1h"}"#.utf8), "server.json")
      let outcome = try await Command.succeed(
        "serve", "--config", file, "--print-config", "--port", "9000",
        environment: ["NUKE_QUALITY": "70", "NUKE_SALTS": "beef", "NUKE_KEYS": "c0ffee"])
      func row(_ name: String) -> [String]? {
        outcome.lines.map { $0.split(separator: " ").map(String.init) }.first { $0.first == name }
      }
      #expect(row("port") == ["port", "9000", "--port"])
      #expect(row("quality") == ["quality", "70", "NUKE_QUALITY"])
      #expect(row("max-frames") == ["max-frames", "7"] + file.split(separator: " ").map(String.init))
      #expect(row("host") == ["host", "127.0.0.1", "default"])
      #expect(row("keys") == ["keys", "•••", "NUKE_KEYS"])
      #expect(row("salts") == ["salts", "•••", "NUKE_SALTS"])
      #expect(!outcome.output.contains("c0ffee") && !outcome.output.contains("beef"))
    }

    @Test("A hang-up reloads keys, presets and the watermark from their files, and an invalid file changes nothing")
    func reload() async throws {
      let place = try Workplace()
      let keys = try place.write(Data("00\n".utf8), "keys")
      let presets = try place.write(Data("small=rs:fit:40/wm:1\n".utf8), "presets")
      let mark = place.path("mark.png")
      try FileManager.default.copyItem(atPath: Sample.path("badge.png"), toPath: mark)
      let server = try await RunningServe(
        "--local-roots", Sample.folder.path, "--preset-file", presets, "--watermark", mark,
        environment: ["NUKE_KEYS_FILE": keys, "NUKE_SALTS": "00"])
      func path(_ key: String, _ preset: String = "small") async throws -> String {
        let signed = try await Command.run(
          "sign", "/pr:\(preset)/plain/local:///lake.jpg@png",
          environment: [
            "NUKE_KEYS": key, "NUKE_SALTS": "00", "NUKE_PRESET_FILE": presets, "NUKE_LOCAL_ROOTS": Sample.folder.path,
          ])
        return try #require(signed.lines.first, "\(signed.errors)")
      }
      let before = try await server.get(path("00"))
      #expect(before.status == 200)
      #expect(try await server.get(path("01")).status == 403)

      try Data("zz".utf8).write(to: URL(fileURLWithPath: keys))
      server.command.send(SIGHUP)
      _ = await server.command.waitForErrors("not reloaded: keys")
      #expect(try await server.get(path("00")).status == 200)

      try Data("01".utf8).write(to: URL(fileURLWithPath: keys))
      try Data("small=rs:fit:40/wm:1\ntiny=w:10".utf8).write(to: URL(fileURLWithPath: presets))
      try Sample.data("lake.jpg").write(to: URL(fileURLWithPath: mark))
      server.command.send(SIGHUP)
      _ = await server.command.waitForErrors("reloaded keys, presets")
      #expect(try await server.get(path("00")).status == 403)
      let after = try await server.get(path("01"))
      #expect(after.status == 200 && after.data != before.data)
      #expect(try #require(Bitmap(data: try await server.get(path("01", "tiny")).data)).pixelWidth == 10)
      #expect(await server.stop().status == 0)
    }

    @Test("After a hang-up, the log names the settings of the file that need a restart, without their values")
    func restart() async throws {
      let place = try Workplace()
      let file = try place.write(Data(#"{"quality": 60, "ttl": "1h"}"#.utf8), "server.json")
      let server = try await RunningServe("--demo", "--config", file)
      server.command.send(SIGHUP)
      _ = await server.command.waitForErrors("reloaded keys, presets")
      let next = #"{"quality": 50, "ttl": "2h", "proxy": "http://user:password@proxy.example:3128"}"#
      try Data(next.utf8).write(to: URL(fileURLWithPath: file))
      server.command.send(SIGHUP)
      let errors = await server.command.waitForErrors("need a restart: proxy, ttl")
      #expect(!errors.contains("password"))
      // Nothing had changed the first time.
      #expect(errors.components(separatedBy: "need a restart").count == 2, "\(errors)")
      #expect(await server.stop().status == 0)
    }

    @Test(
      "All invalid settings are errors of one start, in a line each, also of --print-config", arguments: [true, false])
    func severalErrors(printsConfiguration: Bool) async throws {
      let arguments = ["serve", "--imgproxy-environment"] + (printsConfiguration ? ["--print-config"] : [])
      let outcome = try await Command.run(
        arguments,
        environment: [
          "IMGPROXY_SENTRY_DSN": "x", "IMGPROXY_TTL": "x", "IMGPROXY_USE_SWIFT": "1", "NO_PROXY": "", "no_proxy": "",
        ])
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(
        outcome.errorLines == [
          "Error: IMGPROXY_SENTRY_DSN (environment): nuke serve has no such setting",
          "Error: IMGPROXY_USE_SWIFT (environment): nuke serve does not support \"1\"; the only supported value is false",
          "Error: ttl (IMGPROXY_TTL): \"x\" is not a time, such as 30s, 500ms or 5m",
        ])
    }

    @Test("--print-config --diff prints only settings that differ from the defaults")
    func printDifferences() async throws {
      let outcome = try await Command.succeed(
        "serve", "--print-config", "--diff", "--port", "9000", environment: ["NUKE_SANDBOX": "false"])
      #expect(
        outcome.lines.map { $0.split(separator: " ").map(String.init) }
          == [["port", "9000", "--port"], ["sandbox", "false", "NUKE_SANDBOX"]])
    }
  }

  /// A client of other people's, which builds and signs URLs by itself.
  @Suite(
    "The client imgproxy of PyPI", .timeLimit(.minutes(3)),
    .enabled(if: PythonEnvironment.interpreter(with: "imgproxy") != nil, "it is needed: Scripts/setup --test"))
  struct ImgproxyClientTests {
    private static let program = """
      import sys
      from imgproxy import ImgProxy
      key, salt, source = sys.argv[1:]
      url = ImgProxy.factory(key=key, salt=salt)
      print(url(source, resizing_type='fill', width=60, height=40, gravity='no', enlarge=True, extension='png'))
      print(url(source, resizing_type='fit', width=50, extension='webp'))
      print(url(source, 'q:70', 'bl:1.5', resizing_type='auto', width=60, height=40, gravity='sm', extension='jpg'))
      print(url(source, 'ex:1', 'bg:255:0:0', width=300, height=20, gravity='soea', extension='png')('sh:0.7'))
      print(url(source, width=30, extension='png')(width=20, resizing_type='force', height=10))
      """

    @Test("Creates URLs that a server with the same keys accepts")
    func client() async throws {
      let python = try #require(PythonEnvironment.interpreter(with: "imgproxy"))
      let (key, salt) = ("943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881", "520f986b998545b4")
      let server = try await RunningServe(
        "--local-roots", Sample.folder.path, environment: ["NUKE_KEYS": key, "NUKE_SALTS": salt])
      let urls = try PythonEnvironment.output(
        of: Self.program, by: python, key, salt, "local:///lake.jpg"
      ).split(separator: "\n").map(String.init)
      let sizes: [(Int, Int)?] = [(60, 40), nil, (60, 40), (300, 20), (20, 10)]
      #expect(urls.count == sizes.count)
      for (url, size) in zip(urls, sizes) {
        let answer = try await server.get(url)
        #expect(answer.status == 200, "\(url): \(String(decoding: answer.data, as: UTF8.self).prefix(200))")
        let image = try #require(Bitmap(data: answer.data))
        if let size {
          #expect((image.pixelWidth, image.pixelHeight) == size, "\(url)")
        } else {
          #expect(image.pixelWidth == 50, "\(url)")
        }
      }
      // One other letter, and it is not what was signed.
      let forged = urls[0].replacing("/rs:fill:60", with: "/rs:fill:61")
      #expect(try await server.get(forged).status == 403)
      #expect(await server.stop().status == 0)
    }
  }
#elseif Command
  @Suite("nuke serve, in a build without it") struct ServeCommandTests {
    @Test("The error explains how to build the server")
    func withoutTrait() async throws {
      let outcome = try await Command.run("serve", "--port", "0")
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("swift build -c release --traits Command,Server --product nuke"))
    }
  }
#endif
