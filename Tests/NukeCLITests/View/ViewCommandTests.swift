#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(3))) struct ViewCommandTests {
    @Test("In a pipe, each image is a line")
    func pipe() async throws {
      let outcome = try await Command.succeed(
        "view", Sample.path("lake.jpg"), Sample.path("badge.png"), environment: ["TERM": "xterm-kitty"])
      #expect(outcome.lines.count == 2)
      #expect(outcome.lines.first?.contains("lake.jpg  1600x1200 JPEG  323 KB  ") == true, "\(outcome.lines)")
      #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test("--protocol and --cells apply to any output")
    func forced() async throws {
      let blocks = try await Command.succeed(
        "view", Sample.path("lake.jpg"), "--protocol", "blocks", "--cells", "30x50")
      #expect(blocks.output.split(separator: "\r\n").count(where: { $0.contains("▀") }) == 12)
      let kitty = try await Command.run("view", Sample.path("badge.png"), "--protocol", "kitty", "--cells", "100x10")
      let image = try #require(Data(kitty.output.utf8).kittyImages.first)
      // Ten rows of 16 pixels.
      #expect(image.pixelHeight == 160)
      let sixel = try await Command.run("view", Sample.path("badge.png"), "--protocol", "sixel", "--cells", "10x10")
      #expect(sixel.output.contains("\u{1B}P0;1q\"1;1;80;80"))
      let text = try await Command.run("view", Sample.path("badge.png"), "--protocol", "text")
      #expect(text.lines.count == 1 && text.output.contains("512x512 PNG"))
    }

    @Test("Failures are one line each, and other images are drawn")
    func failures() async throws {
      let place = try Workplace()
      let name = "a\u{1B}[31m\u{7}b\u{9B}31m.png"
      let bad = try place.write(Data("none".utf8), name)
      let outcome = try await Command.run(
        "view", bad, Sample.path("badge.png"), place.path("missing.png"), "gopher://a", "--protocol", "blocks",
        "--cells", "4x2")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 3)
      #expect(!outcome.errors.unicodeScalars.contains { $0.value < 10 || (0x0B..<0x20).contains($0.value) })
      #expect(!outcome.errors.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) })
      #expect(outcome.output.contains("▀"))
      #expect(outcome.lines.last?.hasSuffix("badge.png") == true, "what is drawn among others has its name below")
      // What was typed wrongly is shown to a person too.
      let usage = try await Command.run("view", "a.png", "--\u{1B}[31m")
      #expect(usage.status == 2 && !usage.errors.contains("\u{1B}"))
    }

    @Test("A closed pipe ends the command silently")
    func closedPipe() async throws {
      let list = Array(repeating: Sample.path("lake.jpg"), count: 200).joined(separator: "\n")
      let outcome = try await Command.run(
        ["-c", "'\(Command.path)' view --files-from - --protocol blocks | head -c 100"], input: list, path: "/bin/sh")
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.utf8.count <= 100 + 10)
    }

    @Test("An endless animation plays once without a terminal")
    func endlessIntoPipe() async throws {
      let outcome = try await Command.succeed(
        "view", Sample.path("orbit.gif"), "--animate", "--protocol", "kitty", "--cells", "4x2")
      let frames = Data(outcome.output.utf8).kittyImages.count
      let data = try Sample.data("orbit.gif")
      let animation = try #require(ImageContainer(image: Bitmap(), type: .gif, data: data).animation)
      #expect(animation.loopCount == 0)
      #expect(frames == animation.frameCount)
    }

    @Test("--view draws an image above its line, from a server or a file")
    func preview() async throws {
      let outcome = try await Command.succeed(
        "load", Sample.path("badge.png"), "--view", "--protocol", "kitty", "--cells", "10x5", "--size", "50x")
      #expect(Data(outcome.output.utf8).kittyImages.count == 1)
      #expect(outcome.lines.last?.contains("50x50 PNG") == true)
      let plain = try await Command.run("load", Sample.path("badge.png"), "--view", environment: ["TERM": "dumb"])
      #expect(plain.lines.count == 1 && !plain.output.contains("\u{1B}"))
    }
  }
#endif
