#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(6))) struct InterruptTests {
    @Test(
      "An interrupt during a download ends the command by the signal and leaves nothing",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func duringDownload(signal: Int32) async throws {
      let body = try Sample.data("lake.jpg")
      let origin = try NukeOrigin { _ in .data(body).scripted(.head, .bytes(10_000), .stall) }
      defer { origin.stop() }
      let place = try Workplace()
      let command = try Command.Running([
        "load", origin.url("/a.jpg").absoluteString, "--output", place.path("out.png"), "--timeout", "300",
      ])
      command.write("")
      try await origin.waitUntil { $0.bytesSent > 10_000 }
      command.send(signal)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled)
      #expect(outcome.status == signal)
      #expect(outcome.errors.isEmpty)
      #expect(try place.contents().isEmpty)
      try await origin.waitUntil { $0.closedEarly == 1 }
    }

    @Test("A hang-up that the parent ignores, such as nohup, stays ignored")
    func ignoredHangUp() async throws {
      let body = try Sample.data("lake.jpg")
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in .data(body).scripted(.head, .bytes(10_000), .wait(gate), .rest) }
      defer { origin.stop() }
      let command = try Command.Running(
        ["-c", "trap '' HUP; exec '\(Command.path)' load \(origin.url("/a.jpg").absoluteString) --json --timeout 300"],
        path: "/bin/sh")
      command.write("")
      try await origin.waitUntil { $0.bytesSent > 10_000 }
      command.send(SIGHUP)
      gate.open()
      let outcome = await command.outcome()
      #expect(!outcome.wasSignalled)
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 1)
    }

    @Test("An interrupt during writing leaves only complete files")
    func duringWriting() async throws {
      let place = try Workplace()
      let list = Array(repeating: Sample.path("badge.png"), count: 5000).joined(separator: "\n")
      let command = try Command.Running(["load", "--files-from", "-", "--output", place.path("out"), "--json"])
      command.write(list)
      await command.waitForLines(20)
      command.send(SIGINT)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled)
      let files = try place.contents("out")
      #expect(files.count >= 20)
      #expect(files.count < 5000)
      for file in files {
        #expect(file.hasSuffix(".png") && !file.hasPrefix("."))
        #expect(Bitmap(data: try place.data("out/\(file)"))?.pixelWidth == 512, "\(file)")
      }
    }

    @Test("A closed pipe ends the command silently")
    func closedPipe() async throws {
      let list = Array(repeating: Sample.path("chart.png"), count: 3000).joined(separator: "\n")
      let outcome = try await Command.run(
        ["-c", "'\(Command.path)' load --files-from - --json | head -n 1"], input: list, path: "/bin/sh")
      #expect(outcome.lines.count == 1)
      #expect(outcome.errors.isEmpty)
    }
  }
#endif
