#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite("A warning about dropped frames", .serialized, .timeLimit(.minutes(2))) struct DroppedFramesTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test(
      "An animated image in a format without animation is a warning, and no failure",
      arguments: [["load", "--output"], ["convert", "--output"]], ["bmp", "jpg"])
    func warning(command: [String], ending: String) async throws {
      let outcome = try await Command.succeed(
        command[0], Sample.path("orbit.gif"), Sample.path("badge.png"), command[1], place.path("out"), "--format",
        ending)
      let name = ending == "jpg" ? "JPEG" : "BMP"
      try #require(outcome.errorLines.count == 1)
      #expect(
        outcome.errorLines[0].hasPrefix(
          "nuke: warning: \(Sample.path("orbit.gif")): only the first of 24 frames is written, since \(name) files"))
      #expect(outcome.errorLines[0].contains(".webp"))
      #expect(try place.contents("out") == ["badge.\(ending)", "orbit.\(ending)"])
    }

    @Test("A repeated load warns once, and --quiet not at all")
    func once() async throws {
      let arguments = ["load", Sample.path("orbit.gif"), "--output", place.path("a.jpg")]
      #expect(try await Command.succeed(arguments + ["--repeat", "3"]).errorLines.count == 1)
      #expect(try await Command.succeed(arguments + ["--quiet"]).errors.isEmpty)
    }

    @Test("No frames are dropped by formats with animation, from still images, and without an output")
    func silent() async throws {
      for ending in ["gif", "webp", "png"] {
        let outcome = try await Command.succeed("convert", Sample.path("orbit.gif"), place.path("a.\(ending)"))
        #expect(outcome.errors.isEmpty)
      }
      #expect(try await Command.succeed("convert", Sample.path("badge.png"), place.path("b.jpg")).errors.isEmpty)
      #expect(try await Command.succeed("load", Sample.path("orbit.gif")).errors.isEmpty)
    }

    @Test(
      "Animated images stay animated in AVIF and JPEG XL", arguments: [ImageFormat.avif, .jxl].filter(\.isWritable))
    func sequences(format: ImageFormat) async throws {
      let name = "a.\(format.rawValue)"
      let outcome = try await Command.succeed("convert", Sample.path("orbit.gif"), place.path(name), "--size", "60x")
      #expect(outcome.errors.isEmpty)
      let animation = try #require(try ImageReaders.reader(for: place.data(name)).animation())
      #expect(animation.delays.count == 24)
      #expect(animation.pixelWidth == 60)
    }

    @Test(
      "A video warns unless its frame is chosen or it becomes an animation", .enabled(if: ImageFormat.mp4.isReadable))
    func video() async throws {
      let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../NukeCodecsTests/Fixtures/Video/h264.mp4").standardized.path
      let outcome = try await Command.succeed("convert", clip, place.path("a.jpg"))
      let words = "only one frame of the video is written (see --at, or use one of .apng, .webp, .gif)"
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(try await Command.succeed("convert", clip, place.path("b.jpg"), "--at", "0s").errors.isEmpty)
      #expect(try await Command.succeed("convert", clip, place.path("c.webp")).errors.isEmpty)
    }
  }
#endif
