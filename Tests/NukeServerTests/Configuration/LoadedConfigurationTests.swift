#if Server
  import Foundation
  import Testing

  @testable import NukeServer

  @Suite("The configuration of a server")
  struct LoadedConfigurationTests {
    private static let commands: [ConfigurationExample] = [
      // Flags take precedence over the environment, and the environment over the file.
      .init(
        "NUKE_PORT=2 NUKE_QUALITY=70 --config f --port 1",
        files: ["f": #"{"port": 3, "quality": 60, "max-frames": 7}"#],
        origins: ["port": "--port", "quality": "NUKE_QUALITY", "max-frames": "f", "host": nil]
      ) { ($0.port, $0.quality, $0.frameLimit) = (1, 70, 7) },
      // Lists
      .init("--allowed-sources https://a.example/,https://b.example/ --allowed-sources=local:///") {
        $0.allowedSources = ["https://a.example/", "https://b.example/", "local:///"]
      },
      .init("--config f", files: ["f": #"{"presets": ["a=w:1"], "allowed-sources": []}"#]) {
        $0.presets = ["a": "w:1"]
      },
      // Variables that Kubernetes sets for services with such names
      .init(
        "NUKE_SERVICE_HOST=10.0.0.1 NUKE_SERVICE_PORT=80 NUKE_SERVICE_PORT_HTTP=80 NUKE_PORT=tcp://10.0.0.1:80 "
          + "NUKE_PORT_80_TCP=tcp://10.0.0.1:80 NUKE_PORT_80_TCP_PROTO=tcp NUKE_PORT_80_TCP_PORT=80 "
          + "NUKE_PORT_80_TCP_ADDR=10.0.0.1 NUKE_CACHE_SERVICE_HOST=10.0.0.2 NUKE_CACHE_PORT=tcp://10.0.0.2:80 "
          + "NUKE_CACHE_PORT_80_UDP_ADDR=10.0.0.2 NUKE_QUALITY=70"
      ) { $0.quality = 70 },
      // The file of a secret has a value in each line.
      .init(
        "NUKE_KEYS_FILE=/k NUKE_SALTS_FILE=/salts NUKE_S3_ACCESS_KEY=name NUKE_S3_SECRET_KEY_FILE=/s3",
        files: ["/k": "c0ffee\n00 \n", "/salts": "beef,01", "/s3": "hunter2\n"], origins: ["keys": "NUKE_KEYS_FILE"]
      ) {
        ($0.keys, $0.salts) = ([Data([0xC0, 0xFF, 0xEE]), Data([0])], [Data([0xBE, 0xEF]), Data([1])])
        ($0.s3AccessKey, $0.s3SecretKey) = ("name", "hunter2")
      },
      .init(
        "NUKE_PROXY_FILE=/p", files: ["/p": "http://me:hunter2@proxy.test:3128\n"],
        origins: ["proxy": "NUKE_PROXY_FILE"]
      ) { $0.proxy = URL(string: "http://me:hunter2@proxy.test:3128") },
      // Credentials for S3
      .init("NUKE_S3_ACCESS_KEY=a NUKE_S3_SECRET_KEY=b --s3-cache c") {
        ($0.s3AccessKey, $0.s3SecretKey, $0.s3Cache) = ("a", "b", "c")
      },
      .init("--s3-cache c --s3-credentials role") { ($0.s3Cache, $0.s3Credentials) = ("c", .role) },
      .init("NUKE_S3_CACHE_ACCESS_KEY=a NUKE_S3_CACHE_SECRET_KEY=b --s3-cache c") {
        ($0.s3CacheAccessKey, $0.s3CacheSecretKey, $0.s3Cache) = ("a", "b", "c")
      },
      // Other settings override those of the demo.
      .init(
        "NUKE_LOCAL_ROOTS=/mine --demo --port 0",
        origins: ["allow-unsigned": "demo", "local-roots": "NUKE_LOCAL_ROOTS"]
      ) {
        $0 = .demo(samples: "/samples")
        ($0.port, $0.localRoots) = (0, ["": "/mine"])
      },
    ]

    @Test("A command has the settings of its flags, variables and files", arguments: commands)
    func command(_ example: ConfigurationExample) throws { try example.check() }

    #if Redis
      private static let certificates = "--redis-ca c.pem --redis-certificate a.pem --redis-key a.key"

      @Test("Redis has a URL, and with TLS certificates", arguments: ["rediss://a", "rediss+sentinel://a/b"])
      func redis(url: String) throws {
        try ConfigurationExample("--redis-url redis://a") { $0.redisURL = "redis://a" }.check()
        try ConfigurationExample("--redis-url \(url) \(Self.certificates)") {
          ($0.redisURL, $0.redisCA, $0.redisCertificate, $0.redisKey) = (url, "c.pem", "a.pem", "a.key")
        }.check()
      }
    #endif

    @Test(
      "Without keys, trusted signatures and unsigned URLs, all URLs are rejected",
      arguments: [
        ("", true), ("NUKE_PURGE_KEYS=01 NUKE_PURGE_SALTS=02", true), ("--allow-unsigned", false),
        ("NUKE_KEYS=01 NUKE_SALTS=02", false), ("NUKE_TRUSTED_SIGNATURES=x", false),
      ])
    func noSignatures(command: String, rejectsAll: Bool) throws {
      #expect(try LoadedConfiguration(command).configuration.rejectsAllURLs == rejectsAll)
    }

    @Test("Keys for purges sign no images")
    func purgeKeys() throws {
      let purging = try LoadedConfiguration("NUKE_PURGE_KEYS=01 NUKE_PURGE_SALTS=02").configuration
      #expect(purging.purgeSigner != nil && purging.signer == nil)
      #expect(try LoadedConfiguration("").configuration.purgeSigner == nil)
    }
  }
#endif
