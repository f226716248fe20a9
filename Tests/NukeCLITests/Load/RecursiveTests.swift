#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite("Folders as sources", .serialized, .timeLimit(.minutes(2))) struct RecursiveTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
      for folder in ["photos/trip/day", "other"] {
        try FileManager.default.createDirectory(
          at: place.url.appendingPathComponent(folder), withIntermediateDirectories: true)
      }
      for (number, name) in ["photos/a.png", "photos/trip/b.png", "photos/trip/day/a.png", "other/a.png"].enumerated() {
        try place.image(name, number: number)
      }
    }

    /// The files below a folder, by their paths in it.
    private func files(_ folder: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: place.path(folder)).filter {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: place.path(folder + "/" + $0), isDirectory: &isFolder)
          && !isFolder.boolValue
      }.sorted()
    }

    @Test("Without --recursive, a folder is an error that names the option", arguments: ["load", "info", "hash"])
    func rejected(command: String) async throws {
      let outcome = try await Command.run(command, place.path("photos"))
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines == [
          "nuke: \(place.path("photos")): it is a folder, not an image: use --recursive for the images in it"
        ])
    }

    @Test(
      "The folders of sources are kept in the output folder, and equal names in one folder get numbers",
      arguments: ["load", "convert"])
    func tree(command: String) async throws {
      try await Command.succeed(
        command, place.path("photos"), place.path("other"), "--recursive", "--output", place.path("out"), "--format",
        "webp")
      #expect(try files("out") == ["a-2.webp", "a.webp", "trip/b.webp", "trip/day/a.webp"])
    }

    @Test("An output folder in the searched folder is no source in a second run")
    func outputInside() async throws {
      for _ in 1...2 {
        let outcome = try await Command.succeed(
          "load", place.path("photos"), "--recursive", "--output", place.path("photos/out"), "--json")
        #expect(try outcome.objects().count == 3)
      }
      #expect(try files("photos/out") == ["a.png", "trip/b.png", "trip/day/a.png"])
    }

    @Test("Folders may be in lists, and other commands take them")
    func lists() async throws {
      let list = place.path("other") + "\0" + place.path("photos/trip/day") + "\0"
      let load = try await Command.succeed("load", "--files-from0", "-", "--recursive", "--json", input: list)
      #expect(try load.objects().count == 2)
      let info = try await Command.succeed("info", place.path("photos"), "--recursive", "--json")
      #expect(
        try info.objects().map { $0["source"] as? String }
          == ["photos/a.png", "photos/trip/b.png", "photos/trip/day/a.png"].map(place.path))
      try await Command.succeed("montage", place.path("photos"), "--recursive", "--output", place.path("sheet.png"))
      #expect(try place.contents().contains("sheet.png"))
    }

    @Test("A file that is named like an image but is none is a failure, and the others are loaded")
    func wrongContent() async throws {
      try place.write(Data("text".utf8), "photos/b.jpg")
      let outcome = try await Command.run("load", place.path("photos"), "--recursive", "--json")
      #expect(outcome.status == 1)
      #expect(try outcome.objects().count { $0["ok"] as? Bool == true } == 3)
      #expect(outcome.errorLines.count == 1)
    }
  }
#endif
