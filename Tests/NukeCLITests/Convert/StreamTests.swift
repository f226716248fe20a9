#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite("Standard input and output", .serialized, .timeLimit(.minutes(2))) struct StreamTests {
    private let place: Workplace
    private let source: String

    init() throws {
      place = try Workplace()
      source = try place.image("source.png")
    }

    /// Runs the command in a shell, in which `nuke` is its path.
    private func shell(_ script: String) async throws -> Command.Outcome {
      try await Command.run(
        ["-c", "nuke() { '\(Command.path)' \"$@\"; }; cd '\(place.url.path)' && \(script)"], path: "/bin/sh")
    }

    @Test("An image goes from standard input to standard output, and its line to standard error")
    func both() async throws {
      let outcome = try await shell("nuke convert - - --format webp --lossless < source.png > out.webp")
      #expect(outcome.status == 0 && outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1 && outcome.errors.hasPrefix("standard input → -  40x30  "))
      #expect(ImageFormat(sniffing: try place.data("out.webp")) == .webp)
      let (written, expected) = (
        PlatformImage(data: try place.data("out.webp")), PlatformImage(data: try place.data("source.png"))
      )
      #expect(written?.withUnsafeBytes { Data($0) } == expected?.withUnsafeBytes { Data($0) })
    }

    @Test(
      "Every command that writes an image writes it to standard output",
      arguments: [
        ("load source.png -o - --quiet", ImageFormat.png), ("load source.png -o - --format jpeg --json", .jpeg),
        ("convert source.png -o -", .png), ("compare source.png source.png -o -", .png),
        ("hash --decode '00G,5?' --output -", .png), ("montage source.png -o - --format webp --quiet", .webp),
      ])
    func outputs(arguments: String, format: ImageFormat) async throws {
      let outcome = try await shell("nuke \(arguments) > out")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(ImageFormat(sniffing: try place.data("out")) == format)
      #expect(try PlatformImage(data: place.data("out")) != nil)
    }

    @Test("A failure to write names standard output")
    func full() async throws {
      let outcome = try await shell("nuke convert source.png - > /dev/full")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: source.png: cannot write standard output: no space left on device"])
    }

    @Test(
      "Every command that reads an image reads it from standard input",
      arguments: [
        "load - --json", "info - --json", "hash - --json", "convert - out.png --json", "montage - -o out.png --json",
      ])
    func inputs(arguments: String) async throws {
      let outcome = try await shell("nuke \(arguments) < source.png")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try #require(try outcome.objects().first)
      #expect(object["ok"] as? Bool == true)
      let compared = try await shell("nuke compare source.png - --json < source.png")
      #expect(try compared.objects().first?["ssim"] as? Double == 1)
    }

    @Test(
      "A terminal is refused as a place for the bytes of an image",
      arguments: ["convert source.png -", "load source.png -o -"])
    func terminal(arguments: String) async throws {
      let outcome = try await Command.run(
        ["-qefc", "'\(Command.path)' \(arguments.replacing("source.png", with: source))", "/dev/null"],
        path: "/usr/bin/script", environment: ["TERM": "xterm"])
      #expect(outcome.status == 2)
      #expect(outcome.output.contains("Standard output is a terminal"))
    }

    @Test("A terminal is refused as an image")
    func terminalInput() async throws {
      let outcome = try await Command.run(
        ["-qefc", "'\(Command.path)' load -", "/dev/null"], path: "/usr/bin/script", environment: ["TERM": "dumb"])
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("standard input: it is a terminal"))
    }

    @Test("Standard input is limited, and bytes that are not an image are a failure")
    func badInput() async throws {
      let large = try await shell("nuke load - --max-bytes 100 < source.png")
      #expect(large.status == 1)
      #expect(large.errorLines == ["nuke: standard input: larger than the limit of 100 B (see --max-bytes)"])
      let text = try await shell("echo text | nuke convert - out.png")
      #expect(text.status == 1)
      #expect(text.errors.contains("nuke: standard input: not an image"))
      let empty = try await shell("nuke load - < /dev/null")
      #expect(empty.status == 1 && empty.errorLines.count == 1)
      #expect(try place.contents() == ["source.png"])
    }

    @Test("The largest number is accepted as a limit of standard input")
    func largestLimit() async throws {
      let outcome = try await shell("nuke load - --max-bytes \(Int.max) --json < source.png")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("The image on standard input is not stored in a cache, which would return it for another one")
    func cache() async throws {
      let first = try await shell("nuke load - --cache cache --store all --size 20x --json < source.png")
      #expect(first.status == 0, "\(first.errors)")
      let again = try await shell(
        "nuke load - --cache cache --store all --size 20x --json < '\(Sample.path("chart.png"))'")
      #expect(try again.objects().first?["height"] as? Int == 13)
      #expect(try again.objects().first?["origin"] as? String == "stdin")
    }
  }
#endif
