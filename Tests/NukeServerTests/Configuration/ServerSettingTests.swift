#if Server
  import Foundation
  import Logging
  import NukeCodecs
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Settings of the server")
  struct ServerSettingTests {
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
#endif
