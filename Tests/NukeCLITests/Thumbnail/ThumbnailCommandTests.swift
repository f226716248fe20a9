#if Command
  import Foundation
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct ThumbnailCommandTests {
    private let workplace: Workplace
    private var environment: [String: String] { ["XDG_CACHE_HOME": workplace.path("cache")] }

    init() throws { workplace = try Workplace() }

    @Test("Thumbnails are created where file managers look, and found the next time")
    func folder() async throws {
      let samples = ["lake.jpg", "badge.png", "orbit.gif"].map(Sample.path)
      let first = try await Command.succeed(["thumbnail", "--json"] + samples, environment: environment)
      let objects = try first.objects()
      #expect(objects.map { $0["source"] as? String } == samples)
      #expect(objects.map { $0["new"] as? Bool } == [true, true, true])
      #expect(objects.map { $0["width"] as? Int } == [256, 256, 240])
      let paths = objects.compactMap { $0["thumbnail"] as? String }
      #expect(
        try workplace.contents("cache/thumbnails/large") == paths.map { ($0 as NSString).lastPathComponent }.sorted())

      let second = try await Command.succeed(["thumbnail"] + samples, environment: environment)
      #expect(second.lines == paths)
      let before = try paths.map { try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int }
      _ = try await Command.run(["thumbnail", "--remake"] + samples, environment: environment)
      let after = try paths.map { try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? Int }
      #expect(zip(before, after).allSatisfy { $0 != $1 })
    }

    @Test("A dry run prints the paths of thumbnails, and creates none")
    func dryRun() async throws {
      let samples = ["lake.jpg", "badge.png"].map(Sample.path)
      let arguments = ["thumbnail", "--json", "--dry-run"] + samples
      let planned = try await Command.succeed(arguments, environment: environment).objects()
      #expect(planned.map { $0["new"] as? Bool } == [true, true])
      #expect(try workplace.contents().isEmpty)
      let made = try await Command.succeed(["thumbnail", "--json", samples[0]], environment: environment).objects()
      #expect(made[0]["thumbnail"] as? String == planned[0]["thumbnail"] as? String)
      let again = try await Command.succeed(arguments, environment: environment).objects()
      #expect(again.map { $0["new"] as? Bool } == [false, true])
      let text = try await Command.run("thumbnail", "--dry-run", workplace.path("none.jpg"), environment: environment)
      #expect(text.status == 1)
      #expect(text.errorLines == ["nuke: \(workplace.path("none.jpg")): no such file"])
    }

    @Test("Each flavor has a folder, and unknown flavors are invalid usage")
    func sizes() async throws {
      let folder = workplace.path("thumbs")
      for (size, width) in [("normal", 128), ("x-large", 512), ("xx-large", 1024)] {
        let outcome = try await Command.run(
          "thumbnail", "--json", "--flavor", size, "--directory", folder, Sample.path("lake.jpg"))
        #expect(try outcome.objects().first?["width"] as? Int == width)
      }
      #expect(try workplace.contents("thumbs") == ["normal", "x-large", "xx-large"])
      let outcome = try await Command.run("thumbnail", "--flavor", "huge", Sample.path("lake.jpg"))
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("normal"))
    }

    @Test("An existing larger thumbnail is reported with its size")
    func larger() async throws {
      for size in ["xx-large", "normal"] {
        let outcome = try await Command.run(
          "thumbnail", "--json", "--flavor", size, Sample.path("lake.jpg"), environment: environment)
        let object = try #require(try outcome.objects().first)
        #expect(object["width"] as? Int == 1024)
        #expect((object["thumbnail"] as? String)?.contains("/xx-large/") == true)
      }
    }

    @Test("Failures are reported, other thumbnails are created, and the list may be standard input")
    func failures() async throws {
      let text = try workplace.write(Data("not an image".utf8), "notes.txt")
      let list = [workplace.path("missing.jpg"), text, "https://example.com/a.jpg", Sample.path("lake.jpg")]
      let outcome = try await Command.run(
        ["thumbnail", "--files-from", "-"], input: list.joined(separator: "\n"), environment: environment)
      #expect(outcome.status == 1)
      #expect(outcome.lines.count == 1)
      #expect(
        outcome.errorLines == [
          "nuke: \(list[0]): no such file or directory",
          "nuke: \(text): not an image: it looks like plain text",
          "nuke: \(list[2]): only files have thumbnails",
        ])
      let again = try await Command.run("thumbnail", text, environment: environment)
      #expect(
        again.errorLines == [
          "nuke: \(text): it failed before, and the file has not changed since (see --remake)"
        ])
    }

    @Test("A folder that cannot be written is an error")
    func unwritable() async throws {
      try workplace.write(Data(), "file")
      let outcome = try await Command.run(
        "thumbnail", "--directory", workplace.path("file"), Sample.path("lake.jpg"))
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("cannot be written: not a directory"))
    }

    @Test("A thumbnail of a thumbnail is an error")
    func ofThumbnail() async throws {
      let made = try await Command.run("thumbnail", Sample.path("lake.jpg"), environment: environment)
      let thumbnail = try #require(made.lines.first)
      let outcome = try await Command.run("thumbnail", thumbnail, environment: environment)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorLines == ["nuke: \(thumbnail): it is a thumbnail itself"])
    }
  }
#endif
