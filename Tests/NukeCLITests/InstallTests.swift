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
      let installed = try await Command.run(Self.folder, prefix, path: Self.script)
      #expect(installed.status == 0, "\(installed.errors)")
      for file in [
        "share/man/man1/nuke.1", "share/bash-completion/completions/nuke", "share/zsh/site-functions/_nuke",
        "share/fish/vendor_completions.d/nuke.fish",
      ] {
        #expect(try !place.data("prefix with space/\(file)").isEmpty, "\(file)")
      }
      let demo = try await Command.run("demo", "--output", place.path("sheet.png"), path: prefix + "/bin/nuke")
      #expect(demo.status == 0, "\(demo.errors)")

      #expect(try await Command.run("--remove", prefix, path: Self.script).status == 0)
      let rest = try FileManager.default.subpathsOfDirectory(atPath: prefix).filter {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: prefix + "/" + $0, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      }
      #expect(rest.isEmpty)
    }
  }
#endif
