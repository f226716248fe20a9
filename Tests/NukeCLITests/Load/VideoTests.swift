#if Command
  import Foundation
  import Nuke
  import Testing

  /// Of a fixture whose upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
  @Suite(.timeLimit(.minutes(2)), .enabled(if: ImageFormat.mp4.isReadable)) struct VideoTests {
    private static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../NukeCodecsTests/Fixtures/Video/h264.mp4").standardized.path

    private func reader(_ work: Workplace, _ name: String) throws -> any ImageReader {
      try ImageReaders.reader(for: try work.data(name))
    }

    @Test(
      "--at writes the frame at a time", arguments: [("250ms", 2), ("0.75s", 7), ("0.75", 7), ("1m", 11), ("0s", 0)])
    func time(_ time: String, _ index: Int) async throws {
      let work = try Workplace()
      for command in ["load", "convert"] {
        let output = work.path("\(command).webp")
        let arguments = command == "load" ? ["--output", output] : [output]
        try await Command.succeed([command, Self.clip, "--at", time] + arguments)
        let reader = try reader(work, "\(command).webp")
        #expect(reader.header.frameCount == 1)
        let gray = try reader.decode(DecodeOptions()).withUnsafeBytes { Int($0[(8 * 64 + 8) * 4]) }
        #expect(abs(gray - 20 * index) <= 10)
      }
    }

    @Test(
      "A video becomes an animation in formats for animations, and its first frame in others",
      arguments: [("gif", 12), ("webp", 12), ("apng", 12), ("png", nil), ("jpg", nil)])
    func animation(ending: String, frameCount: Int?) async throws {
      let work = try Workplace()
      for command in ["load", "convert"] {
        let name = "\(command).\(ending)"
        try await Command.succeed(command, Self.clip, "--output", work.path(name))
        #expect(try reader(work, name).animation()?.delays.count == frameCount)
      }
      let name = ending == "jpg" ? "jpeg" : ending
      try await Command.succeed("convert", Self.clip, work.path("folder") + "/", "--format", name)
      #expect(try reader(work, "folder/h264.\(ending)").animation()?.delays.count == frameCount)
    }

    @Test("The frame that --at best selects is a still image in every format")
    func stillImage() async throws {
      let work = try Workplace()
      for name in ["best.webp", "best.apng"] {
        try await Command.succeed("convert", Self.clip, work.path(name), "--at", "best")
        #expect(try reader(work, name).animation() == nil)
      }
    }

    @Test("--at has no effect on an animated image")
    func animatedImage() async throws {
      let work = try Workplace()
      try await Command.succeed("convert", Sample.path("orbit.gif"), work.path("a.webp"), "--at", "1s")
      #expect(try reader(work, "a.webp").header.frameCount == 24)
    }

    @Test("A report has the format and the size, and info the duration")
    func report() async throws {
      #expect(try await Command.run("load", Self.clip).output.contains("64x48 MP4"))
      let info = try await Command.run("info", Self.clip).output
      #expect(info.contains("MP4, 64x48 pixels"))
      #expect(info.contains("duration    1.2"))
    }

    @Test("Text that is not a time is rejected", arguments: ["-1s", "soon", "nans", "infs", ""])
    func invalid(_ time: String) async throws {
      #expect(try await Command.run("load", Self.clip, "--at", time).status == 2)
    }
  }
#endif
