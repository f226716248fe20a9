#if Command
  import Foundation
  import Testing

  @Suite("Pipes as sources", .timeLimit(.minutes(2))) struct PipeInputTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
      try place.image("source.png")
    }

    /// Runs a script in a folder with the FIFOs `pipe` and `other`. `feed` writes the image to one of them.
    private func shell(_ script: String) async throws -> Command.Outcome {
      try await Command.run(
        [
          "-c",
          """
          nuke() { '\(Command.path)' "$@"; }; feed() { timeout 60 sh -c 'cat source.png > "$0"' "$1"; }
          cd '\(place.url.path)'; test -p pipe || mkfifo pipe other; \(script)
          """,
        ], path: "/bin/sh")
    }

    @Test(
      "Every command reads an image from a pipe",
      arguments: [
        "load SOURCE --json", "info SOURCE --json", "hash SOURCE --json", "convert SOURCE out.png --json",
        "montage SOURCE -o out.png --json", "view SOURCE",
      ])
    func reads(command: String) async throws {
      for (script, origin) in [
        ("feed pipe & nuke \(command.replacing("SOURCE", with: "pipe"))", "pipe"),
        ("cat source.png | nuke \(command.replacing("SOURCE", with: "/dev/stdin"))", "stdin"),
        ("cat source.png | { nuke \(command.replacing("SOURCE", with: "/dev/fd/3")) 3<&0; }", "pipe"),
      ] {
        let outcome = try await shell(script)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(script): \(outcome)")
        guard command.hasSuffix("--json") else { continue }
        let object = try #require(try outcome.objects().first)
        #expect(object["ok"] as? Bool == true && object["width"] as? Int != nil, "\(script)")
        if let name = object["origin"] as? String { #expect(name == origin, "\(script)") }
      }
    }

    @Test("A list may name pipes, and so may the list itself be one")
    func lists() async throws {
      let outcome = try await shell(
        "timeout 60 sh -c 'echo other > pipe' & feed other & nuke prefetch pipe --destination memory --json")
      #expect(outcome.status == 0, "\(outcome)")
      let object = try #require(try outcome.objects().first)
      #expect(object["source"] as? String == "other" && object["origin"] as? String == "pipe")
    }

    @Test("A pipe is read once, and its bytes are kept for the same source")
    func once() async throws {
      let outcome = try await shell("feed pipe & nuke compare pipe ./pipe --json")
      #expect(try outcome.objects().first?["ssim"] as? Double == 1, "\(outcome)")
    }

    @Test("Pipes are read at the same time, so that their order does not matter to a writer")
    func order() async throws {
      let outcome = try await shell(
        "{ feed other; feed pipe; } & nuke montage pipe other -o out.png --json")
      #expect(try outcome.objects().first?["images"] as? Int == 2, "\(outcome)")
    }

    @Test("A pipe is limited as standard input is, and is read with --offline")
    func limits() async throws {
      let large = try await shell("feed pipe & nuke load pipe --max-bytes 100")
      #expect(large.status == 1)
      #expect(large.errorLines == ["nuke: pipe: larger than the limit of 100 B (see --max-bytes)"])
      let offline = try await shell("feed pipe & nuke load pipe --cache cache --offline")
      #expect(offline.status == 0, "\(offline)")
      let empty = try await shell("timeout 60 sh -c ': > pipe' & nuke load pipe")
      #expect(empty.errorLines == ["nuke: pipe: the source is empty: it has no bytes"])
    }

    @Test("Standard input has several names, and is read only once")
    func twice() async throws {
      for command in ["compare - /dev/stdin", "load /dev/fd/0 -", "info --files-from - /dev/stdin"] {
        let outcome = try await shell("nuke \(command) < source.png")
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.contains("Standard input (-) can be read only once."), "\(outcome)")
      }
    }

    @Test("A pipe has no thumbnail, and is not opened for one")
    func thumbnail() async throws {
      let outcome = try await shell("nuke thumbnail --directory t pipe")
      #expect(outcome.status == 1 && outcome.errorLines == ["nuke: pipe: it is not a regular file"], "\(outcome)")
    }

    // A shell lets its background jobs ignore an interrupt, and so would the command. SIGTERM has the same handler.
    @Test("A signal ends a command that waits for the writer of a pipe", arguments: ["info", "load", "hash"])
    func interrupt(name: String) async throws {
      _ = try await shell(":")
      let command = try Command.Running([name, place.path("source.png"), place.path("pipe")])
      command.write("")
      await command.waitForLines(1)
      command.send(SIGTERM)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled && outcome.status == SIGTERM, "\(outcome)")
    }
  }
#endif
