#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(5))) struct UsageTests {
    @Test(
      "Invalid usage ends with status 2 and an error, and does nothing",
      arguments: [
        ["load"], ["load", "a.jpg", "--sizze", "5x"], ["load", "a.jpg", "--size", "0x"],
        ["load", "a.jpg", "--size", "x"], ["load", "a.jpg", "--size", "100"], ["load", "a.jpg", "--size", "50%>"],
        ["load", "a.jpg", "--size", ""], ["load", "a.jpg", "--crop"], ["load", "a.jpg", "--crop", "50%"],
        ["load", "a.jpg", "--crop", "10x10,topLeft"],
        ["load", "a.jpg", "--format", "png"], ["load", "a.jpg", "--quality", "50"],
        ["load", "a.jpg", "--output", "b.jpg", "--quality", "0"],
        ["load", "a.jpg", "--output", "b.jpg", "--format", "pdf"],
        ["load", "a.jpg", "--output", ""], ["load", "a.jpg", "--concurrency", "0"], ["load", "a.jpg", "--repeat", "0"],
        ["load", "a.jpg", "--timeout", "0"], ["load", "a.jpg", "--timeout", "nan"],
        ["load", "a.jpg", "--max-bytes", "0"],
        ["load", "a.jpg", "--json", "--quiet"], ["load", "-", "-"], ["load", "-", "--files-from", "-"],
        ["load", "--files-from", ""], ["load", "a.jpg", "b.jpg", "--output", "-"],
        ["load", "a.jpg", "--output", "-", "--view"], ["info"], ["info", "a.jpg", "--timeout", "-1"],
        ["demo", "extra"], ["nonsense"],
        ["load", "a.jpg", "--processor", "nonsense"], ["load", "a.jpg", "--previews", "b"],
        ["load", "a.jpg", "--preview-interval", "1"], ["load", "a.jpg", "--progressive", "--preview-interval", "-1"],
        ["load", "a.jpg", "--progressive", "--previews", ""], ["load", "a.jpg", "--cache", ""],
        ["load", "a.jpg", "--cache", "c", "--cache-policy", "server"], ["load", "a.jpg", "--cache-policy", "ignore"],
        ["load", "a.jpg", "--max-stale", "5"], ["load", "a.jpg", "--cache", "c", "--max-stale=-1"],
        ["load", "a.jpg", "--cache", "c", "--max-stale", "5", "--cache-policy", "ignore"],
        ["load", "a.jpg", "--cache", "c", "--max-stale", "5", "--cache-policy", "revalidate"],
        ["load", "a.jpg", "--cache-size", "1M"], ["load", "a.jpg", "--cache", "c", "--cache-size", "0"],
        ["load", "a.jpg", "--store", "all"], ["load", "a.jpg", "--cache", "c", "--store", "some"],
        ["load", "a.jpg", "--reload"], ["load", "a.jpg", "--cache", "c", "--reload", "--offline"],
        ["load", "a.jpg", "--original"], ["load", "a.jpg", "--original", "-o", "b.jpg", "--size", "5x"],
        ["load", "a.jpg", "--original", "-o", "b.jpg", "--quality", "5"], ["load", "a.jpg", "--original", "--explain"],
        ["load", "a.jpg", "--original", "-o", "b.jpg", "--repeat", "2"], ["load", "a.jpg", "--verbose", "--json"],
        ["load", "a.jpg", "--original", "-o", "b.jpg", "--keep-metadata"],
        ["load", "a.jpg", "--original", "--dry-run"], ["cache", "sweep", "a", "--dry-run"],
        ["load", "a.jpg", "--verbose", "--quiet"],
        ["load", "a.jpg", "--explain", "--verbose"], ["convert", "a.jpg", "b.png", "--verbose", "--json"],
        ["load", "a.jpg", "--explain", "--output", "b.jpg"], ["load", "a.jpg", "--explain", "--quiet"],
        ["load", "a.jpg", "--explain", "--progressive"], ["load", "a.jpg", "--explain", "--repeat", "2"],
        ["prefetch"], ["prefetch", "list"], ["prefetch", "", "--cache", "c"],
        ["prefetch", "list", "--cache", "c", "--destination", "tape"],
        ["prefetch", "list", "--cache", "c", "--size", "5x"],
        ["prefetch", "list", "--cache", "c", "--store", "encoded"],
        ["prefetch", "list", "--cache", "c", "--json", "--quiet"],
        ["prefetch", "list", "--cache", "c", "--concurrency", "0"], ["prefetch", "list", "more", "--cache", "c"],
        ["cache", "stats"], ["cache", "stats", ""], ["cache", "stats", "a", "b"], ["cache", "nonsense", "a"],
        ["cache", "verify", "a", "--json", "--quiet"], ["cache", "sweep", "a"],
        ["cache", "sweep", "a", "--cache-size", "0"],
        ["cache", "sweep", "a", "--cache-size", "big"], ["cache", "clear"], ["filters", "CISepia"],
        ["filters", "a", "b"],
        ["compare"], ["compare", "a.jpg"], ["compare", "-", "-"], ["compare", "a.jpg", "b.jpg", "--min-ssim", "2"],
        ["compare", "a.jpg", "b.jpg", "--concurrency", "2"], ["hash", "a.jpg", "--concurrency", "2"],
        ["compare", "a.jpg", "b.jpg", "--timeout", "0"], ["hash", "a.jpg", "--timeout", "0"],
        ["compare", "a.jpg", "b.jpg", "--output", "c.pdf"], ["hash"], ["hash", "-", "-"],
        ["compare", "a.jpg", "b.jpg", "--dry-run"], ["hash", "a.jpg", "--dry-run"],
        ["hash", "a.jpg", "--components", "10x1"], ["hash", "a.jpg", "--size", "3x3"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "--size", "3x"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "--size", "50%"],
        ["hash", "a.jpg", "--output", "b.png"], ["hash", "a.jpg", "--punch", "2"], ["hash", "--decode", "00G,5?"],
        ["hash", "--decode", "00G,5?", "--output", "a.pdf"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "b.jpg"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "--json"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "--blurhash", "--thumbhash"],
        ["hash", "--decode", "00G,5?", "--output", "a.png", "--punch", "-1"], ["convert"], ["convert", "a.jpg"],
        ["convert", "a.jpg", ""], ["convert", "a.jpg", "b.jpg", "-"], ["convert", "-o", "b.jpg"],
        ["convert", "a.jpg", "b.tiffany"],
        ["convert", "-", "-", "b.png"], ["convert", "a.jpg", "b.png", "--quality", "101"],
        ["convert", "a.jpg", "b.webp", "--quality", "50", "--lossless"],
        ["convert", "a.jpg", "b", "--format", "jpeg", "--lossless"], ["convert", "a.jpg", "b.png", "--processor", "x"],
        ["convert", "a.jpg", "b.png", "--json", "--quiet"], ["view"], ["view", "-", "-"],
        ["view", "a.jpg", "--protocol", "vga"], ["view", "a.jpg", "--cells", "40"],
        ["view", "a.jpg", "--cells", "0x5"],
        ["view", "a.jpg", "--json"], ["load", "a.jpg", "--protocol", "kitty"], ["load", "a.jpg", "--animate"],
        ["load", "a.jpg", "--cells", "4x4"], ["load", "a.jpg", "--view", "--json"],
        ["load", "a.jpg", "--explain", "--view"], ["montage"], ["montage", "a.jpg"], ["montage", "--output", "a.png"],
        ["montage", "a.jpg", "--output", "a.pdf"], ["montage", "a.jpg", "-o", "a.png", "--tile", "0x3"],
        ["montage", "a.jpg", "b.jpg", "-o", "a.png", "--tile", "1x1"],
        ["montage", "a.jpg", "-o", "a.png", "-s", "50%"],
        ["montage", "a.jpg", "-o", "a.png", "--spacing", "1001"],
        ["montage", "a.jpg", "-o", "a.png", "--background", "mauve"], ["thumbnail"], ["thumbnail", "-"],
        ["thumbnail", "a.jpg", "--flavor", "huge"],
        ["load", "a.jpg", "--output", "b.jpg", "--keep-location"], ["load", "a.jpg", "--keep-metadata"],
        ["load", "a.jpg", "-o", "b.jpg", "--keep-metadata", "--cache", "c", "--store", "encoded"],
        ["load", "a.jpg", "--dry-run"], ["load", "a.jpg", "--skip-existing"], ["load", "--recursive"],
        ["load", "a.jpg", "-o", "b.jpg", "--skip-existing", "--no-overwrite"],
        ["convert", "a.jpg", "{name}", "-o", ""],
        ["convert", "a.jpg", "b_{name}"], ["convert", "a.jpg", "{size}.png"],
        ["load", "a.jpg", "--max-output-bytes", "50K"], ["convert", "a.jpg", "b.jpg", "--max-output-bytes", "0"],
        ["convert", "a.jpg", "b.webp", "--max-output-bytes", "50K", "--lossless"],
      ])
    func wrong(arguments: [String]) async throws {
      let outcome = try await Command.run(arguments)
      #expect(outcome.status == 2)
      #expect(!outcome.wasSignalled)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("Error: "))
    }

    @Test("A misspelled subcommand is named, with a suggestion")
    func misspelled() async throws {
      let near = try await Command.run("convrt", "a.jpg", "b.jpg")
      #expect(near.status == 2)
      #expect(near.errorLines.first == "Error: There is no subcommand convrt. Did you mean convert?")
      let far = try await Command.run("nonsense")
      #expect(far.errorLines.first == "Error: There is no subcommand nonsense.")
    }

    @Test("An image in place of a subcommand is what nuke view shows")
    func image() async throws {
      let place = try Workplace()
      let file = try place.image("photo")
      for (name, shown) in [
        ("photo.jpg", "photo.jpg"), (file, file), ("https://u:p@a.test/x?token=b", "https://a.test/x?…"),
      ] {
        let outcome = try await Command.run(name)
        #expect(outcome.status == 2)
        #expect(
          outcome.errorLines.first == "Error: There is no subcommand \(shown). Did you mean nuke view \(shown)?",
          "\(outcome.errors)")
      }
    }

    @Test("The processors are after the usage and the options", arguments: ["load", "convert", "prefetch"])
    func processorsLast(command: String) async throws {
      let help = try await Command.succeed(command, "--help").output
      let parts = help.components(separatedBy: "\n\nPROCESSORS\n")
      try #require(parts.count == 2)
      #expect(
        parts[0].contains("\n\nEXAMPLES\n") && parts[0].contains("\nUSAGE: ") && parts[0].contains("--processor "))
      #expect(parts[1].hasPrefix("  resize:") && parts[1].contains("core-image-filter:"))
      #expect(!parts[1].contains("EXAMPLES") && !help.contains("\n\n\n"))
    }

    @Test("Invalid usage that is found while a command runs is explained with its own usage")
    func usage() async throws {
      let outcome = try await Command.run("convert", "a.jpg", "b.tiffany")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("Usage: nuke convert"), "\(outcome.errors)")
    }

    @Test("Several images are not written into a folder that is named like a file", arguments: ["load", "convert"])
    func folderLikeFile(command: String) async throws {
      let place = try Workplace()
      let sources = [Sample.path("badge.png"), Sample.path("chart.png")]
      let outcome = try await Command.run([command] + sources + ["--output", place.path("all.webp")])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("named like a file"), "\(outcome.errors)")
      #expect(try place.contents().isEmpty)
      try await Command.succeed([command] + sources + ["--output", place.path("all.webp") + "/"])
      #expect(try place.contents("all.webp") == ["badge.png", "chart.png"])
    }

    @Test("One file cannot hold several images")
    func severalIntoOne() async throws {
      let place = try Workplace()
      let file = try place.write(Data("kept".utf8), "out.png")
      let outcome = try await Command.run("load", Sample.path("badge.png"), Sample.path("chart.png"), "--output", file)
      #expect(outcome.status == 2)
      #expect(try place.data("out.png") == Data("kept".utf8))
    }

    @Test(
      "Help and version are printed on standard output, with status 0",
      arguments: [
        ["--help"], ["load", "--help"], ["info", "--help"], ["demo", "--help"], ["--version"], ["-v"],
        ["help", "load"], [],
        ["convert", "--help"], ["hash", "--help"], ["compare", "--help"], ["filters", "--help"],
        ["prefetch", "--help"],
        ["cache", "--help"],
        ["cache"], ["cache", "verify", "--help"], ["view", "--help"], ["watch", "--help"], ["thumbnail", "--help"],
        ["montage", "--help"],
      ])
    func help(arguments: [String]) async throws {
      let outcome = try await Command.succeed(arguments)
      #expect(!outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
      // Types of the program's own.
      #expect(!outcome.output.contains("Nuke") && !outcome.output.contains("(format:"))
    }

    @Test("The help of every command has at least two examples, which begin with its name")
    func examples() async throws {
      let commands = try await Declaration.root().all.filter { $0.path.count > 1 && $0.path != ["nuke", "help"] }
      for command in commands {
        let discussion = command.discussion ?? ""
        let examples = try #require(
          discussion.components(separatedBy: "EXAMPLES\n").dropFirst().first, "\(command.path)")
        let lines = examples.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("  ") }
        let count = lines.count { $0.contains(command.path.joined(separator: " ")) }
        #expect(count >= 2, "\(command.path) has \(count)")
        // A wrapped line could not be copied.
        if command.commandName != "serve" { #expect(lines.allSatisfy { $0.count < 80 }, "\(command.path)") }
      }
      let names = Set(commands.map(\.commandName))
      #expect(names.isSuperset(of: ["load", "convert", "montage", "cache", "sweep", "serve", "demo"]))
    }

    @Test("The version is followed by the commit and the traits of the build")
    func versionAndTraits() async throws {
      let lines = try await Command.run("--version").lines
      try #require(lines.count == 2)
      #expect(try await Command.run("-v").lines == lines)
      // A checkout is no commit; a source archive tells its own.
      #expect(lines[0].wholeMatch(of: /nuke \d+\.\d+\.\d+ \((?:development|[0-9a-f]{10})\)/) != nil, "\(lines[0])")

      let traits = try #require(lines[1].wholeMatch(of: /Traits: (.+)/)).output.1
      let listed = traits == "none" ? [] : traits.components(separatedBy: ", ")
      let manifest = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Package.swift").standardizedFileURL
      let known = try String(contentsOf: manifest, encoding: .utf8).matches(of: /\.trait\(name: "(\w+)"/)
        .map { String($0.output.1) }
      try #require(!known.isEmpty)
      #expect(listed == known.filter(listed.contains))

      let formats = Set(ImageFormat.allCases.compactMap(\.trait))
      let readable = Set(ImageFormat.readable.compactMap(\.trait))
      #expect(Set(listed).intersection(formats) == readable)
      #if AVIF && HEIC && JPEGXL && TIFF && SVG && Video && Terminal
        #if AsyncHTTPClient && GTK && Redis && Server && Combine
          #expect(listed == known)
        #endif
      #endif
    }
  }
#else
  import Testing

  @Suite("nuke, in a build without its commands") struct UsageTests {
    @Test("The error explains how to build the command")
    func withoutTrait() async throws {
      let outcome = try await Command.run("--version")
      #expect(outcome.status == 64)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors == "nuke: built without its commands; use `swift run --traits Command nuke`\n")
    }
  }
#endif
