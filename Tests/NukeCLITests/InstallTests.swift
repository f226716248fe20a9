#if Command
  import Foundation
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct InstallTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Scripts/install").standardizedFileURL.path
    private static let folder = URL(fileURLWithPath: Command.path).deletingLastPathComponent().path

    @Test("An installed command finds its samples, and removing it leaves no file")
    func installAndRemove() async throws {
      let place = try Workplace()
      let prefix = place.path("prefix with space")
      try await Command.succeed(Self.folder, prefix, path: Self.script)
      for file in [
        "share/man/man1/nuke.1", "share/bash-completion/completions/nuke", "share/zsh/site-functions/_nuke",
        "share/fish/vendor_completions.d/nuke.fish",
      ] {
        #expect(try !place.data("prefix with space/\(file)").isEmpty, "\(file)")
      }
      try await Command.succeed("demo", "--output", place.path("sheet.png"), path: prefix + "/bin/nuke")

      try await Command.succeed("--remove", prefix, path: Self.script)
      let rest = try FileManager.default.subpathsOfDirectory(atPath: prefix).filter {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: prefix + "/" + $0, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      }
      #expect(rest.isEmpty)
    }
  }
#endif
