#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  /// Bad input is normal input: one readable line, status 1, nothing half-written.
  @Suite(.timeLimit(.minutes(2))) struct BadInputTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// Loads `source` into an empty folder and expects one line about it that has `reason` in it.
    private func expectFailure(_ source: String, _ reason: String, _ options: [String] = []) async throws {
      let place = try Workplace()
      let outcome = try await Command.run(["load", source, "--output", place.path("out.png")] + options)
      expect(outcome, source, reason)
      #expect(try place.contents().isEmpty)
    }

    private func expect(_ outcome: Command.Outcome, _ source: String, _ reason: String) {
      #expect(outcome.status == 1)
      #expect(!outcome.wasSignalled)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("nuke: \(source): "), "\(outcome.errors)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(!outcome.errors.contains("Error("), "\(outcome.errors)")
    }

    /// The same with what an origin answers.
    private func expectFailure(
      of response: NukeOrigin.Response, _ reason: String, _ options: [String] = []
    ) async throws {
      let origin = try NukeOrigin { _ in response }
      defer { origin.stop() }
      try await expectFailure(origin.url("/a.jpg").absoluteString, reason, options)
      #expect(origin.log.requests.count == 1)
    }

    // MARK: Sources

    @Test(
      "A source that cannot be read",
      arguments: [
        ("/nowhere/missing.jpg", "no such file"), (Sample.folder.path, "it is a folder"),
        ("/dev/zero", "not a regular file"), ("data:image/png;base64,@@@", "base64"), ("data:image/png", "comma"),
        ("gopher://127.0.0.1/a.jpg", "gopher"), ("http:///a.jpg", "no host"),
        ("http://nosuchhost.invalid/a.jpg", "nosuchhost.invalid was not found"),
      ])
    func source(source: String, reason: String) async throws {
      try await expectFailure(source, reason)
    }

    @Test("An empty file") func emptyFile() async throws {
      try await expectFailure(try place.write(Data(), "a.jpg"), "the source is empty: it has no bytes")
    }

    // MARK: Network

    @Test("A refused connection") func refused() async throws {
      let port = try RefusingPort()
      try await expectFailure(port.url("/a.jpg").absoluteString, "could not connect to 127.0.0.1")
      withExtendedLifetime(port) {}
    }

    @Test(
      "A connection that ends or stalls in the middle of the body",
      arguments: [
        (.reset, "was lost", []), (.close, "was lost", []),
        (.stall, "sent nothing for 0.3 s", ["--timeout", "0.3"]),
      ] as [(NukeOrigin.Response.Step, String, [String])])
    func interrupted(step: NukeOrigin.Response.Step, reason: String, options: [String]) async throws {
      let body = try Sample.data("lake.jpg")
      try await expectFailure(of: .data(body).scripted(.head, .bytes(10_000), step), reason, options)
    }

    @Test("A server that never answers") func silent() async throws {
      try await expectFailure(of: .status(200).scripted(.stall), "sent nothing for 0.3 s", ["--timeout", "0.3"])
    }

    @Test("Something that is not HTTP") func garbage() async throws {
      try await expectFailure(of: .garbage(), "127.0.0.1")
    }

    @Test("Statuses that are failures", arguments: [404, 410, 500, 503])
    func status(status: Int) async throws {
      try await expectFailure(of: .status(status), "status \(status)")
    }

    @Test("An empty body") func emptyBody() async throws {
      try await expectFailure(of: .data(Data(), type: "image/jpeg"), "empty")
    }

    // MARK: Images

    @Test("HTML with an image's name") func html() async throws {
      let page = Data("<!DOCTYPE html><html><body>Sign in</body></html>".utf8)
      try await expectFailure(of: .data(page, type: "image/jpeg"), "HTML")
    }

    @Test(
      "A truncated image in each format", arguments: ["lake.jpg", "dusk.jpg", "chart.png", "bubbles.webp", "orbit.gif"])
    func truncated(name: String) async throws {
      let data = try Sample.data(name)
      // The first frame of an animated image is at its beginning, so that is where it is cut.
      let file = try place.write(data.prefix(name == "orbit.gif" ? 1500 : data.count / 2), name)
      try await expectFailure(file, "truncated")
    }

    @Test("200,000 x 200,000 pixels in a header") func huge() async throws {
      try await expectFailure(try place.write(Self.png(side: 200_000), "a.png"), "200000x200000")
    }

    @Test("A header that lies about how much follows") func lying() async throws {
      try await expectFailure(try place.write(Self.png(side: 4000), "a.png"), "PNG")
    }

    @Test("A body past the limit, announced or not") func tooLarge() async throws {
      let body = try Sample.data("lake.jpg")
      try await expectFailure(of: .data(body), "larger than the limit of 10.0 KB", ["--max-bytes", "10K"])
      try await expectFailure(
        of: .data(body).framed(.chunked), "larger than the limit of 10.0 KB", ["--max-bytes", "10K"])
    }

    @Test("A file past the limit") func tooLargeFile() async throws {
      try await expectFailure(Sample.path("lake.jpg"), "larger than the limit of 10.0 KB", ["--max-bytes", "10K"])
    }

    @Test("Names cannot break the line or control the terminal") func hostileName() async throws {
      let outcome = try await Command.run("load", "a\nb\u{1B}[2J.jpg")
      #expect(outcome.errorLines == ["nuke: a b\u{FFFD}[2J.jpg: no such file"])
    }

    @Test("A failure does not prevent other loads") func others() async throws {
      let outcome = try await Command.run(
        "load", "missing.jpg", Sample.path("badge.png"), "gone.jpg", Sample.path("chart.png"))
      #expect(outcome.status == 1)
      #expect(Set(outcome.errorLines) == ["nuke: missing.jpg: no such file", "nuke: gone.jpg: no such file"])
      #expect(outcome.output.contains("512x512 PNG"))
      #expect(outcome.output.contains("1200x800 PNG"))
      #expect(outcome.output.contains("2 loaded, 2 failed"))
    }

    // MARK: Outputs

    private func expectUnwritable(_ path: String, _ reason: String) async throws {
      let source = Sample.path("badge.png")
      expect(try await Command.run("load", source, "--output", path), source, reason)
    }

    @Test("An output in a folder that does not exist") func noFolder() async throws {
      try await expectUnwritable(place.path("none/out.png"), "no such file or directory")
      #expect(try place.contents().isEmpty)
    }

    @Test("An output below a file") func belowFile() async throws {
      try await expectUnwritable(try place.write(Data("x".utf8), "file") + "/out.png", "not a directory")
      #expect(try place.contents() == ["file"])
    }

    @Test("An output on a full device") func fullDevice() async throws {
      try await expectUnwritable("/dev/full", "no space left on device")
      #expect(FileManager.default.fileExists(atPath: "/dev/full"))
    }

    @Test("An output folder that cannot be created") func noFolderForMany() async throws {
      let outcome = try await Command.run(
        "load", Sample.path("badge.png"), Sample.path("chart.png"), "--output", place.path("a/b"))
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("nuke: cannot create the folder "))
      #expect(try place.contents().isEmpty)
    }

    @Test("A write that fails in the middle leaves the old file, and no other")
    func failsInTheMiddle() async throws {
      let old = try place.write(Data("old".utf8), "out.png")
      // No file may grow past 8 blocks of 1,024 bytes (512 in some shells).
      let source = Sample.path("badge.png")
      let outcome = try await Command.run(
        ["-c", "ulimit -f 8; exec '\(Command.path)' load '\(source)' --output '\(old)'"], path: "/bin/sh")
      expect(outcome, source, "file too large")
      #expect(try place.contents() == ["out.png"])
      #expect(try place.data("out.png") == Data("old".utf8))
    }

    @Test("A failing standard output is a one-line error") func fullOutput() async throws {
      let outcome = try await Command.run(
        ["-c", "exec '\(Command.path)' load '\(Sample.path("badge.png"))' > /dev/full"], path: "/bin/sh")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: cannot write standard output: no space left on device"])
    }

    @Test("Help that cannot be written is a one-line error", arguments: ["--help", "help convert", "--version"])
    func fullHelp(arguments: String) async throws {
      let outcome = try await Command.run(["-c", "exec '\(Command.path)' \(arguments) > /dev/full"], path: "/bin/sh")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: cannot write standard output: no space left on device"])
    }

    @Test("An image with too many pixels names the option that allows it")
    func pixelLimit() async throws {
      try await expectFailure(
        Sample.path("lake.jpg"), "more than the 1000 pixels allowed (see --max-pixels)", ["--max-pixels", "1000"])
    }

    @Test(
      "Each command that can show a part of a damaged image names the option",
      arguments: [
        ["load"], ["hash"], ["view"], ["compare", Sample.path("lake.jpg")], ["montage", "-o", "/nowhere/sheet.png"],
      ])
    func damage(words: [String]) async throws {
      let path = try place.write(Sample.data("lake.jpg").prefix(200_000), "cut.jpg")
      let outcome = try await Command.run(words + [path])
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines.contains(
          "nuke: \(path): truncated JPEG: the data ends after 200000 bytes, in the middle of the image "
            + "(see --tolerate-damage)"), "\(outcome.errors)")
    }

    @Test(
      "An image of which no part can be shown does not name the option",
      arguments: [("lake.jpg", 120), ("chart.png", 120), ("orbit.gif", 40_000), ("aurora.webp", 120_000)])
    func noPart(name: String, byteCount: Int) async throws {
      let path = try place.write(Sample.data(name).prefix(byteCount), name)
      for options in [[], ["--tolerate-damage"]] {
        let outcome = try await Command.run(["convert", path, place.path("out.webp")] + options)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("in the middle of the image"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("--tolerate-damage"), "\(outcome.errors)")
      }
    }

    @Test("A panorama whose side is longer than servers allow is processed")
    func panorama() async throws {
      let data = try #require(Bitmap(pixelWidth: 30_000, pixelHeight: 10, isOpaque: true) { _ in }?.pngData())
      try await Command.succeed(
        "load", try place.write(data, "wide.png"), "--size", "300x", "--output", place.path("out.png"))
      #expect(PlatformImage(data: try place.data("out.png"))?.pixelWidth == 300)
    }

    // MARK: Made images

    /// The header of a PNG with sides of `side` pixels, and an end.
    private static func png(side: UInt32) -> Data {
      var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      let sides = withUnsafeBytes(of: side.bigEndian) { Data($0) }
      for (name, body) in [("IHDR", sides + sides + [8, 2, 0, 0, 0]), ("IDAT", Data([0x78, 0x9C])), ("IEND", Data())] {
        let chunk = Data(name.utf8) + body
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { data += Data($0) }
        data += chunk
        withUnsafeBytes(of: crc(chunk).bigEndian) { data += Data($0) }
      }
      return data
    }

    /// CRC-32 as PNG has it: ISO 3309, polynomial 0xEDB88320 reflected.
    private static func crc(_ data: Data) -> UInt32 {
      ~data.reduce(~0) { value, byte in
        (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
      }
    }
  }
#endif
