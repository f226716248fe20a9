#if Server
  import Foundation
  import Logging
  import NukeCodecs
  import NukeLoaderSuite
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Setting up a server")
  struct ServerSetupTests {
    private static let badSettings: [String: @Sendable (inout ImageServer.Configuration) -> Void] = [
      "local-roots": { $0.localRoots = ["": "/nowhere/at/all"] },
      "allowed-sources": { $0.allowedSources = ["example"] },
      "presets": { $0.presets = ["a": "nonsense:1"] },
      "preset-file": { $0.presetFile = "/nowhere" },
      "allow-private-addresses": { $0.allowedPrivateAddresses = ["10.0.0.0/99"] },
      "watermark": { $0.watermark = "/nowhere.png" },
      "watermark-data": { $0.watermarkData = Data("no image".utf8) },
      "fallback-image-data": { ($0.fallbackImage, $0.fallbackImageData) = ("https://a/b.png", Data("no image".utf8)) },
      "cookie-base-url": {
        $0.passedCookies = ["a"]
        $0.cookieBaseURL = "photos.example"
      },
      "disk-cache": { $0.diskCache = "/proc/none" },
      "s3-endpoint": { $0.s3Endpoint = "store" },
      "s3-assume-role": { ($0.s3AssumedRole, $0.s3Endpoint) = ("arn", "https://store.example.com") },
      "gcs-endpoint": { $0.gcsEndpoint = "store" },
      "gcs-key": { $0.gcsKey = "{}" },
      "abs-endpoint": { ($0.absName, $0.absEndpoint) = ("nuke", "ftp://store") },
      "abs-key": { ($0.absName, $0.absKey) = ("nuke", "not Base64") },
      "abs-name": { ($0.absName, $0.absKey) = ("nuke.example.com/", "a2V5") },
      "s3-cache": {
        $0.s3AccessKey = "name"
        $0.s3SecretKey = "key"
        $0.s3Cache = "no bucket at all"
      },
    ]

    private func setupError(_ configuration: ImageServer.Configuration) -> ConfigurationError? {
      #expect(throws: ConfigurationError.self) {
        try ImageServer(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      }
    }

    @Test("Qualities and efforts that are set replace those of their formats only")
    func qualities() throws {
      var configuration = ImageServer.Configuration()
      configuration.formatQuality = [.webp: 50]
      configuration.formatEffort = [.webp: 100]
      let settings = try configuration.renderer.settings
      #expect(settings.qualities[.webp] == 50 && settings.efforts[.webp] == 1)
      #expect(settings.qualities[.avif] == 63 && settings.efforts[.avif] == 0.2)
      configuration.formatEffort = [.avif: 70]
      #expect(try configuration.renderer.settings.efforts == [.avif: 0.7])
    }

    @Test("The file of a watermark takes precedence over its URL")
    func watermarkData() throws {
      var configuration = ImageServer.Configuration()
      (configuration.watermark, configuration.watermarkData) = (
        "https://example.com/a.png", SampleImage.png(width: 4, height: 2)
      )
      #expect(try configuration.watermarkURL(SourceRules()) == nil)
      #expect(try configuration.renderer.identifier != ImageServer.Configuration().renderer.identifier)
      configuration.watermarkData = nil
      #expect(try configuration.watermarkURL(SourceRules())?.absoluteString == "https://example.com/a.png")
    }

    @Test("A folder with files that are not a cache is not used as one, and stays unchanged", arguments: [true, false])
    func foreignFolder(isDiskCache: Bool) throws {
      let folder = try TemporaryFolder()
      let file = folder.file("journal", Data("of a user".utf8))
      var configuration = ImageServer.Configuration()
      if isDiskCache { configuration.diskCache = folder.url.path } else { configuration.sourceCache = folder.url.path }
      let error = setupError(configuration)
      #expect(error?.setting == (isDiskCache ? "disk-cache" : "source-cache"))
      #expect(error?.description.contains("use an empty folder") == true)
      #expect(try Data(contentsOf: file) == Data("of a user".utf8))
    }

    @Test("An error names the setting", arguments: badSettings.keys.sorted())
    func badSetting(_ setting: String) {
      var configuration = ImageServer.Configuration()
      Self.badSettings[setting]?(&configuration)
      #expect(setupError(configuration)?.setting == setting)
    }
  }
#endif
