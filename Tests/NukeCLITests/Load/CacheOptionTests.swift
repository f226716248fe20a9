#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct CacheOptionTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// Loads with the cache in the folder `cache`, and gives the objects.
    private func load(_ arguments: String...) async throws -> [[String: Any]] {
      let outcome = try await Command.succeed(["load", "--cache", place.path("cache"), "--json"] + arguments)
      return try outcome.objects()
    }

    @Test("The next run uses the cache, even without the server")
    func secondRun() async throws {
      let image = try Sample.data("chart.png")
      let origin = try NukeOrigin { _ in .data(image, type: "image/png") }
      let source = origin.url("/chart.png").absoluteString
      #expect(try await load(source).map { $0["origin"] as? String } == ["network"])
      origin.stop()
      for options in [[], ["--offline"], ["--cache-policy", "ignore"]] {
        let outcome = try await Command.succeed(["load", source, "--cache", place.path("cache")] + options)
        #expect(outcome.output.contains("1200x800 PNG  disk"), "\(outcome.output)")
      }
      #expect(origin.log.requests.count == 1)
    }

    @Test("One of several concurrent runs loads an image for all, and another takes over if it is killed")
    func runsTogether() async throws {
      let (image, gate) = (try Sample.data("badge.png"), ScriptGate())
      let origin = try NukeOrigin { _ in
        var response = NukeOrigin.Response.data(image, type: "image/png")
        response.headers.append(("Cache-Control", "max-age=600"))
        return response.held(by: gate)
      }
      defer { origin.stop() }
      func start() throws -> Command.Running {
        let running = try Command.Running([
          "load", origin.url("/a.png").absoluteString, "--cache", place.path("cache"), "--json",
        ])
        running.write("")
        return running
      }
      let first = try start()
      try await origin.waitUntil { $0.requests.count == 1 }
      let others = try (0..<3).map { _ in try start() }
      first.send(SIGKILL)
      try await origin.waitUntil { $0.requests.count == 2 }
      gate.open()
      for other in others {
        let outcome = await other.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      #expect(origin.log.requests.count == 2)
    }

    @Test("--offline sends no requests, reports missing images, and reads local files")
    func offline() async throws {
      let origin = try NukeOrigin { _ in .status(200) }
      defer { origin.stop() }
      let source = origin.url("/a.jpg").absoluteString
      for options in [[], ["--cache", place.path("cache")]] {
        let outcome = try await Command.run(["load", source, Sample.path("badge.png"), "--offline"] + options)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines == ["nuke: \(source): not in the cache, and not loaded (see --offline)"])
        #expect(outcome.output.contains("512x512 PNG  62.4 KB"))
      }
      #expect(origin.log.requests.isEmpty)
    }

    @Test("--reload loads again and replaces the cached image")
    func reload() async throws {
      let images = [try Sample.data("badge.png"), try Sample.data("chart.png")]
      let count = Lock(0)
      let origin = try NukeOrigin { _ in
        let number = count.withLock { count in
          defer { count += 1 }
          return count
        }
        return .data(images[min(number, 1)], type: "image/png")
      }
      defer { origin.stop() }
      let source = origin.url("/a.png").absoluteString
      var widths: [Int?] = []
      for options in [[], [], ["--reload"], []] {
        let outcome = try await Command.run(
          ["load", source, "--cache", place.path("cache"), "--cache-policy", "ignore", "--json"] + options)
        widths.append(try outcome.objects().first?["width"] as? Int)
      }
      #expect(widths == [512, 512, 1200, 1200])
      #expect(origin.log.requests.count == 2)
    }

    @Test("Encoded images are on disk at the end, and serve only equal requests")
    func encoded() async throws {
      let image = try Sample.data("lake.jpg")
      let origin = try NukeOrigin { _ in .data(image, type: "image/jpeg") }
      defer { origin.stop() }
      let source = origin.url("/lake.jpg").absoluteString
      _ = try await load(source, "--size", "100x", "--store", "encoded")
      let again = try #require(try await load(source, "--size", "100x", "--offline").first)
      #expect(again["origin"] as? String == "disk")
      #expect(try #require(again["bytes"] as? Int) < image.count / 4)
      let original = try await Command.run("load", source, "--offline", "--cache", place.path("cache"))
      #expect(original.status == 1)
    }

    @Test("--cache-size evicts the least recently used image")
    func size() async throws {
      let images = ["/lake.jpg": try Sample.data("lake.jpg"), "/night.jpg": try Sample.data("night.jpg")]
      let origin = try NukeOrigin { .data(images[$0.path] ?? Data(), type: "image/jpeg") }
      defer { origin.stop() }
      _ = try await load(origin.url("/lake.jpg").absoluteString, "--cache-size", "350K")
      _ = try await load(origin.url("/night.jpg").absoluteString, "--cache-size", "350K")
      let urls = ["/lake.jpg", "/night.jpg"].map { origin.url($0).absoluteString }
      let outcome = try await Command.run(
        ["load", "--offline", "--cache", place.path("cache"), "--json", "--concurrency", "1"] + urls)
      #expect(try outcome.objects().map { $0["ok"] as? Bool } == [false, true])
    }

    @Test("Without --cache-size, a large cache loses nothing")
    func largeCache() async throws {
      let images = ["/large": try Sample.data("badge.png"), "/small": try Sample.data("chart.png")]
      let origin = try NukeOrigin { .data(images[$0.path] ?? Data(), type: "image/png") }
      defer { origin.stop() }
      let large = origin.url("/large").absoluteString
      let small = origin.url("/small").absoluteString
      _ = try await load(large)
      _ = try await load(small)
      // The entry that goes first is made to look large.
      let cache = try DataCache(path: place.url.appendingPathComponent("cache"))
      let file = try #require(cache.url(for: large))
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 200_000_000)
      try handle.close()
      #expect(try await load(small, "--cache-policy", "ignore").map { $0["origin"] as? String } == ["disk"])
      #expect(FileManager.default.fileExists(atPath: file.path))
      // A limit that is named counts.
      _ = try await load(small, "--cache-size", "150M")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A folder with other files is not used as a cache, and stays unchanged")
    func otherFolder() async throws {
      try place.write(Data("kept".utf8), "letter.txt")
      let outcome = try await Command.run("load", Sample.path("badge.png"), "--cache", place.url.path)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("is not a cache: it contains other files"))
      #expect(try place.contents() == ["letter.txt"])
    }

    @Test("An impossible folder is a one-line error")
    func unusable() async throws {
      let file = try place.write(Data("x".utf8), "file")
      for path in [file, file + "/cache", "/proc/nuke-cache"] {
        let outcome = try await Command.run("load", Sample.path("badge.png"), "--cache", path)
        #expect(outcome.status == 1, "\(path)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(path), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
      #expect(try place.contents() == ["file"])
    }

    @Test("A damaged entry is loaded again")
    func damaged() async throws {
      let image = try Sample.data("chart.png")
      let origin = try NukeOrigin { _ in .data(image, type: "image/png") }
      defer { origin.stop() }
      let source = origin.url("/chart.png").absoluteString
      _ = try await load(source)
      let cache = try DataCache(path: place.url.appendingPathComponent("cache"))
      try Data(repeating: 7, count: image.count).write(to: try #require(cache.url(for: source)))
      #expect(try await load(source).map { $0["origin"] as? String } == ["network"])
      #expect(try await load(source, "--cache-policy", "ignore").map { $0["origin"] as? String } == ["disk"])
    }

    /// A server whose image is fresh for no time, that answers conditions.
    private func makeTaggedOrigin() throws -> NukeOrigin {
      let image = try Sample.data("badge.png")
      return try NukeOrigin { request in
        let headers = [(name: "ETag", value: "\"a\""), (name: "Cache-Control", value: "max-age=0")]
        return request.header("If-None-Match") == "\"a\""
          ? NukeOrigin.Response(status: 304, headers: headers) : NukeOrigin.Response(headers: headers, body: image)
      }
    }

    @Test("Freshness is respected by default, and printed")
    func freshness() async throws {
      let origin = try makeTaggedOrigin()
      defer { origin.stop() }
      let source = origin.url("/badge.png").absoluteString
      var told: [String] = []
      for options in [
        [], [], ["--cache-policy", "ignore"], ["--max-stale", "1000"], ["--offline"], ["--cache-policy", "revalidate"],
      ] {
        let outcome = try await Command.run(["load", source, "--cache", place.path("cache"), "--json"] + options)
        let object = try #require(try outcome.objects().first)
        told.append("\(object["origin"] as? String ?? "") \(object["freshness"] as? String ?? "")")
      }
      #expect(
        told == [
          "network fresh", "disk validated", "disk ", "disk stale: the request accepts it",
          "disk stale: nothing may be loaded", "disk validated",
        ])
      #expect(origin.log.requests.map { $0.header("If-None-Match") } == [nil, "\"a\"", "\"a\""])
      let line = try await Command.run("load", source, "--cache", place.path("cache"), "--offline")
      #expect(line.output.contains("  disk, stale: nothing may be loaded  "), "\(line.output)")
    }

    @Test("A stale image is used without the server, and reported as stale")
    func disconnected() async throws {
      let origin = try makeTaggedOrigin()
      let source = origin.url("/badge.png").absoluteString
      _ = try await load(source)
      origin.stop()
      let object = try #require(try await load(source).first)
      #expect(object["freshness"] as? String == "stale: the server cannot be reached")
    }
  }
#endif
