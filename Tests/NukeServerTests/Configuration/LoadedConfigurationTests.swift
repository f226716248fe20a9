#if Server
  import Foundation
  import Logging
  import NukeCodecs
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("The configuration of a server")
  struct LoadedConfigurationTests {
    // MARK: One setting

    private static let settings = [
      of(
        "true", true,
        [
          "http2": \.isHTTP2Enabled, "allow-unsigned": \.allowsUnsigned, "only-presets": \.allowsOnlyPresets,
          "base64-filenames": \.ignoresFilenames, "info": \.servesInfo, "require-redis": \.requiresRedis,
          "imgproxy-environment": \.usesImgproxyEnvironment, "client-hints": \.usesClientHints, "demo": \.isDemo,
          "keep-location": \.keepsLocation, "send-svg": \.sendsSVG, "progressive-jpeg": \.writesProgressiveJPEG,
          "enforce-thumbnail": \.usesThumbnails, "server-timing": \.sendsTiming, "debug-headers": \.sendsSizes,
          "metrics": \.servesMetrics, "playground": \.servesPlayground, "negotiate-sources": \.negotiatesSources,
          "honor-no-cache": \.honorsNoCache, "return-attachment": \.sendsAttachments,
        ]),
      of("false", false, ["trace-propagation": \.propagatesTraces]), of("0.25", 0.25, ["trace-ratio": \.traceRatio]),
      of("5m", 300, ["otlp-metrics-interval": \.otlpMetricsInterval]),
      of("http://a.test:4318/x", URL(string: "http://a.test:4318/x"), ["otlp-endpoint": \.otlpEndpoint]),
      of("a b", "a b", ["otlp-service-name": \.otlpServiceName]),
      of(
        "x-a=b=c,d=e f", ["x-a": "b=c", "d": "e f"],
        ["otlp-headers": \.otlpHeaders, "otlp-attributes": \.otlpAttributes]),
      of("false", false, ["health": \.servesHealth, "strip-metadata": \.stripsMetadata]),
      of("no", false, ["health": \.servesHealth, "keep-copyright": \.keepsCopyright]),
      of("0", false, ["source-freshness": \.usesSourceFreshness, "auto-rotate": \.autoRotates]),
      of("off", false, ["sandbox": \.isSandboxed]),
      of("a b:c", "a b:c", ["host": \.host, "s3-region": \.s3Region]),
      of("::1", "::1", ["redis-prefix": \.redisPrefix, "operation-host": \.operationHost]),
      of(
        "a/b:c@d", "a/b:c@d",
        [
          "socket": \.socket, "tls-certificate": \.tlsCertificate, "tls-key": \.tlsKey, "preset-file": \.presetFile,
          "base-url": \.baseURL, "source-cache": \.sourceCache, "s3-endpoint": \.s3Endpoint, "redis-ca": \.redisCA,
          "s3-access-key": \.s3AccessKey, "s3-secret-key": \.s3SecretKey, "cookie-base-url": \.cookieBaseURL,
          "fallback-image": \.fallbackImage, "sandbox-program": \.sandboxProgram, "disk-cache": \.diskCache,
          "redis-url": \.redisURL, "redis-certificate": \.redisCertificate, "redis-key": \.redisKey,
          "redis-sentinel-username": \.redisSentinelUsername, "redis-sentinel-password": \.redisSentinelPassword,
          "s3-cache": \.s3Cache, "s3-cache-endpoint": \.s3CacheEndpoint, "s3-cache-region": \.s3CacheRegion,
          "s3-cache-access-key": \.s3CacheAccessKey, "s3-cache-secret-key": \.s3CacheSecretKey,
          "watermark": \.watermark, "s3-assume-role": \.s3AssumedRole,
          "s3-assume-role-external-id": \.s3ExternalID, "gcs-endpoint": \.gcsEndpoint, "gcs-key": \.gcsKey,
          "abs-name": \.absName, "abs-key": \.absKey, "abs-endpoint": \.absEndpoint,
        ]),
      of("a/1", "a/1", ["user-agent": \.userAgent, "bearer-token": \.bearerToken, "etag-suffix": \.entityTagSuffix]),
      of("a_", "a_", ["metrics-prefix": \.metricsPrefix]), of("/live/", "/live", ["health-path": \.healthPath]),
      of("AQID", Data([1, 2, 3]), ["watermark-data": \.watermarkData, "fallback-image-data": \.fallbackImageData]),
      of("redis://a", "redis://a", ["redis-url": \.redisURL]), of("/images/", "/images", ["path-prefix": \.pathPrefix]),
      of(
        "9", 9,
        [
          "port": \.port, "signature-size": \.signatureSize, "max-redirects": \.redirectLimit, "quality": \.quality,
          "max-source-pixels": \.sourcePixelLimit, "max-frames": \.frameLimit, "queue-length": \.queueLength,
          "max-animation-frames": \.animationFrameLimit, "max-result-pixels": \.resultPixelLimit,
          "sandbox-images": \.sandboxImages, "redis-connections": \.redisConnectionLimit,
          "watermark-opacity": \.watermarkOpacity,
        ]),
      of("9", 9, ["max-connections": \.connectionLimit, "max-result-side": \.resultSideLimit]),
      of("9", 9, ["max-frame-pixels": \.framePixelLimit, "png-colors": \.colorCountOfPNG]),
      of("9", 9, ["workers": \.workers, "operation-port": \.operationPort]),
      of("0", 0, ["fallback-status": \.fallbackStatus, "memory-cache-size": \.memoryCacheSize]),
      of("3MiB", 3 << 20, ["max-source-bytes": \.sourceByteLimit, "max-result-bytes": \.resultByteLimit]),
      of("9GB", 9_000_000_000, ["source-cache-size": \.sourceCacheSize, "disk-cache-size": \.diskCacheSize]),
      of("1.5GB", 1_500_000_000, ["decode-budget": \.decodeBudget, "send-budget": \.sendBudget]),
      of("500ms", 0.5, ["request-timeout": \.requestTimeout, "connect-timeout": \.connectTimeout]),
      of("1.5", 1.5, ["source-timeout": \.sourceTimeout, "redis-timeout": \.redisTimeout, "s3-timeout": \.s3Timeout]),
      of("5m", 300, ["drain-delay": \.drainDelay, "grace-period": \.gracePeriod]),
      of("2m", 120, ["validation-interval": \.validationInterval]),
      of("?v=", "?v=", ["source-query-separator": \.querySeparator]),
      of("2h", 7200, ["ttl": \.ttl, "fallback-ttl": \.fallbackTTL, "redis-ttl": \.redisTTL]),
      of(
        "role", .role,
        [
          "s3-credentials": \.s3Credentials, "gcs-credentials": \.gcsCredentials, "abs-credentials": \.absCredentials,
        ]),
      of(
        "a,b.c", ["a", "b.c"],
        [
          "s3-allowed-buckets": \.s3AllowedBuckets, "s3-denied-buckets": \.s3DeniedBuckets,
          "gcs-allowed-buckets": \.gcsAllowedBuckets, "gcs-denied-buckets": \.gcsDeniedBuckets,
          "abs-allowed-containers": \.absAllowedContainers, "abs-denied-containers": \.absDeniedContainers,
        ]),
      of("warning", .warning, ["log-level": \.logLevel]),
      of("json", .json, ["log-format": \.logFormat]),
      of("/a,b=/c", ["": "/a", "b": "/c"], ["local-roots": \.localRoots]),
      of("c0ffee,00", [Data([0xC0, 0xFF, 0xEE]), Data([0])], ["keys": \.keys, "purge-keys": \.purgeKeys]),
      of(
        "000102030405060708090a0b0c0d0e0f", Data(0..<16), ["source-url-encryption-key": \.sourceEncryptionKey]),
      of("beef,01", [Data([0xBE, 0xEF]), Data([1])], ["salts": \.salts, "purge-salts": \.purgeSalts]),
      of("a://,b", ["a://", "b"], ["trusted-signatures": \.trustedSignatures, "allowed-sources": \.allowedSources]),
      of("::1,*", ["::1", "*"], ["allow-private-addresses": \.allowedPrivateAddresses]),
      of(
        "X-A,B", ["X-A", "B"], ["request-headers-passthrough": \.passedHeaders, "cookie-passthrough": \.passedCookies]),
      of("rs,quality", ["rs", "quality"], ["allowed-options": \.allowedOptions]),
      of("https://A.a:8443,null,*", ["https://a.a:8443", "null", "*"], ["cors-origins": \.corsOrigins]),
      of(
        "webp,jpg", [.webp, .jpeg],
        [
          "formats": \.negotiatedFormats, "enforced-formats": \.enforcedFormats,
          "preferred-formats": \.preferredFormats,
        ]),
      of("heic,gif", [.heic, .gif], ["skip-processing-formats": \.skippedFormats]),
      of("webp=70", [.webp: 70], ["format-quality": \.formatQuality, "format-effort": \.formatEffort]),
      of("a=rs:fit:1:2/q:5,b=w:3", ["a": "rs:fit:1:2/q:5", "b": "w:3"], ["presets": \.presets]),
      of("x://=https://a/", [SourceReplacement("x://=https://a/")!], ["url-replacements": \.urlReplacements]),
      ["http://proxy.test:3128", "https://proxy.test:443/", "socks5h://[::1]:1080", "HTTP://a:1"].flatMap {
        of($0, URL(string: $0), ["proxy": \.proxy])
      },
    ].flatMap(\.self)

    /// Returns the examples of settings with the same text and value.
    private static func of<Value: Sendable>(
      _ text: String, _ value: Value,
      _ paths: [String: any WritableKeyPath<ImageServer.Configuration, Value> & Sendable]
    ) -> [SettingExample] {
      paths.sorted { $0.key < $1.key }.map { name, path in .init(name: name, text: text) { $0[keyPath: path] = value } }
    }

    @Test("A setting can be a flag, a variable or in the file, and is printed as it is read", arguments: settings)
    func setting(_ example: SettingExample) throws {
      var expected = ImageServer.Configuration()
      example.change(&expected)
      let setting = try #require(ServerSetting.named(example.name))
      for (origin, source) in try example.sources(of: setting) {
        let value = try #require(try source.value(of: setting), "\(origin)")
        var read = ImageServer.Configuration()
        try setting.set(&read, value.texts)
        #expect(read == expected && value.origin == origin, "\(origin)")
      }
      for told in [.init(), expected] where !setting.isSecret && !setting.get(told).joined().isEmpty {
        var read = ImageServer.Configuration()
        try setting.set(&read, setting.get(told))
        #expect(setting.get(read) == setting.get(told))
      }
    }

    @Test("Every setting has an example, and a name of its own")
    func allSettings() {
      #expect(Set(Self.settings.map(\.name)) == Set(ServerSetting.all.map(\.name)))
      #expect(Set(ServerSetting.all.map(\.name)).count == ServerSetting.all.count)
    }

    // MARK: A command

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

    // MARK: Errors

    private static let reasons: [String: String] = [
      // Values
      "--port 70000": "port (--port): \"70000\" is not an integer from 0 to 65535",
      "--port http": "port (--port): \"http\" is not an integer from 0 to 65535",
      "NUKE_QUALITY=101": "quality (NUKE_QUALITY): \"101\" is not an integer from 1 to 100",
      "--fallback-status 99": "fallback-status (--fallback-status): 99 is neither 0 nor from 200 to 599",
      "--request-timeout soon":
        "request-timeout (--request-timeout): \"soon\" is not a time, such as 30s, 500ms or 5m",
      "--max-source-bytes=1e400":
        "max-source-bytes (--max-source-bytes): \"1e400\" is not a size, such as 64MiB or 1000000",
      "--log-format xml": "log-format (--log-format): \"xml\" is not one of text, json",
      "--metrics=perhaps": "metrics (--metrics): \"perhaps\" is neither true nor false",
      "--path-prefix /../x": "path-prefix (--path-prefix): \"/../x\" is not a path, such as /images",
      "--request-headers-passthrough Cookie":
        "request-headers-passthrough (--request-headers-passthrough): \"Cookie\" cannot be passed on; use "
        + "cookie-passthrough",
      "NUKE_KEYS=secret NUKE_SALTS=beef": "keys (NUKE_KEYS): it is not hexadecimal: use two digits per byte",
      // Secrets
      "--keys 00": "--keys (command line): \(anyoneCanRead("NUKE_KEYS"))",
      "--s3-secret-key=x": "--s3-secret-key (command line): \(anyoneCanRead("NUKE_S3_SECRET_KEY"))",
      "--trusted-signatures x": "--trusted-signatures (command line): \(anyoneCanRead("NUKE_TRUSTED_SIGNATURES"))",
      "--redis-url redis://:x@a": "--redis-url (command line): \(anyoneCanRead("NUKE_REDIS_URL"))",
      "--redis-sentinel-password x":
        "--redis-sentinel-password (command line): \(anyoneCanRead("NUKE_REDIS_SENTINEL_PASSWORD"))",
      "--proxy http://me:hunter2@proxy.test:3128": "--proxy (command line): \(anyoneCanRead("NUKE_PROXY"))",
      // Names; only secrets have files
      "--host": "--host (command line): its value is missing: write --host ADDRESS",
      "--host --port 1": "--host (command line): its value is missing: write --host ADDRESS",
      "8080": "8080 (command line): unexpected argument: settings are flags, such as --port 8080",
      "--diff": "--diff (command line): it needs --print-config",
      "--prot 1": "--prot (command line): unknown setting; did you mean --port?",
      "NUKE_MAX_SOURCE_BYTE=1":
        "NUKE_MAX_SOURCE_BYTE (environment): unknown setting; did you mean NUKE_MAX_SOURCE_BYTES?",
      "NUKE_SERVICE=1": "NUKE_SERVICE (environment): unknown setting; did you mean NUKE_METRICS?",
      "NUKE_PORT_FILE=a": "NUKE_PORT_FILE (environment): unknown setting; did you mean NUKE_PROXY_FILE?",
      // Files
      "--config g": "config (--config): there is no file g: create it, or set another path",
      "NUKE_CONFIG=g": "config (NUKE_CONFIG): there is no file g: create it, or set another path",
      "NUKE_KEYS_FILE=/k NUKE_SALTS_FILE=/s NUKE_S3_ACCESS_KEY=a":
        "keys (NUKE_KEYS_FILE): there is no file /k: create it, or set another path\n"
        + "salts (NUKE_SALTS_FILE): there is no file /s: create it, or set another path",
      "NUKE_KEYS_FILE=/k NUKE_KEYS=00": "keys (NUKE_KEYS_FILE): NUKE_KEYS is also set: remove one of them",
      // Settings that depend on each other
      "NUKE_KEYS=00":
        "keys (NUKE_KEYS): each key needs a salt, but the numbers of keys and salts are 1 and 0: set keys and salts to as "
        + "many values, in the same order",
      "NUKE_PURGE_KEYS=01,02 NUKE_PURGE_SALTS=03":
        "purge-salts (NUKE_PURGE_SALTS): each key needs a salt, but the numbers of keys and salts are 2 and 1: set "
        + "purge-keys and purge-salts to as many values, in the same order",
      "--port 9000 --operation-port 9000":
        "operation-port (--operation-port): the port 9000 is also that of images: set another one",
      "--require-redis": "require-redis (--require-redis): redis-url is not set: set it, or remove require-redis",
      "NUKE_KEYS=01 NUKE_SALTS=02 NUKE_PURGE_KEYS=03,01 NUKE_PURGE_SALTS=04,05":
        "purge-keys (NUKE_PURGE_KEYS): one of them is also in keys: everyone who can sign images could purge them",
      "--cookie-passthrough a":
        "cookie-passthrough (--cookie-passthrough): cookie-base-url is not set: it says which sources receive cookies",
      "--preferred-formats=": "preferred-formats (--preferred-formats): it is empty: the default is jpeg,png,gif",
      "--skip-processing-formats svg":
        "skip-processing-formats (--skip-processing-formats): SVG can contain scripts, so it is sent only with send-svg",
      "NUKE_BEARER_TOKEN=a --playground":
        "bearer-token (NUKE_BEARER_TOKEN): the page of the playground cannot send it: remove playground or demo",
      "--health-path /ready": "health-path (--health-path): the server has another page at /ready",
      "NUKE_BEARER_TOKEN='a b'":
        "bearer-token (NUKE_BEARER_TOKEN): it is not a text of visible ASCII characters without spaces",
      "--etag-suffix '\"'":
        "etag-suffix (--etag-suffix): \"\\\"\" is not a text of visible ASCII characters without spaces and quotation "
        + "marks",
      "--metrics-prefix a-b":
        "metrics-prefix (--metrics-prefix): \"a-b\" is not the beginning of a name, of ASCII letters, digits and "
        + "underscores",
      "--watermark-data ***": "watermark-data (--watermark-data): it is not Base64",
      "--http2": "http2 (--http2): HTTP/2 needs TLS: set tls-certificate and tls-key",
      "--demo --host 0.0.0.0":
        "host (--host): the demo serves without signatures, so it listens only on 127.0.0.1, ::1 or localhost",
      "--s3-cache c":
        "s3-cache (--s3-cache): the store needs s3-access-key and s3-secret-key, or a role: --s3-credentials role",
      "NUKE_S3_ACCESS_KEY=a NUKE_S3_SECRET_KEY=b --s3-credentials role":
        "s3-credentials (--s3-credentials): s3-access-key is also set: remove it, or use fixed credentials",
      "--s3-assume-role arn":
        "s3-assume-role (--s3-assume-role): the role is assumed by s3-access-key and s3-secret-key, or by a role: "
        + "--s3-credentials role",
      "--s3-assume-role-external-id x":
        "s3-assume-role-external-id (--s3-assume-role-external-id): s3-assume-role is not set",
      "NUKE_GCS_KEY={} --gcs-credentials role":
        "gcs-credentials (--gcs-credentials): gcs-key is also set: remove it, or use fixed credentials",
      "NUKE_ABS_KEY=a --abs-name n --abs-credentials role":
        "abs-credentials (--abs-credentials): abs-key is also set: remove it, or use fixed credentials",
      "NUKE_ABS_KEY=a": "abs-key (NUKE_ABS_KEY): abs-name is not set: it is the name of the account",
      "--abs-credentials role":
        "abs-credentials (--abs-credentials): abs-name is not set: it is the name of the account",
      "--s3-cache-access-key c":
        "s3-cache-access-key (--s3-cache-access-key): the store needs both s3-cache-access-key and s3-cache-secret-key",
      "--redis-url redis://a --redis-ca c.pem": "redis-ca (--redis-ca): \(redisWithoutTLS)",
      "--redis-ca c.pem": "redis-ca (--redis-ca): \(redisWithoutTLS)",
      "--redis-url rediss://a --redis-certificate a.pem":
        "redis-certificate (--redis-certificate): a client certificate needs both redis-certificate and redis-key",
      "--redis-url rediss://a --redis-key a.key":
        "redis-key (--redis-key): a client certificate needs both redis-certificate and redis-key",
    ]
    private static let redisWithoutTLS = "redis-url does not use TLS: use a URL with rediss:// or rediss+sentinel://"
    private static func anyoneCanRead(_ variable: String) -> String {
      "all users of this machine can read it there: set \(variable), or \(variable)_FILE to the path of a file, or use "
        + "--config"
    }

    /// Expects an error of a command, and returns its description.
    private func error(of command: String, files: [String: String] = [:]) -> String? {
      #expect(throws: ConfigurationError.self) { try LoadedConfiguration(command, files: files) }?.description
    }

    @Test("An error has the setting, the origin of its value, and the reason", arguments: reasons)
    func errors(command: String, error: String) { #expect(self.error(of: command) == error) }

    @Test(
      "An error in the file has the setting, the file, and the reason",
      arguments: [
        ("{", "config (--config): f is not JSON with settings, such as {\"port\": 8080}"),
        ("[8080]", "config (--config): f is not JSON with settings, such as {\"port\": 8080}"),
        (#"{"quality": [1]}"#, "quality (f): it is not a text or a number"),
        (#"{"qualty": 1}"#, "qualty (f): unknown setting; did you mean quality?"),
        (#"{"zzzzzzzzzz": 1}"#, "zzzzzzzzzz (f): unknown setting; nuke serve --help lists all settings"),
        (#"{"allowed-sources": {"a": 1}}"#, "allowed-sources (f): it is an object, not a list of texts"),
        (#"{"health": {}}"#, "health (f): it is an object, not true or false"),
      ])
    func fileErrors(file: String, error: String) {
      #expect(self.error(of: "--config f", files: ["f": file]) == error)
    }

    @Test(
      "An origin is written as browsers send it",
      arguments: ["a.example", "https://", "https://a.example/", "https://a.example?x", "https://me@a.example"])
    func origins(_ text: String) {
      let reason = "\"\(text)\" is not an origin, such as https://example.com, without a path"
      #expect(error(of: "--cors-origins \(text)") == "cors-origins (--cors-origins): \(reason)")
    }

    @Test(
      "A proxy has a port and a scheme that leaves names to it, and the error does not contain its password",
      arguments: [
        "proxy.test:3128", "proxy.test", "http://proxy.test", "socks5://proxy.test:1080", "socks4a://a:1", "ftp://a:1",
        "http://me:hunter2@proxy.test:3128/path", "http://:3128", "http://me:hunter2@a:1?x",
      ])
    func proxies(_ text: String) {
      let reason =
        "it is not the URL of a proxy with its port, such as http://proxy.example.com:3128, https:// or socks5h://"
      #expect(error(of: "NUKE_PROXY=\(text)") == "proxy (NUKE_PROXY): \(reason)")
    }

    @Test("Settings that depend on each other have an error for each group")
    func severalErrors() {
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration("NUKE_KEYS=00 --http2 --s3-cache c --cookie-passthrough a")
      }
      #expect(error?.all.map(\.setting) == ["keys", "http2", "cookie-passthrough", "s3-cache"])
    }

    @Test("All unknown keys of a file, and all invalid values, are reported")
    func allErrorsOfFile() {
      let file = #"{"qualty": 1, "prot": 2, "ttl": {}}"#
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration("--config f --port x --quality 0", files: ["f": file])
      }
      #expect(error?.all.map(\.setting) == ["prot", "qualty", "ttl", "port", "quality"])
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

  /// A text of a setting, and the change that it makes to the configuration.
  struct SettingExample: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let change: @Sendable (inout ImageServer.Configuration) -> Void

    var testDescription: String { "\(name)=\(text)" }

    /// Returns the ways to state the text, with their origins.
    func sources(of setting: ServerSetting) throws(ConfigurationError) -> [(origin: String, source: SettingSource)] {
      let (flag, parts, isOn) = ("--" + name, text.split(separator: ",").map(String.init), text == "true")
      let variable = "NUKE_" + name.uppercased().replacing("-", with: "_")
      let (flags, json) =
        switch setting.shape {
        case .flag: ([isOn ? flag : "--no-" + name], "\(isOn)")
        case .value: ([flag, text], Double(text) == nil ? "\"\(text)\"" : text)
        case .list: (parts.flatMap { [flag, $0] }, "\(parts)")
        }
      var errors = ConfigurationErrors()
      var sources: [(origin: String, source: SettingSource)] = []
      for json in [json, "\"\(text)\""] {
        let data = Data("{\"\(name)\": \(json)}".utf8)
        if let source = SettingSource.file("f", origin: "", &errors, read: { _ in data }) {
          sources.append(("f", source))
        }
      }
      sources.append((variable, .environment([variable: text], &errors) { _ in Data() }))
      if setting.isSecret {
        let lines = Data(parts.joined(separator: "\n").utf8)
        sources.append((variable + "_FILE", .environment([variable + "_FILE": ""], &errors) { _ in lines }))
      }
      try errors.check()
      guard setting.isPublic(text) else { return sources }
      return sources + [(flag, try ServeFlags(flags).source), (flag, try ServeFlags(["\(flag)=\(text)"]).source)]
    }
  }

  /// A command, and the change that it makes to the configuration.
  struct ConfigurationExample: Sendable, CustomTestStringConvertible {
    let command: String
    let files: [String: String]
    let origins: [String: String?]
    let change: @Sendable (inout ImageServer.Configuration) -> Void

    init(
      _ command: String, files: [String: String] = [:], origins: [String: String?] = [:],
      change: @escaping @Sendable (inout ImageServer.Configuration) -> Void
    ) {
      (self.command, self.files, self.origins, self.change) = (command, files, origins, change)
    }

    var testDescription: String { files.isEmpty ? command : "\(command) \(files)" }

    /// Expects the configuration that is changed by nothing else, and the origins.
    func check(variables: String = "", from start: ImageServer.Configuration = .init()) throws {
      let loaded = try LoadedConfiguration("\(variables) \(command)", files: files)
      var expected = start
      change(&expected)
      let others = ServerSetting.all.filter { $0.get(loaded.configuration) != $0.get(expected) }
      #expect(loaded.configuration == expected, "\(others.map { "\($0.name)=\($0.get(loaded.configuration))" })")
      for (name, origin) in origins { #expect(loaded.origins[name] == origin, "\(name)") }
    }
  }

  extension LoadedConfiguration {
    /// Reads a command as a shell does: variables, then flags. Words with spaces are in single quotes.
    init(_ command: String, files: [String: String] = [:]) throws(ConfigurationError) {
      let words = command.matches(of: /(?:'[^']*'|[^ '])+/).map { String($0.output.replacing("'", with: "")) }
      let variables = words.map { $0.wholeMatch(of: /(\w+)=(.*)/) }.prefix { $0 != nil }.compactMap(\.self)
      try self.init(
        flags: ServeFlags(Array(words.dropFirst(variables.count))),
        environment: Dictionary(uniqueKeysWithValues: variables.map { (String($0.1), String($0.2)) }),
        samples: { () throws(ConfigurationError) in "/samples" },
        readFile: { path in
          guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
          return Data(text.utf8)
        })
    }
  }
#endif
