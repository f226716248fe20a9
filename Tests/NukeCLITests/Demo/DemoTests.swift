#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct DemoTests {
    @Test("The demo keeps every promise and writes its contact sheet, also for users whose proxy does not respond")
    func demo() async throws {
      let place = try Workplace()
      let outcome = try await Command.succeed(
        "demo", "--output", place.path("sheet.png"),
        environment: ["http_proxy": "http://127.0.0.1:9", "no_proxy": "", "NO_PROXY": ""])
      #expect(outcome.errors.isEmpty)
      #expect(!outcome.output.contains("WRONG"))
      #expect(outcome.output.contains("promises kept. Contact sheet: \(place.path("sheet.png"))"))
      let sheet = try #require(Bitmap(data: try place.data("sheet.png")))
      #expect(sheet.pixelWidth > 1000 && sheet.pixelHeight > 500)
      #expect(try place.contents() == ["sheet.png"])
    }

    @Test("An installed command finds its images in share")
    func installed() async throws {
      // A link needs the same file system, and is never a file that is still being written.
      let place = try Workplace(in: URL(fileURLWithPath: Command.path).deletingLastPathComponent())
      let files = FileManager.default
      try files.createDirectory(atPath: place.path("bin"), withIntermediateDirectories: true)
      try files.createDirectory(atPath: place.path("share/nuke"), withIntermediateDirectories: true)
      try files.linkItem(atPath: Command.path, toPath: place.path("bin/nuke"))
      let without = try await Command.run("demo", path: place.path("bin/nuke"))
      #expect(without.status == 1)
      #expect(without.errors.contains("the sample images are missing"), "\(without.errors)")
      try files.createSymbolicLink(
        atPath: place.path("share/nuke/samples"), withDestinationPath: Sample.folder.path)
      let outcome = try await Command.succeed(
        "demo", "--json", "--output", place.path("sheet.png"), path: place.path("bin/nuke"))
      let objects = try outcome.objects()
      #expect(objects.count > 20)
      #expect(objects.allSatisfy { $0["ok"] as? Bool == true })
    }

    @Test("A contact sheet that cannot be written is a one-line error with status 1")
    func unwritable() async throws {
      let outcome = try await Command.run("demo", "--output", "/nowhere/sheet.png")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: demo: cannot write /nowhere/sheet.png: no such file or directory"])
    }
  }

  @Suite struct DemoTableTests {
    @Test("A wrong count is marked, and fails the whole table")
    func wrong() {
      var table = DemoTable()
      table.add("one", "downloads", by: .origin, .exactly(1), 1)
      table.add("one", "decodes", by: .pipeline, .atLeast(2), 5)
      #expect(table.isMet)
      table.add("two", "downloads", by: .origin, .exactly(1), 2)
      #expect(!table.isMet)
      #expect(
        table.lines(hasColor: false) == [
          "step  what is counted  counted by  promised  counted       ",
          "───────────────────────────────────────────────────────────",
          "one   downloads        origin             1        1  ok",
          "      decodes          pipeline         ≥ 2        5  ok",
          "two   downloads        origin             1        2  WRONG",
          "───────────────────────────────────────────────────────────",
        ])
      #expect(table.rows[2].json.text.contains(#""ok":false"#))
    }
  }
#endif
