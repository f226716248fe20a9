#if Server
  import Foundation
  import Testing

  @testable import NukeServer

  @Suite("The printed configuration, and the help")
  struct LoadedConfigurationTextTests {
    @Test("Keys are read, and never printed")
    func secrets() throws {
      let proxy = "http://me:hunter2@proxy.test:3128"
      let loaded = try LoadedConfiguration(
        "NUKE_KEYS=c0ffee NUKE_SALTS=beef NUKE_S3_SECRET_KEY=hunter2 NUKE_PROXY=\(proxy) --s3-access-key name")
      #expect(loaded.configuration.keys == [Data([0xC0, 0xFF, 0xEE])])
      #expect(loaded.configuration.proxy?.absoluteString == proxy)
      let lines = loaded.text().split(separator: "\n")
      #expect(lines.count == ServerSetting.all.count)
      #expect(lines.contains { $0.hasPrefix("keys ") && $0.contains("•••") && $0.hasSuffix("NUKE_KEYS") })
      for secret in ["c0ffee", "hunter2", "proxy.test"] { #expect(!loaded.text().contains(secret), "\(secret)") }
    }

    @Test("Only settings that differ from the defaults are printed if that is requested")
    func differences() throws {
      let loaded = try LoadedConfiguration("NUKE_KEYS=c0ffee NUKE_SALTS=beef --port 9000 --host 127.0.0.1 --no-health")
      let rows = loaded.text(onlyDifferences: true).split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
      }
      #expect(
        rows == [
          ["keys", "•••", "NUKE_KEYS"], ["salts", "•••", "NUKE_SALTS"], ["port", "9000", "--port"],
          ["health", "false", "--health"],
        ])
      #expect(try LoadedConfiguration("").text(onlyDifferences: true) == "All settings have their default values.")
      let demo = try LoadedConfiguration("--demo").text(onlyDifferences: true)
      #expect(demo.contains("/samples") && demo.split(separator: "\n").allSatisfy { !$0.hasSuffix("default") })
    }

    @Test("The end of a long value is not printed")
    func longValues() throws {
      let data = String(repeating: "AQID", count: 1000)
      let text = try LoadedConfiguration("--watermark-data \(data)").text(onlyDifferences: true)
      #expect(text.contains("… (4000 characters)") && text.count < 200)
    }

    @Test("The help begins with the ten settings that most servers need, and has no group without settings")
    func groups() {
      let groups = ServerSetting.grouped
      #expect(groups.first?.settings.map(\.name) == ServerSettingGroup.firstNames)
      #expect(ServerSettingGroup.firstNames.count == 10)
      for (group, settings) in groups { #expect(!settings.isEmpty, "\(group)") }
    }

    @Test("The help contains all settings, in lines that fit a terminal")
    func help() {
      let help = ServeFlags.help
      for setting in ServerSetting.all { #expect(help.contains("--\(setting.name)"), "\(setting.name)") }
      for line in help.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
  }
#endif
