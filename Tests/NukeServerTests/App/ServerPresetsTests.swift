#if Server
  import Foundation
  import Logging
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Presets of a server")
  struct ServerPresetsTests {
    private let sample = SampleServer()

    @Test("If only presets are allowed, other options are rejected")
    func presets() async throws {
      try await sample.withServer({
        $0.presets = ["small": "rs:fit:10"]
        $0.allowsOnlyPresets = true
        $0.pathPrefix = "/images"
      }) { (server: RunningServer) async throws in
        // The image of the last path is in memory by then under the URL of the first.
        for (path, status) in [
          ("unsafe/small", 200), ("unsafe/small/bl:2", 400), ("info/unsafe/rs:fit:10", 400), ("info/unsafe", 200),
          ("unsafe/rs:fit:10", 400),
        ] {
          #expect(try await server.get("/images/\(path)/plain/local:///a.png").status == status, "\(path)")
        }
      }
    }

    @Test("The name of a preset in place of an option is an error that says how to write it")
    func bareNames() async throws {
      try await sample.withServer({
        $0.presets = ["small": "rs:fit:10"]
        $0.allowsUnsigned = false
        ($0.keys, $0.salts) = ([Data([1])], [Data([2])])
      }) { server in
        let signer = URLSigner([.init(key: [1], salt: [2])])
        let named = "/small/plain/local:///a.png"
        let answer = try await server.get("/" + signer.signature(of: named) + named)
        #expect(answer.status == 400)
        #expect(
          answer.text == "The URL is malformed: \"small\" is not an option, because it has no colon; "
            + "presets are written as preset:name.\n")
        let signed = "/preset:small/plain/local:///a.png"
        #expect(try await server.get("/" + signer.signature(of: signed) + signed).status == 200)
      }
      // The names of presets are in the log, too.
      #expect(LoggedPath.of("/x/small/plain/http://a/b", prefix: "") == "/-/preset:small/plain/http://a/b")
    }

    @Test("The playground lists and signs the presets of the file and of the settings, which may refer to each other")
    func presetsOfThePage() async throws {
      try await sample.withServer({
        $0.presetFile = sample.folder.appendingPathComponent("presets").path
        $0.presets = ["mine": "pr:small/q:50"]
      }) { server in
        let config = try await server.get("/_playground/config").text
        #expect(config.contains(#""presets":["mine","small"]"#))
        for name in ["mine", "small"] {
          let signed = try await server.get("/_playground/sign?path=%2Fpr%3A\(name)%2Fplain%2Flocal%3A%2F%2F%2Fa.png")
          #expect(signed.status == 200)
        }
      } preparing: {
        try Data("small=rs:fit:10\n".utf8).write(to: sample.folder.appendingPathComponent("presets"))
      }
    }

    @Test("A preset that contains itself is a warning in the log")
    func repeatedPreset() throws {
      let lines = LogLines()
      let logger = Logger(label: "test") {
        ServerLogHandler(label: $0, format: .json, level: .info, write: lines.write)
      }
      var configuration = ImageServer.Configuration()
      configuration.presets = ["rec": "pr:small:rec/q:50", "small": "w:10"]
      _ = try ServerDependencies(configuration, metrics: PrometheusRegistry(), logger: logger)
      let warnings = lines.all.filter { $0.contains("contains itself") }
      #expect(warnings.count == 1 && warnings.first?.contains("warning") == true)
    }

    @Test("Presets are read from a file, and an error in it names the line")
    func presetFile() async throws {
      try await sample.withServer({ $0.presetFile = sample.folder.appendingPathComponent("presets").path }) { server in
        let answer = try await server.get("/unsafe/pr:small/plain/local:///a.png@png")
        #expect(answer.status == 200)
      } preparing: {
        try Data("# sizes\nsmall=rs:fit:10\n".utf8).write(to: sample.folder.appendingPathComponent("presets"))
      }
      try FileManager.default.createDirectory(at: sample.folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: sample.folder) }
      let file = sample.folder.appendingPathComponent("presets")
      try Data("small=rs:fit:10\nlarge=w:100/wobble:3\n".utf8).write(to: file)
      var configuration = ImageServer.Configuration()
      configuration.presetFile = file.path
      let error = #expect(throws: ConfigurationError.self) {
        try ImageServer(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      }
      let start = "preset-file (\(file.path):2): preset \"large\": The option wobble is not valid"
      #expect(error?.description.hasPrefix(start) == true)
    }
  }
#endif
