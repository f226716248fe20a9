#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite struct NamePatternTests {
    private func path(_ text: String, dir: String = "", name: String = "a") throws -> String? {
      try NamePattern(text)?.path { placeholder in
        switch placeholder {
        case .name: name
        case .ext: "png"
        case .index: "01"
        case .width: "40"
        case .height: "30"
        case .dir: dir
        }
      }
    }

    @Test(
      "Placeholders are replaced, and two braces are one",
      arguments: [
        ("tn_{name}.{ext}", "tn_a.png"), ("out/{index}-{width}x{height}.webp", "out/01-40x30.webp"),
        ("{{{name}}.{ext}", "{a}.png"), ("/tmp/{name}", "/tmp/a"), ("{name}{name}", "aa"), ("a}{{b", "a}{b"),
      ])
    func replaced(pattern: String, expected: String) throws {
      #expect(try path(pattern) == expected)
    }

    @Test("A path without an opening brace is no pattern")
    func plain() throws {
      #expect(try NamePattern("out/a}.png") == nil)
    }

    @Test(
      "The folder of a source may be empty, and then does not make a path absolute",
      arguments: [
        ("{dir}/{name}.{ext}", "", "a.png"), ("{dir}/{name}.{ext}", "x/y", "x/y/a.png"), ("o/{dir}/{name}", "", "o/a"),
        ("/o/{dir}/{name}", "x", "/o/x/a"), ("{dir}{name}", "", "a"),
      ])
    func folders(pattern: String, dir: String, expected: String) throws {
      #expect(try path(pattern, dir: dir) == expected)
    }

    @Test("Names with other bytes than UTF-8 keep them")
    func bytes() throws {
      let name = String(system: [0x63, 0xE9])
      #expect(try path("o/{name}.{ext}", name: name)?.systemBytes == Array("o/c".utf8) + [0xE9] + Array(".png".utf8))
    }

    @Test("Unknown and open placeholders are invalid", arguments: ["{nam}", "{", "{}", "{name", "{na/me}", "{Name}"])
    func unknown(pattern: String) {
      #expect(throws: (any Error).self) { try NamePattern("a" + pattern) }
    }
  }

  @Suite("Names of outputs", .serialized, .timeLimit(.minutes(2))) struct OutputNameTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
      try FileManager.default.createDirectory(
        at: place.url.appendingPathComponent("in/sub"), withIntermediateDirectories: true)
      for (number, name) in ["in/a.png", "in/b.png", "in/sub/a.png"].enumerated() {
        try place.image(name, number: number)
      }
    }

    /// The path of an output, with a slash at its end if the name has one.
    private func output(_ name: String) -> String { place.url.path + "/" + name }

    @Test(
      "A pattern names the outputs, and its folders are created",
      arguments: ["load", "convert"],
      [
        ("tn_{name}.{ext}", ["tn_a-2.png", "tn_a.png", "tn_b.png"]),
        ("new/{index}.webp", ["new/1.webp", "new/2.webp", "new/3.webp"]),
        ("{width}x{height}/{dir}/{name}.{ext}", ["20x15/a.png", "20x15/b.png", "20x15/sub/a.png"]),
      ])
    func names(command: String, expected: (pattern: String, files: [String])) async throws {
      try await Command.succeed(
        command, place.path("in"), "--recursive", "--size", "20x", "--output", output("out/" + expected.pattern))
      let files = try FileManager.default.subpathsOfDirectory(atPath: place.path("out"))
      #expect(files.filter { $0.hasSuffix(".png") || $0.hasSuffix(".webp") }.sorted() == expected.files)
      if expected.pattern.hasSuffix(".webp") {
        #expect(ImageFormat(sniffing: try place.data("out/new/1.webp")) == .webp)
      }
    }

    @Test("A large image whose size is in the name is converted as well")
    func largeImage() async throws {
      let bitmap = try #require(
        Bitmap(pixelWidth: 1_000, pixelHeight: 1_001, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
        })
      try place.write(#require(bitmap.jpegData(compressionQuality: 0.8)), "in/large.jpg")
      try await Command.succeed("convert", place.path("in/large.jpg"), output("{name}-{width}.{ext}"))
      #expect(try place.contents() == ["in", "large-1000.jpg"])
    }

    @Test(
      "Patterns that are not valid are invalid usage, and nothing is written",
      arguments: [
        ("{nmae}.{ext}", "Unknown placeholder {nmae}"), ("same.{ext}", "add {name} or {index}"),
        ("{name}/", "add the name of a file"),
      ], ["load", "convert"])
    func wrong(expected: (pattern: String, reason: String), command: String) async throws {
      let outcome = try await Command.run(
        command, place.path("in/a.png"), place.path("in/b.png"), "--output", output(expected.pattern))
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(expected.reason), "\(outcome.errors)")
      #expect(try place.contents() == ["in"])
    }

    @Test("Two sources never share an output")
    func shared() async throws {
      for folder in ["in/x", "in/xy"] {
        try FileManager.default.createDirectory(
          at: place.url.appendingPathComponent(folder), withIntermediateDirectories: true)
      }
      try place.image("in/x/ya.png")
      try place.image("in/xy/a.png")
      let outcome = try await Command.run(
        "load", place.path("in"), "--recursive", "--output", output("out/{dir}{name}.{ext}"))
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("is the output of \(place.path("in/x"))"), "\(outcome.errors)")
      #expect(try place.contents("out") == ["a.png", "b.png", "suba.png", "xya.png"])
    }

    // MARK: Existing outputs

    @Test("--skip-existing leaves existing outputs, and does not load their sources", arguments: ["load", "convert"])
    func skipped(command: String) async throws {
      let arguments = [
        command, place.path("in"), "--recursive", "--output", output("out/"), "--skip-existing", "--json",
      ]
      try await Command.succeed(arguments)
      try FileManager.default.removeItem(atPath: place.path("out/sub/a.png"))
      try place.write(Data("kept".utf8), "out/a.png")
      let objects = try await Command.succeed(arguments).objects()
      #expect(objects.count { $0["skipped"] as? Bool == true } == 2)
      let loaded = objects.filter { $0["skipped"] == nil }
      #expect(loaded.compactMap { $0["output"] as? String } == [place.path("out/sub/a.png")])
      #expect(try place.data("out/a.png") == Data("kept".utf8))
      let text = try await Command.succeed(Array(arguments.dropLast()))
      #expect(text.output.contains("0 loaded, 3 skipped"))
    }

    @Test("An output whose format only its source tells is skipped after the load")
    func skippedLate() async throws {
      let data = "data:image/png;base64," + (try place.data("in/a.png").base64EncodedString())
      try FileManager.default.createDirectory(atPath: place.path("out"), withIntermediateDirectories: true)
      try place.write(Data("kept".utf8), "out/image.png")
      let outcome = try await Command.succeed("load", data, "--output", place.path("out"), "--skip-existing", "--json")
      #expect(try outcome.objects().first?["skipped"] as? Bool == true)
      #expect(try place.data("out/image.png") == Data("kept".utf8))
    }

    @Test("--no-overwrite is an error for each existing output", arguments: ["load", "convert"])
    func kept(command: String) async throws {
      try FileManager.default.createDirectory(atPath: place.path("out"), withIntermediateDirectories: true)
      try place.write(Data("kept".utf8), "out/a.png")
      let outcome = try await Command.run(
        command, place.path("in/a.png"), place.path("in/b.png"), "--output", place.path("out"), "--no-overwrite")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("out/a.png exists: remove --no-overwrite"), "\(outcome.errors)")
      #expect(try place.data("out/a.png") == Data("kept".utf8))
      #expect(try place.contents("out") == ["a.png", "b.png"])
    }

    @Test("A sheet that exists is skipped, or is an error")
    func sheet() async throws {
      try place.write(Data("kept".utf8), "sheet.png")
      let arguments = ["montage", place.path("in/a.png"), "--output", place.path("sheet.png")]
      let skipped = try await Command.succeed(arguments + ["--skip-existing"])
      #expect(skipped.output.contains("skipped"))
      #expect(try await Command.run(arguments + ["--no-overwrite"]).status == 1)
      #expect(try place.data("sheet.png") == Data("kept".utf8))
    }

    // MARK: Dry runs

    @Test("A dry run prints each source and its output, and writes nothing", arguments: ["load", "convert"])
    func dryRun(command: String) async throws {
      let outcome = try await Command.succeed(
        command, place.path("in"), "--recursive", "--output", output("out/{dir}/{index}-{width}.{ext}"), "--dry-run"
      )
      let sources = ["in/a.png", "in/b.png", "in/sub/a.png"].map(place.path)
      let outputs = ["out/1-{width}.png", "out/2-{width}.png", "out/sub/3-{width}.png"].map(place.path)
      #expect(outcome.lines == zip(sources, outputs).map { "\($0) → \($1)" })
      #expect(try place.contents() == ["in"])
      let folder = try await Command.succeed(
        command, place.path("in/a.png"), place.path("in/b.png"), "--output", output("new/"), "--dry-run", "--json")
      #expect(try folder.objects().map { $0["output"] as? String } == ["new/a.png", "new/b.png"].map(place.path))
      #expect(try place.contents() == ["in"])
    }

    @Test("A dry run requests nothing, and leaves what only the server tells")
    func dryRunOfURL() async throws {
      let outcome = try await Command.succeed(
        "load", "http://nosuchhost.invalid/photo.jpg", "--output", output("out/"), "--cache", place.path("cache"),
        "--dry-run")
      #expect(outcome.lines == ["http://nosuchhost.invalid/photo.jpg → \(place.path("out/photo.{ext}"))"])
      #expect(try place.contents() == ["in"])
    }

    @Test("A dry run shows what would fail and what would be skipped")
    func dryRunFailures() async throws {
      try FileManager.default.createDirectory(atPath: place.path("out"), withIntermediateDirectories: true)
      try place.write(Data("kept".utf8), "out/a.png")
      let arguments = [
        "load", place.path("in/a.png"), place.path("none.png"), "--output", place.path("out"), "--dry-run",
      ]
      let skipped = try await Command.run(arguments + ["--skip-existing"])
      #expect(skipped.status == 1)
      #expect(skipped.output.contains("skipped, since"))
      #expect(skipped.errorLines == ["nuke: \(place.path("none.png")): no such file"])
      let failed = try await Command.run(arguments + ["--no-overwrite"])
      #expect(failed.errorLines.count == 2)
      let own = try await Command.run("load", place.path("in/a.png"), "--output", place.path("in"), "--dry-run")
      #expect(own.status == 1 && own.errors.contains("is a source itself"))
    }

    @Test("A dry run of a montage draws nothing")
    func dryRunOfMontage() async throws {
      let outcome = try await Command.succeed(
        "montage", place.path("in"), "--recursive", "--output", place.path("sheet.png"), "--dry-run")
      #expect(outcome.lines.count == 3)
      let missing = try await Command.run(
        "montage", place.path("in/a.png"), place.path("none.png"), "--output", place.path("sheet.png"), "--dry-run")
      #expect(missing.status == 1)
      #expect(missing.errorLines == ["nuke: \(place.path("none.png")): no such file"])
      #expect(try place.contents() == ["in"])
    }
  }
#endif
