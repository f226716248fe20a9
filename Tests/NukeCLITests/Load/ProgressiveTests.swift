#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(6))) struct ProgressiveTests {
    private let place: Workplace
    /// Opened, they let the second part of the image come, and the rest.
    private let gate = ScriptGate()
    private let last = ScriptGate()
    private let origin: NukeOrigin

    init() throws {
      place = try Workplace()
      let body = try Sample.data("dusk.jpg")
      // Each part brings scans that were not there before.
      origin = try NukeOrigin { [gate, last] _ in
        .data(body, type: "image/jpeg").scripted(.head, .bytes(40_000), .wait(gate), .bytes(50_000), .wait(last), .rest)
      }
    }

    private func start(_ options: String...) throws -> Command.Running {
      let source = origin.url("/dusk.jpg").absoluteString
      let command = try Command.Running(
        [
          "load", source, "--progressive", "--previews", place.path("previews"), "--preview-interval", "0",
          "--timeout", "300",
        ] + options)
      command.write("")
      return command
    }

    @Test("Previews are written while the image loads, with numbers and JSON objects")
    func objects() async throws {
      defer { origin.stop() }
      let command = try start("--json", "--format", "png")
      // The file is there before the rest of the image is sent.
      await command.waitForLines(1)
      gate.open()
      last.open()
      let outcome = await command.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let objects = try outcome.objects()
      let last = try #require(objects.last)
      let previews = objects.dropLast()
      try #require(previews.count > 0, "\(outcome)")
      #expect(previews.compactMap { $0["preview"] as? Int } == Array(1...previews.count))
      #expect(last["previews"] as? Int == previews.count)
      #expect(last["width"] as? Int == 1280)
      for (number, preview) in previews.enumerated() {
        let path = place.path("previews/dusk-preview-\(number + 1).png")
        #expect(preview["output"] as? String == path)
        #expect(preview["source"] as? String == last["source"] as? String)
        let image = try #require(Bitmap(data: try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(preview["width"] as? Int == image.pixelWidth)
        #expect(preview["height"] as? Int == image.pixelHeight)
      }
      #expect(try place.contents("previews").count == previews.count)
    }

    @Test("Previews are resized like the image, and counted in its line")
    func line() async throws {
      defer { origin.stop() }
      let command = try start("--size", "100x")
      await command.waitForLines(1)
      gate.open()
      last.open()
      let outcome = await command.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let count = outcome.lines.count - 1
      try #require(count > 0, "\(outcome)")
      #expect(outcome.lines[0].contains("  preview 1  100x67  → "), "\(outcome.lines)")
      #expect(outcome.lines.last?.contains(count == 1 ? "  1 preview  " : "  \(count) previews  ") == true)
    }

    @Test("Without --previews, previews are counted and not written")
    func counted() async throws {
      defer { origin.stop() }
      gate.open()
      last.open()
      let source = origin.url("/dusk.jpg").absoluteString
      let outcome = try await Command.succeed("load", source, Sample.path("lake.jpg"), "--progressive", "--json")
      // How many there are depends on how fast the data comes; a file has none.
      let counts = try outcome.objects().map { $0["previews"] as? Int }
      #expect(counts.count == 2 && !counts.contains(nil) && counts.contains(0))
      let plain = try await Command.run("load", source, "--json")
      #expect(try plain.objects().first?["previews"] == nil)
    }

    @Test("An interrupt leaves only complete previews")
    func interrupt() async throws {
      defer { origin.stop() }
      let command = try start()
      await command.waitForLines(1)
      command.send(SIGINT)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled)
      let files = try place.contents("previews")
      #expect(files.contains("dusk-preview-1.jpg"))
      for file in files {
        #expect(file.hasPrefix("dusk-preview-"))
        #expect(Bitmap(data: try place.data("previews/\(file)")) != nil)
      }
    }

    @Test("A preview that cannot be written is a one-line error, and ends the download")
    func unwritable() async throws {
      defer { origin.stop() }
      let command = try start("--json", "--format", "png")
      await command.waitForLines(1)
      // Folders stand where the next files are to go. The rest of the image never comes.
      for number in 2...99 {
        let path = place.path("previews/dusk-preview-\(number).png")
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      gate.open()
      let outcome = await command.outcome()
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("is a directory"))
      #expect(try outcome.objects().last?["ok"] as? Bool == false)
      try await origin.waitUntil { $0.closedEarly == 1 }
    }

    @Test("A file instead of the folder for previews is a one-line error, and nothing is loaded")
    func noFolder() async throws {
      defer { origin.stop() }
      let file = try place.write(Data("x".utf8), "file")
      let outcome = try await Command.run(
        "load", origin.url("/dusk.jpg").absoluteString, "--progressive", "--previews", file)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: cannot write into \(file): not a directory"])
      #expect(origin.log.requests.isEmpty)
    }
  }
#endif
