#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeCodecs
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Reloading settings") struct ReloadingTests {
    private typealias Configuration = ImageServer.Configuration

    private let lines = LogLines()

    /// A server that does not listen, with these settings.
    private func server(_ configuration: Configuration, dependencies: ServerDependencies? = nil) throws -> ImageServer {
      let logger = Logger(label: "test") { [lines] in
        ServerLogHandler(label: $0, format: .json, level: .info, write: lines.write)
      }
      let dependencies =
        try dependencies ?? ServerDependencies(configuration, metrics: PrometheusRegistry(), logger: logger)
      return ImageServer(configuration, dependencies: dependencies, logger: logger)
    }

    private static let reloaded: [String: @Sendable (inout Configuration) -> Void] = [
      "keys": { $0.keys = [Data([7])] },
      "salts": { $0.salts = [Data([7]), Data([8])] },
      "allow-unsigned": { $0.allowsUnsigned.toggle() },
      "presets": { $0.presets = ["a": "w:1"] },
      "preset-file": { $0.presetFile = "/presets" },
      "only-presets": { $0.allowsOnlyPresets.toggle() },
      "base64-filenames": { $0.ignoresFilenames.toggle() },
      "allowed-options": { $0.allowedOptions = ["w"] },
      "source-url-encryption-key": { $0.sourceEncryptionKey = Data(repeating: 7, count: 16) },
      "signature-size": { $0.signatureSize = 9 },
      "trusted-signatures": { $0.trustedSignatures = ["trusted"] },
      "quality": { $0.quality = 33 },
      "format-quality": { $0.formatQuality = [.webp: 33] },
      "format-effort": { $0.formatEffort = [.webp: 33] },
      "progressive-jpeg": { $0.writesProgressiveJPEG.toggle() },
      "strip-metadata": { $0.stripsMetadata.toggle() },
      "keep-copyright": { $0.keepsCopyright.toggle() },
      "keep-location": { $0.keepsLocation.toggle() },
      "send-svg": { $0.sendsSVG.toggle() },
      "enforce-thumbnail": { $0.usesThumbnails.toggle() },
      "watermark": { $0.watermark = "/mark.png" },
      "watermark-data": { $0.watermarkData = Data([1]) },
      "bearer-token": { $0.bearerToken = "token" },
      "skip-processing-formats": { $0.skippedFormats = [.gif] },
      "auto-rotate": { $0.autoRotates.toggle() },
      "preferred-formats": { $0.preferredFormats = [.png] },
      "png-colors": { $0.colorCountOfPNG = 16 },
      "watermark-opacity": { $0.watermarkOpacity = 33 },
    ]

    @Test(
      "The rules for URLs, the settings of encoding and the watermark are applied", arguments: reloaded.keys.sorted())
    func applied(_ setting: String) throws {
      let start = Configuration()
      var next = start
      let change = try #require(Self.reloaded[setting])
      change(&next)
      #expect(next != start)
      #expect(start.reloading(next) == next)
      #expect(start.reloading(next).settings(differingFrom: next) == [])
    }

    @Test("Other settings keep the values of the start, and are named")
    func unapplied() throws {
      let start = Configuration()
      for setting in ServerSetting.all where Self.reloaded[setting.name] == nil {
        var next = start
        let values = setting.get(start)
        // One of these is valid for each setting, and is not its value.
        let samples = [
          "true", "false", "33", "0", "error", "json", "role", "png", "http://a.example:1", "http://a/=http://b/", "0a",
          "a=b",
        ]
        let isChanged = samples.contains { text in
          var changed = start
          guard (try? setting.set(&changed, [text])) != nil, setting.get(changed) != values else { return false }
          next = changed
          return true
        }
        try #require(isChanged, "\(setting.name)")
        #expect(start.reloading(next) == start, "\(setting.name)")
        #expect(start.settings(differingFrom: next) == [setting.name])
      }
    }

    @Test("Keys for purges are applied if the server has started with some; otherwise they need a restart")
    func purgeKeys() {
      var next = Configuration()
      (next.purgeKeys, next.purgeSalts) = ([Data([1])], [Data([2])])
      let start = Configuration()
      #expect(start.reloading(next) == start)
      #expect(start.settings(differingFrom: next) == ["purge-keys", "purge-salts"])
      var other = next
      (other.purgeKeys, other.purgeSalts) = ([Data([3]), Data([4])], [Data([5]), Data([6])])
      #expect(next.reloading(other) == other)
      #expect(next.reloading(start) == start)
    }

    @Test("One line of the log names the settings that need a restart, without their values")
    func names() throws {
      let given = Lock<[Configuration]>([])
      var dependencies = ServerDependencies.fake()
      dependencies.reload = { configuration in given.withLock { $0.append(configuration) } }
      var start = Configuration()
      (start.s3AccessKey, start.s3SecretKey) = ("name", "old-secret")
      let server = try server(start, dependencies: dependencies)
      var next = start
      next.presets = ["small": "w:10"]
      next.keys = [Data("new-key".utf8)]
      next.salts = [Data("new-salt".utf8)]
      next.s3SecretKey = "new-secret"
      next.redisURL = "redis://:password@cache.example"
      next.port = 9000
      try server.reload(next)
      let messages = try lines.all.map { line in
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return object["message"] as? String
      }
      #expect(
        messages == [
          "reloaded keys, presets, qualities and the watermark",
          "settings that have changed, and need a restart: port, s3-secret-key, redis-url",
        ])
      for secret in ["old-secret", "new-secret", "password", "cache.example", "new-"] {
        #expect(!lines.all.contains { $0.contains(secret) }, "\(secret)")
      }
      // The dependencies receive only settings that can change.
      #expect(given.withLock { $0 } == [start.reloading(next)])

      // Those that have changed since the start are named each time, and no others.
      start.presets = next.presets
      try server.reload(start)
      #expect(lines.all.count == 3)
    }

    @Test("A server reads URLs by the new rules, and keeps its own if the new ones are invalid")
    func rules() async throws {
      var configuration = Configuration()
      configuration.presets = ["one": "w:10"]
      let server = try server(configuration)
      configuration.presets = ["two": "w:10"]
      configuration.sourceByteLimit = 1000
      try server.reload(configuration)
      #expect(server.dependencies.urls.rules.presets.names == ["two"])
      #expect(lines.all.last?.contains("need a restart: max-source-bytes") == true)

      let count = lines.all.count
      configuration.presets = ["three": "nonsense:1"]
      #expect(throws: ConfigurationError.self) { try server.reload(configuration) }
      #expect(server.dependencies.urls.rules.presets.names == ["two"])
      #expect(lines.all.count == count)
      await server.dependencies.close(.now)
    }
  }
#endif
