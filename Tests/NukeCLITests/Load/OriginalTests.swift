#if Command
  import Foundation
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct OriginalTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test("--original writes the bytes of a server, whatever the name of the file, and reports them")
    func file() async throws {
      let image = try Sample.data("night.jpg")
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      let url = origin.url("/night.jpg").absoluteString
      for name in ["a.jpg", "a.bin"] {
        let outcome = try await Command.succeed("load", url, "--original", "--output", place.path(name))
        #expect(try place.data(name) == image)
        // The size is that of the upright image.
        #expect(outcome.output.hasPrefix("\(url) → \(place.path(name))  900x1200  119 KB  "), "\(outcome.output)")
      }
      let outcome = try await Command.succeed("load", url, "--original", "-o", place.path("b.jpg"), "--json")
      let object = try #require(try outcome.objects().first)
      #expect(object["format"] as? String == "jpeg" && object["origin"] as? String == "network")
      #expect(object["bytes"] as? Int == image.count && object["outputBytes"] as? Int == image.count)
    }

    @Test("Files in a folder have the extension of their format, and equal names get numbers")
    func folder() async throws {
      let (image, animation) = (try Sample.data("lake.jpg"), try Sample.data("orbit.gif"))
      let origin = try NukeOrigin { $0.path.hasPrefix("/a/") ? .data(image) : .data(animation) }
      defer { origin.stop() }
      let urls = ["/a/photo.png", "/b/photo"].map { origin.url($0).absoluteString }
      try await Command.succeed(["load", "--original", "--output", place.path("out") + "/"] + urls)
      #expect(try place.contents("out") == ["photo-2.gif", "photo.jpg"])
      #expect(try place.data("out/photo.jpg") == image)
      #expect(try place.data("out/photo-2.gif") == animation)
    }

    @Test("Originals have names by a pattern, and do not replace files that are to be kept")
    func pattern() async throws {
      let output = place.path("{name}-{width}x{height}.{ext}")
      try await Command.succeed("load", Sample.path("night.jpg"), "--original", "--output", output)
      #expect(try place.data("night-900x1200.jpg") == Sample.data("night.jpg"))
      try place.write(Data("kept".utf8), "night-900x1200.jpg")
      try await Command.succeed(
        "load", Sample.path("night.jpg"), "--original", "--output", output, "--skip-existing")
      let refused = try await Command.run(
        "load", Sample.path("night.jpg"), "--original", "--output", output, "--no-overwrite")
      #expect(refused.status == 1)
      #expect(try place.data("night-900x1200.jpg") == Data("kept".utf8))
    }

    @Test("A dry run of originals prints outputs with the extensions of their formats, and writes nothing")
    func dryRun() async throws {
      let photo = try place.write(Sample.data("night.jpg"), "photo.png")
      let url = "http://nosuchhost.invalid/cat.jpg"
      for (output, names) in [
        ("out/", ["out/photo.jpg", "out/cat.{ext}"]), ("{name}.bin", ["photo.bin", "cat.bin"]),
        ("{name}-{width}.{ext}", ["photo-{width}.jpg", "cat-{width}.{ext}"]),
      ] {
        let outcome = try await Command.succeed(
          "load", photo, url, "--original", "--output", place.url.path + "/" + output, "--dry-run")
        #expect(
          outcome.lines == zip([photo, url], names).map { "\($0) → \(place.path($1))" })
      }
      let own = try await Command.run("load", photo, "--original", "--output", photo, "--dry-run")
      #expect(own.status == 1 && own.errors.contains("is a source itself"))
      #expect(try place.contents() == ["photo.png"])
    }

    @Test("An original whose output exists is skipped before it is loaded, if its name is known")
    func skipped() async throws {
      try place.write(Data("kept".utf8), "cat.bin")
      for output in ["cat.bin", "{name}.bin"] {
        let outcome = try await Command.succeed(
          "load", "http://nosuchhost.invalid/cat.jpg", "--original", "--output", place.url.path + "/" + output,
          "--skip-existing")
        #expect(outcome.output.contains("skipped, since"))
      }
    }

    @Test("Standard output gets the bytes of a file")
    func standardOutput() async throws {
      let source = try place.image("a.png")
      let script = "'\(Command.path)' load '\(source)' --original --output - --quiet | cmp - '\(source)'"
      try await Command.succeed("-c", script, path: "/bin/sh")
    }

    @Test("Cached originals are written without the server")
    func cache() async throws {
      let image = try Sample.data("badge.png")
      let origin = try NukeOrigin { _ in .data(image) }
      let arguments = [
        "load", origin.url("/a.png").absoluteString, "--original", "-o", place.path("a.png"), "--cache",
        place.path("cache"),
      ]
      try await Command.succeed(arguments)
      origin.stop()
      try FileManager.default.removeItem(atPath: place.path("a.png"))
      try await Command.succeed(arguments + ["--offline"])
      #expect(try place.data("a.png") == image)
    }

    @Test("A page instead of an image is a failure, and leaves no file")
    func page() async throws {
      let origin = try NukeOrigin { _ in .data(Data("<!DOCTYPE html><p>Sign in".utf8), type: "image/jpeg") }
      defer { origin.stop() }
      let outcome = try await Command.run(
        "load", origin.url("/a.jpg").absoluteString, "--original", "--output", place.path("a.jpg"))
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("HTML"), "\(outcome.errors)")
      #expect(try place.contents().isEmpty)
    }

    @Test("A source is not replaced")
    func source() async throws {
      let source = try place.image("a.png")
      let outcome = try await Command.run("load", source, "--original", "--output", source)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("is a source itself"), "\(outcome.errors)")
    }
  }
#endif
