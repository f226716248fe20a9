#if Command
  import Foundation
  import NukeOrigin
  import Testing

  /// The name is "café" in Latin-1, which is not UTF-8.
  @Suite("File names that are not UTF-8", .timeLimit(.minutes(2))) struct FileNameTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
      try place.image("source.png")
    }

    /// Runs a script in a folder with the file `$name.png`, whose URL is `$url`.
    private func shell(_ script: String) async throws -> Command.Outcome {
      try await Command.run(
        [
          "-c",
          """
          nuke() { '\(Command.path)' "$@"; }; cd '\(place.url.path)'; name=$(printf 'caf\\351'); cp source.png "$name.png"
          url="file://$PWD/caf%E9.png"; \(script)
          """,
        ], path: "/bin/sh")
    }

    @Test(
      "Every command opens a file by its name, by its URL, and by a list",
      arguments: [
        "load SOURCE --json", "info SOURCE --json", "hash SOURCE --json", "convert SOURCE -o out/ --format webp --json",
        "montage SOURCE -o out.png --json", "thumbnail --directory t SOURCE --json", "view SOURCE",
      ])
    func opens(command: String) async throws {
      for source in ["\"$name.png\"", "\"$url\"", "--files-from list", "--files-from0 list0"] {
        let script = "nuke \(command.replacing("SOURCE", with: source))"
        let lists = "printf '%s\\n' \"$name.png\" > list; printf '%s\\0' \"$name.png\" > list0; "
        let outcome = try await shell(lists + script)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(script): \(outcome)")
        guard command.hasSuffix("--json") else { continue }
        let object = try #require(try outcome.objects().first)
        #expect(object["ok"] as? Bool == true, "\(script)")
        guard let name = object["source"] as? String else { continue }
        #expect(name.hasPrefix("file:///") && name.hasSuffix("/caf%E9.png"), "\(name)")
      }
    }

    @Test("Two images can be compared, and a list can be prefetched")
    func others() async throws {
      for source in ["\"$name.png\"", "\"$url\""] {
        let compared = try await shell("nuke compare source.png \(source) --json")
        #expect(try compared.objects().first?["ssim"] as? Double == 1, "\(compared)")
        let fetched = try await shell("echo \(source) | nuke prefetch - --destination memory")
        #expect(fetched.status == 0 && fetched.output.hasPrefix("1 fetched "), "\(fetched)")
      }
      let overlaid = try await shell("nuke convert source.png out.png --processor \"overlay:$name.png\"")
      #expect(overlaid.status == 0, "\(overlaid)")
    }

    @Test("A file is written under a name of any bytes, and into a folder under that of its source")
    func outputs() async throws {
      for (script, output) in [
        ("convert source.png \"$name.webp\"", "$name.webp"),
        ("load source.png --output=\"$name.webp\"", "$name.webp"),
        ("convert \"$name.png\" out/ --format webp", "out/$name.webp"),
        ("convert source.png \"$url\" \"$name.png\" out/", "out/$name-2.png"),
        ("load \"$name.png\" --output \"$name/\"", "$name/$name.png"),
        ("montage source.png -o \"$name.webp\"", "$name.webp"),
      ] {
        // Nothing else is left, such as a temporary file.
        let outcome = try await shell(
          "nuke \(script) --json && nuke info \"\(output)\" > info && ls -A . out \"$name\" 2> none | grep -c part")
        #expect(outcome.status == 1 && outcome.lines.last == "0", "\(script): \(outcome)")
        let name = output.replacing("$name", with: "caf%E9")
        #expect(outcome.output.contains(try Regex("\"output\":\"file:///[^\"]*/\(name)\"")), "\(script): \(outcome)")
        try? FileManager.default.removeItem(at: place.url.appendingPathComponent("out"))
      }
    }

    @Test("A source is not overwritten, and a name that is missing has escapes in the message")
    func failures() async throws {
      let same = try await shell("nuke convert \"$name.png\" \"./$name.png\"; cmp source.png \"$name.png\"")
      #expect(same.status == 0, "\(same)")
      #expect(
        same.errorLines == [
          "nuke: caf%E9.png: not written, since ./caf%E9.png is a source itself: choose another name or folder"
        ])
      let missing = try await shell("nuke load \"x$name.png\"")
      #expect(missing.errorLines == ["nuke: xcaf%E9.png: no such file"])
      let cache = try await shell("nuke load \"$name.png\" --cache \"$name\"")
      #expect(cache.errorLines == ["nuke: cannot use caf%E9 as a cache: its name is not UTF-8"])
    }

    @Test("A relative name is opened in a folder whose name is not UTF-8")
    func folder() async throws {
      for command in [
        "load a.png", "info a.png", "thumbnail a.png --directory \"$OLDPWD/t\"", "convert a.png b.png",
      ] {
        let outcome = try await shell(
          "mkdir -p \"$name\"; mv \"$name.png\" \"$name/a.png\"; cd \"$name\"; nuke \(command)")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(command): \(outcome)")
      }
    }

    @Test("A URL has escapes for its bytes")
    func url() async throws {
      let image = try place.data("source.png")
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      let outcome = try await shell("nuke load \"\(origin.url("/").absoluteString)$name%20 .png\" --json")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(origin.log.requests.map(\.path) == ["/caf%E9%20%20.png"])
      #expect(try outcome.objects().first?["source"] as? String == origin.url("/").absoluteString + "caf%E9%20 .png")
    }
  }
#endif
