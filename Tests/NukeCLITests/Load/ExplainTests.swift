#if Command
  import Foundation
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct ExplainTests {
    private let place: Workplace
    private let origin: NukeOrigin
    private var source: String { origin.url("/lake.jpg").absoluteString }

    init() throws {
      place = try Workplace()
      let image = try Sample.data("lake.jpg")
      origin = try NukeOrigin { request in
        var response = NukeOrigin.Response.data(image, type: "image/jpeg")
        // The server does not say for how long the image stays fresh.
        if request.path == "/lake.jpg" { response.headers.append(("ETag", "\"a\"")) }
        return response
      }
    }

    private func explain(_ options: String...) async throws -> Command.Outcome {
      try await Command.run(["load", source, "--explain", "--cache", place.path("cache")] + options)
    }

    @Test("--explain says where the image comes from and why, sends no requests and creates no folder")
    func nothingDone() async throws {
      defer { origin.stop() }
      let outcome = try await explain("--size", "200x>", "--crop", "100x100")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.lines.dropLast() == [
          source,
          "  source: the server, because the disk cache does not have the image",
          "  freshness: stale images are validated with the server (--cache-policy respect)",
          "  looked up, in this order:",
          "    disk cache, resulting image: miss",
          "    disk cache, image after 1 of 2 processors: miss",
          "    disk cache, original: miss",
          "    server: the original is requested",
          "  work:",
          "    request the original",
          "    decode the image",
          "    apply resize",
          "    apply crop",
          "  cost:",
          "    data: not known in advance",
          "    memory for decoding: not known in advance",
          "  stored in the disk cache:",
          "    the original",
          "    not the resulting image, because --store does not include it",
          "  keys in the disk cache:",
          "    original: \(source)",
        ])
      #expect(outcome.lines.last?.hasPrefix("    resulting image: \(source)org.nuke.resize?") == true)
      #expect(origin.log.requests.isEmpty)
      #expect(try place.contents().isEmpty)
    }

    @Test("Of a local file, the size of the decoded image and the memory are known")
    func local() async throws {
      origin.stop()
      let file = Sample.path("lake.jpg")
      let outcome = try await Command.succeed("load", file, "--explain", "--size", "25%")
      #expect(
        outcome.lines == [
          file,
          "  source: the file",
          "  looked up, in this order:",
          "    file: can be read, 323 KB",
          "  work:",
          "    read the file",
          "    decode the image at 1/4 of its size, 400x300 pixels",
          "    apply resize",
          "  cost:",
          "    data: 323 KB",
          "    memory for decoding: 480 KB",
        ])
    }

    @Test("Standard input is not read, and is not cached")
    func standardInput() async throws {
      origin.stop()
      let outcome = try await Command.succeed("load", "-", "--explain", "--cache", place.path("cache"))
      #expect(outcome.lines.prefix(2) == ["standard input", "  source: standard input"])
      #expect(outcome.lines.contains("    standard input: is read"))
      #expect(
        outcome.lines.contains("    not the original, because data from standard input is not cached"), "\(outcome)")
    }

    @Test("A cached image is used, validated or ignored, by the options")
    func cached() async throws {
      defer { origin.stop() }
      try await Command.succeed("load", source, "--cache", place.path("cache"))
      let offline = try await explain("--offline")
      #expect(offline.lines.dropFirst().first == "  source: the disk cache, which has the original")
      #expect(offline.lines.contains("  freshness: cached images are used, however old (--offline)"))
      #expect(offline.output.contains("\n    disk cache, original: hit, 323 KB"))
      #expect(offline.lines.contains("    not the original, because it comes from the cache"))
      let stale = try await explain()
      #expect(
        stale.lines.dropFirst().first
          == "  source: the disk cache, if the server confirms that the original has not changed")
      #expect(stale.output.contains("\n    disk cache, original: hit, 323 KB, stale since "))
      #expect(stale.lines.contains("    server: the original is validated"))
      let work = stale.lines.drop { $0 != "  work:" }
      #expect(
        work.dropFirst().prefix(2) == [
          "    ask the server whether the original has changed", "    read the disk cache if it has not",
        ])
      let reload = try await explain("--reload")
      #expect(
        reload.lines.dropFirst().first == "  source: the server, because --reload ignores the images in the cache")
      #expect(origin.log.requests.count == 1)
    }

    @Test("A stale image without a validator is loaded again")
    func noValidator() async throws {
      defer { origin.stop() }
      let source = origin.url("/unvalidated.jpg").absoluteString
      let cached = ["load", source, "--cache", place.path("cache"), "--size", "200x"]
      try await Command.succeed(cached)
      let outcome = try await Command.run(cached + ["--explain"])
      #expect(
        outcome.lines.dropFirst().first
          == "  source: the server, because the cached image must be validated, and has no validator")
      #expect(outcome.lines.contains("    server: the original is requested"))
      let work = outcome.lines.drop { $0 != "  work:" }
      #expect(
        work.dropFirst().prefix(5) == [
          "    request the original", "    decode the image", "    apply resize", "  cost:",
          "    data: not known in advance",
        ])
      #expect(outcome.lines.contains("    the original"))
      #expect(origin.log.requests.count == 1)
    }

    @Test("A load that would fail says why")
    func failure() async throws {
      defer { origin.stop() }
      let outcome = try await Command.run("load", source, "--explain", "--offline")
      #expect(outcome.status == 1)
      #expect(
        outcome.lines == [
          source,
          "  would fail: not in the cache, and not loaded (see --offline)",
          "  looked up, in this order:",
          "    server: not used, because --offline sends no requests",
        ])
    }

    @Test("A JSON object contains the explanation with the current cache")
    func json() async throws {
      defer { origin.stop() }
      try await Command.succeed("load", source, "--cache", place.path("cache"))
      let outcome = try await explain("--json", "--cache-policy", "ignore")
      #expect(outcome.status == 0)
      let object = try #require(try outcome.objects().first)
      #expect(object["source"] as? String == source)
      #expect(object["ok"] as? Bool == true)
      let explanation = try #require(object["explanation"] as? [String: Any])
      let lookups = try #require(explanation["lookups"] as? [[String: Any]])
      #expect(lookups.last?["place"] as? String == "disk")
      #expect(lookups.last?["finding"] as? String == "hit")
      #expect(explanation["byteCount"] as? Int == (try Sample.data("lake.jpg").count))
      #expect(origin.log.requests.count == 1)
    }

    @Test("A load that would fail has status 1, and other sources are explained")
    func failures() async throws {
      defer { origin.stop() }
      let outcome = try await explain("gopher://a/b", Sample.path("badge.png"), "--offline", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: gopher://a/b: gopher: URLs cannot be loaded"])
      let objects = try outcome.objects()
      #expect(objects.map { $0["ok"] as? Bool } == [false, false, true])
      #expect(objects.first?["error"] is String && objects.first?["explanation"] is [String: Any])
      #expect(origin.log.requests.isEmpty)
    }
  }
#endif
