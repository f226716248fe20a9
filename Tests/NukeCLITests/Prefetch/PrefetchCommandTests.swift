#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct PrefetchCommandTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private var cache: String { place.path("cache") }

    /// Serves a sample under every path that ends with its name, and 404 under all others.
    private func makeOrigin(_ names: String...) throws -> NukeOrigin {
      let images = try names.map { ($0, try Sample.data($0)) }
      return try NukeOrigin { request in
        images.first { request.path.hasSuffix($0.0) }.map { .data($0.1) } ?? .status(404)
      }
    }

    private func write(_ lines: [String]) throws -> String {
      try place.write(Data((lines.joined(separator: "\n") + "\n").utf8), "list.txt")
    }

    @Test("Images of a list are stored on disk once each, and load without the server")
    func disk() async throws {
      let origin = try makeOrigin("lake.jpg", "badge.png")
      let urls = ["/lake.jpg", "/badge.png"].map { origin.url($0).absoluteString }
      let list = try write(["# images", urls[0], "", urls[1], urls[0] + "\r"])
      let outcome = try await Command.succeed("prefetch", list, "--cache", cache)
      #expect(outcome.lines.count == 1)
      #expect(outcome.output.hasPrefix("2 fetched (385 KB): "), "\(outcome.output)")
      #expect(Set(origin.log.requests.map(\.path)) == ["/lake.jpg", "/badge.png"])
      #expect(origin.log.requests.count == 2)

      let again = try await Command.succeed("prefetch", list, "--cache", cache, "--cache-policy", "ignore")
      #expect(again.output.hasPrefix("0 fetched (0 B), 2 already cached: "), "\(again.output)")
      #expect(origin.log.requests.count == 2)
      origin.stop()
      try await Command.succeed(["load", "--offline", "--cache", cache] + urls)
    }

    @Test("A dry run shows what would be loaded, and requests and stores nothing")
    func dryRun() async throws {
      let origin = try makeOrigin("lake.jpg", "badge.png")
      defer { origin.stop() }
      let urls = ["/lake.jpg", "/badge.png"].map { origin.url($0).absoluteString }
      let list = try write(urls + [urls[0], Sample.path("chart.png")])
      let first = try await Command.succeed("prefetch", list, "--cache", cache, "--dry-run", "--json")
      #expect(try first.objects().map { $0["origin"] as? String } == ["network", "network", "file"])
      #expect(try first.objects().map { $0["passedOver"] as? Bool } == [false, false, true])
      #expect(origin.log.requests.isEmpty)
      #expect(try place.contents() == ["list.txt"])

      try await Command.succeed("load", urls[1], "--cache", cache)
      let options = ["--cache", cache, "--cache-policy", "ignore", "--dry-run"]
      let second = try await Command.succeed(["prefetch", list] + options)
      #expect(
        second.lines == [
          "\(urls[0])  would be loaded from: network", "\(urls[1])  would be loaded from: disk",
          "\(Sample.path("chart.png"))  skipped, since it is local",
        ])
      #expect(origin.log.requests.count == 1)
    }

    @Test("Failures are one line each, and other images are loaded")
    func failures() async throws {
      let origin = try makeOrigin("badge.png")
      defer { origin.stop() }
      let good = origin.url("/badge.png").absoluteString
      let bad = origin.url("/none.png").absoluteString
      let list = Data("\(bad)\ngopher://a/b\n\(good)\n".utf8) + Data([0x61, 0xC3, 0x28, 0x0A])
      let path = try place.write(list, "list.txt")
      let outcome = try await Command.run("prefetch", path, "--cache", cache)
      #expect(outcome.status == 1)
      #expect(
        Set(outcome.errorLines) == [
          "nuke: \(bad): the server answered with status 404 (Not Found)",
          "nuke: gopher://a/b: gopher: URLs cannot be loaded",
        ])
      // The last line is the name of a file in another encoding.
      #expect(outcome.output.hasPrefix("1 fetched (62.4 KB), 1 local and skipped, 2 failed: "), "\(outcome.output)")
    }

    @Test("Each source has a JSON object with its result")
    func json() async throws {
      let origin = try makeOrigin("badge.png")
      defer { origin.stop() }
      let good = origin.url("/badge.png").absoluteString
      let bad = origin.url("/none.png").absoluteString
      let outcome = try await Command.run(
        "prefetch", "-", "--cache", cache, "--json", input: "\(good)\n\(bad)\n\(Sample.path("lake.jpg"))\n")
      #expect(outcome.status == 1)
      let objects = try outcome.objects()
      #expect(objects.count == 3)
      let fetched = try #require(objects.first { $0["source"] as? String == good })
      #expect(fetched["ok"] as? Bool == true)
      #expect(fetched["bytes"] as? Int == (try Sample.data("badge.png").count))
      #expect(fetched["origin"] as? String == "network")
      #expect(fetched["ms"] is Double)
      let failed = try #require(objects.first { $0["source"] as? String == bad })
      #expect(failed["ok"] as? Bool == false)
      #expect((failed["error"] as? String)?.contains("404") == true)
      #expect(objects.contains { $0["passedOver"] as? Bool == true && $0["ok"] as? Bool == true })
    }

    @Test("Destination disk decodes nothing, and memory decodes everything")
    func decoding() async throws {
      let origin = try NukeOrigin { _ in .data(Data("not an image".utf8)) }
      defer { origin.stop() }
      let list = try write([origin.url("/a.jpg").absoluteString])
      try await Command.succeed("prefetch", list, "--cache", cache)
      let outcome = try await Command.run(
        "prefetch", list, "--destination", "memory", "--cache", cache, "--cache-policy", "ignore")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      // Data on disk that cannot be decoded is loaded again once.
      #expect(origin.log.requests.count == 2)
    }

    @Test("Destination memory processes images, and stores them according to --store")
    func memory() async throws {
      let origin = try makeOrigin("lake.jpg")
      let source = origin.url("/lake.jpg").absoluteString
      let outcome = try await Command.succeed(
        "prefetch", try write([source, Sample.path("badge.png")]), "--destination", "memory", "--size", "80x60",
        "--cache", cache, "--store", "encoded")
      // 80x60 and 60x60 pixels of four bytes.
      #expect(outcome.output.contains("2 fetched"))
      #expect(outcome.output.contains("of images in memory"))
      origin.stop()
      let load = try await Command.run("load", source, "--size", "80x60", "--offline", "--cache", cache)
      #expect(load.output.contains("80x60 JPEG  disk") || load.output.contains("80x60 PNG  disk"), "\(load.output)")
    }

    @Test("--concurrency limits concurrent downloads")
    func concurrency() async throws {
      let gate = ScriptGate()
      let image = try Sample.data("badge.png")
      let origin = try NukeOrigin { _ in .data(image).held(by: gate) }
      defer { origin.stop() }
      let list = try write((0..<12).map { origin.url("/\($0).png").absoluteString })
      let command = try Command.Running(["prefetch", list, "--cache", cache, "--concurrency", "7"])
      command.write("")
      try await origin.waitUntil { $0.requests.count == 7 }
      gate.open()
      #expect(await command.outcome().status == 0)
      #expect(origin.log.requests.count == 12)
    }

    @Test("An image that did not stay in the cache is a failure")
    func noRoom() async throws {
      let origin = try makeOrigin("lake.jpg", "night.jpg")
      defer { origin.stop() }
      let list = try write(["/lake.jpg", "/night.jpg"].map { origin.url($0).absoluteString })
      let outcome = try await Command.run("prefetch", list, "--cache", cache, "--cache-size", "200K")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("nuke: 1 image did not stay in the cache: "))
    }

    @Test("--offline reports missing images")
    func offline() async throws {
      let origin = try makeOrigin("lake.jpg")
      defer { origin.stop() }
      let outcome = try await Command.run(
        "prefetch", try write([origin.url("/lake.jpg").absoluteString]), "--cache", cache, "--offline")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("not in the cache"))
      #expect(origin.log.requests.isEmpty)
    }

    @Test("An empty list succeeds", arguments: ["", "\n\n", "# nothing\n"])
    func nothing(list: String) async throws {
      let outcome = try await Command.succeed("prefetch", "-", "--cache", cache, input: list)
      #expect(outcome.output.hasPrefix("0 fetched (0 B): "))
      #expect(outcome.errors.isEmpty)
    }

    @Test(
      "An unreadable list is a one-line error",
      arguments: [
        ("/nowhere/list.txt", "cannot read the list /nowhere/list.txt: no such file or directory"),
        ("/", "cannot read the list /: is a directory"),
        ("/dev/zero", "cannot read the list /dev/zero: file too large"),
      ])
    func unreadable(path: String, reason: String) async throws {
      let outcome = try await Command.run("prefetch", path, "--cache", cache)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: \(reason)"])
      #expect(try place.contents().isEmpty)
    }

    @Test("An interrupt ends the command by the signal, and leaves an intact cache")
    func interrupt() async throws {
      let image = try Sample.data("lake.jpg")
      let origin = try NukeOrigin { request in
        request.path == "/last.jpg" ? .data(image).scripted(.head, .bytes(10_000), .stall) : .data(image)
      }
      defer { origin.stop() }
      let list = try write(
        (0..<20).map { origin.url("/\($0).jpg").absoluteString } + [origin.url("/last.jpg").absoluteString])
      let command = try Command.Running(["prefetch", list, "--cache", cache, "--json"])
      command.write("")
      await command.waitForLines(20)
      command.send(SIGINT)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled && outcome.status == SIGINT)
      let verified = try await Command.succeed("cache", "verify", cache, "--json")
      #expect(try verified.objects().first?["damaged"] as? Int == 0)
    }

    @Test("A terminal shows progress bars and erases them at the end")
    func terminal() async throws {
      let origin = try makeOrigin("lake.jpg")
      defer { origin.stop() }
      let list = try write([origin.url("/lake.jpg").absoluteString])
      let outcome = try await Command.succeed(
        ["-qefc", "'\(Command.path)' prefetch '\(list)' --cache '\(cache)'", "/dev/null"], path: "/usr/bin/script",
        environment: ["TERM": "xterm"])
      #expect(outcome.output.contains("0 of 1"))
      let shown = try #require(outcome.output.components(separatedBy: "\u{1B}[J").last)
      #expect(shown.hasPrefix("1 fetched"))
    }
  }
#endif
