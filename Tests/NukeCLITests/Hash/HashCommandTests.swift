#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct HashCommandTests {
    @Test("All placeholders are printed, and equal those of the library")
    func everything() async throws {
      let place = try Workplace()
      let file = try place.image("a.png")
      let outcome = try await Command.succeed("hash", file, "--json")
      let object = try #require(try outcome.objects().first)
      let image = try #require(PlatformImage(data: place.data("a.png")))
      #expect(object["width"] as? Int == 40)
      #expect(object["blurhash"] as? String == (try BlurHash(encoding: image).string))
      #expect(object["thumbhash"] as? String == (try ThumbHash(encoding: image).string))
      #expect(object["color"] as? String == image.dominantColor?.hex)
      #expect(object["averageColor"] as? String == image.averageColor?.hex)
      #expect((object["dataURL"] as? String)?.hasPrefix("data:image/webp;base64,") == true)
      let text = try await Command.run("hash", file)
      for name in ["BlurHash", "ThumbHash", "Colors", "Data URL"] { #expect(text.output.contains("  \(name)")) }
    }

    @Test("A single placeholder is printed alone, or with names for several images")
    func alone() async throws {
      let place = try Workplace()
      let (file, other) = (try place.image("a.png"), try place.image("b.png", number: 1))
      let image = try #require(PlatformImage(data: place.data("a.png")))
      let hash = try BlurHash(encoding: image, components: (6, 4)).string
      let one = try await Command.run("hash", "--blurhash", "--components", "6x4", file)
      #expect(one.output == hash + "\n")
      let color = try #require(image.dominantColor?.hex)
      let several = try await Command.run("hash", "--color", file, other)
      #expect(several.lines.count == 2)
      #expect(several.lines.first == "\(color)  \(file)")
    }

    @Test("Failures are reported, and other images are hashed")
    func failures() async throws {
      let place = try Workplace()
      let file = try place.image("a.png")
      let outcome = try await Command.run("hash", "/nowhere/a.png", file, "--thumbhash", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: /nowhere/a.png: no such file"])
      let objects = try outcome.objects()
      #expect(objects.map { $0["ok"] as? Bool } == [false, true])
      #expect(objects[1]["blurhash"] == nil)
    }

    @Test("A hash is drawn into a file, with a detected or given kind")
    func draws() async throws {
      let place = try Workplace()
      try await Command.succeed(
        "hash", "--decode", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "--output", place.path("blur.png"), "--size", "40x30")
      let drawn = try #require(PlatformImage(data: place.data("blur.png")))
      let expected = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(width: 40, height: 30)
      #expect(drawn.withUnsafeBytes { Data($0) } == expected.withUnsafeBytes { Data($0) })

      for (size, sides) in [("100x100", (100, 71)), ("1000x20", (28, 20)), ("50x400", (50, 36))] {
        try await Command.succeed(
          "hash", "--decode", "3OcRJYB4d3h/iIeHeEh3eIhw+j2w", "--output", place.path("thumb.webp"), "--size", size)
        let image = try #require(PlatformImage(data: place.data("thumb.webp")))
        #expect((image.pixelWidth, image.pixelHeight) == sides)
      }
    }

    @Test("A dry run prints the hash and its output, and writes nothing")
    func dryRun() async throws {
      let place = try Workplace()
      let arguments = ["hash", "--decode", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "--dry-run", "--output"]
      let outcome = try await Command.succeed(arguments + [place.path("blur.png")])
      #expect(outcome.lines == ["LEHV6nWB2yk8pyo0adR*.7kCMdnj → \(place.path("blur.png"))"])
      let stream = try await Command.succeed(arguments + ["-"])
      #expect(stream.output.isEmpty)
      #expect(stream.errorLines == ["LEHV6nWB2yk8pyo0adR*.7kCMdnj → standard output"])
      #expect(try place.contents().isEmpty)
    }

    @Test("A size of a hash without both sides is an error that shows one", arguments: ["abc", "64x", "50%", "64x48^"])
    func badSize(_ size: String) async throws {
      let outcome = try await Command.run(["hash", "--output", "-", "--decode", "00G,5?", "--size", size])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("a hash needs a width and a height, such as 64x48"), "\(outcome.errors)")
    }

    @Test("An invalid hash is an error with the reason, and no file is written")
    func badHashes() async throws {
      let place = try Workplace()
      for (arguments, reason) in [
        (["LEHV6n"], "length of 6 instead of 28"), (["00G,5\u{e9}"], "position 5"),
        (["00G,5?", "--thumbhash"], "position 3"), (["3OcRJYB4d3h/iIeHeEh3eIhw+j2w", "--blurhash"], "position 11"),
        (["00G,5?", "--size", "2000x10"], "1 to 1024 pixels"), (["LEHV6n", "--dry-run"], "length of 6 instead of 28"),
      ] {
        let outcome = try await Command.run(["hash", "--output", place.path("a.png"), "--decode"] + arguments)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      }
      #expect(try place.contents().isEmpty)
    }
  }
#endif
