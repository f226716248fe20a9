#if Server
  import Foundation
  import Logging
  import NukeCodecs
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("imgproxy's environment variables")
  struct ImgproxyEnvironmentTests {
    private func load(
      _ variables: [String: String], flags: [String] = [], others: [String: String] = [:]
    ) throws(ConfigurationError) -> LoadedConfiguration {
      var environment = others.merging(["NUKE_IMGPROXY_ENVIRONMENT": "true"]) { $1 }
      for (name, value) in variables { environment["IMGPROXY_" + name] = value }
      return try LoadedConfiguration(
        flags: ServeFlags(flags), environment: environment, samples: { () throws(ConfigurationError) in "" },
        readFile: { _ in throw CocoaError(.fileReadNoSuchFile) })
    }

    @Test("Without the setting, the variables are ignored")
    func off() throws {
      let loaded = try LoadedConfiguration(
        flags: ServeFlags([]), environment: ["IMGPROXY_QUALITY": "x"], samples: { () throws(ConfigurationError) in "" },
        readFile: { _ in Data() })
      #expect(loaded.configuration == ImageServer.Configuration())
    }

    @Test("The defaults set nothing for formats that the build does not write")
    func defaultsOfBuild() {
      #expect(ImgproxyEnvironment.defaults(writing: [.jpeg, .png, .webp])["format-effort"] == nil)
      #expect(ImgproxyEnvironment.defaults(writing: [.jpeg, .avif])["format-effort"] == ["avif=20"])
    }

    @Test("A time limit of 0 is rejected, and so are S3 sources without a store")
    func invalidTogether() throws {
      #expect(throws: ConfigurationError.self) { try load(["TIMEOUT": "0"]) }
      let loaded = try load(["ALLOWED_SOURCES": "s3://images/"])
      let error = #expect(throws: ConfigurationError.self) {
        try loaded.configuration.pipeline(metrics: PrometheusRegistry(), tracer: NoOpTracer(), role: nil)
      }
      #expect(error?.description.contains("s3://images/ needs a store") == true)
    }

    @Test("Variables with the same meaning set the settings, and say where these come from")
    func mapped() throws {
      let loaded = try load([
        "KEY": "0a0b,0c", "SALT": "01,02", "SIGNATURE_SIZE": "16", "TRUSTED_SIGNATURES": "one, two",
        "BIND": "127.0.0.1:9000", "TIMEOUT": "7", "TTL": "60", "MAX_SRC_RESOLUTION": "16.8", "MAX_SRC_FILE_SIZE": "0",
        "ALLOWED_SOURCES": "https://a.example/,s3://b/", "ALLOW_PRIVATE_SOURCE_ADDRESSES": "true",
        "ALLOW_LOOPBACK_SOURCE_ADDRESSES": "1", "QUALITY": "70", "FORMAT_QUALITY": "jpeg=60,webp=50",
        "WEBP_EFFORT": "6", "AUTO_WEBP": "true", "ENABLE_WEBP_DETECTION": "true", "STRIP_METADATA": "false",
        "PRESETS": "a=w:1,b=h:2/q:3", "ONLY_PRESETS": "t", "BASE_URL": "https://a.example/",
        "URL_REPLACEMENTS": "x://=https://a.example/;y://*=z://${1}", "LOCAL_FILESYSTEM_ROOT": "/photos",
        "PROMETHEUS_BIND": ":8081", "LOG_LEVEL": "warn", "LOG_FORMAT": "json", "FALLBACK_IMAGE_PATH": "/f.png",
        "FALLBACK_IMAGE_HTTP_CODE": "0", "MAX_RESULT_DIMENSION": "2000", "WATERMARK_OPACITY": "0.25",
        "USE_ETAG": "true", "USE_LAST_MODIFIED": "true", "ENABLE_DEBUG_HEADERS": "true",
        "REQUEST_HEADERS_PASSTHROUGH": "X-User, Authorization", "COOKIE_PASSTHROUGH": "true",
        "COOKIE_BASE_URL": "https://a.example/", "ENFORCE_THUMBNAIL": "1", "WATERMARK_URL": "https://a.example/w.png",
      ])
      let configuration = loaded.configuration
      #expect(configuration.keys == [Data([10, 11]), Data([12])] && configuration.salts == [Data([1]), Data([2])])
      #expect(configuration.signatureSize == 16 && configuration.trustedSignatures == ["one", "two"])
      #expect(!configuration.allowsUnsigned)
      #expect(configuration.host == "127.0.0.1" && configuration.port == 9000)
      #expect(configuration.requestTimeout == 7 && configuration.ttl == 60)
      #expect(configuration.sourcePixelLimit == 16_800_000 && configuration.sourceByteLimit == 64 << 20)
      #expect(configuration.allowedSources == ["https://a.example/", "s3://b/"])
      #expect(
        configuration.allowedPrivateAddresses == [
          "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
        ])
      #expect(configuration.quality == 70 && configuration.formatQuality == [.jpeg: 60, .webp: 50])
      #expect(configuration.formatEffort[.webp] == 100 && configuration.negotiatedFormats == [.webp])
      #expect(!configuration.stripsMetadata && configuration.allowsOnlyPresets)
      #expect(configuration.presets == ["a": "w:1", "b": "h:2/q:3"])
      #expect(configuration.baseURL == "https://a.example/" && configuration.urlReplacements.count == 2)
      #expect(configuration.localRoots == ["": "/photos"])
      #expect(configuration.operationHost == "::" && configuration.operationPort == 8081)
      #expect(configuration.logLevel == .warning && configuration.logFormat == .json)
      #expect(configuration.fallbackImage == "/f.png" && configuration.fallbackStatus == 0)
      #expect(configuration.resultSideLimit == 2000 && configuration.watermarkOpacity == 25)
      #expect(configuration.sendsSizes && configuration.usesThumbnails)
      #expect(configuration.passedHeaders == ["X-User", "Authorization"] && configuration.passedCookies == ["*"])
      #expect(configuration.cookieBaseURL == "https://a.example/")
      #expect(configuration.watermark == "https://a.example/w.png")
      #expect(loaded.origins["quality"] == "IMGPROXY_QUALITY")
    }

    @Test(
      "The proxy variables of programs in Go are read if they have one proxy for all sources",
      arguments: [
        ("http://a.test:3128", "http://a.test:3128"), ("a.test:3128", "http://a.test:3128"),
        ("a.test", "http://a.test:80"),
        ("https://me:x@a.test", "https://me:x@a.test:443"), ("socks5://a.test", "socks5h://a.test:1080"),
      ])
    func proxy(value: String, url: String) throws {
      let loaded = try load([:], others: ["HTTP_PROXY": value, "https_proxy": value, "NO_PROXY": ""])
      #expect(loaded.configuration.proxy?.absoluteString == url)
      #expect(loaded.origins["proxy"] == "HTTP_PROXY")
    }

    @Test("Proxy variables that cannot be honored are errors, unless the proxy is set by our own setting")
    func refusedProxies() throws {
      let proxy = "http://a.test:3128"
      let refused = [
        ["HTTP_PROXY": proxy], ["HTTPS_PROXY": proxy], ["HTTP_PROXY": proxy, "HTTPS_PROXY": "http://b.test:3128"],
        ["HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "NO_PROXY": "c.test"],
        ["http_proxy": "ftp://a.test:21", "https_proxy": "ftp://a.test:21"],
      ]
      for variables in refused {
        #expect(throws: ConfigurationError.self, "\(variables)") { try load([:], others: variables) }
        let own = try load([:], flags: ["--proxy", "http://own.test:1"], others: variables)
        #expect(own.configuration.proxy?.absoluteString == "http://own.test:1")
        let merged = variables.merging(["NUKE_PROXY": "http://own.test:2"]) { $1 }
        let ours = try load([:], others: merged)
        #expect(ours.configuration.proxy?.absoluteString == "http://own.test:2")
      }
      // Without a proxy, there is nothing to except.
      let none = try load([:], others: ["NO_PROXY": "c.test"])
      #expect(none.configuration.proxy == nil)
    }

    @Test("imgproxy's defaults apply to what no variable sets, and flags and our own variables take precedence")
    func defaults() throws {
      let loaded = try load(["TTL": "5"], flags: ["--quality", "33", "--ttl", "9"])
      let configuration = loaded.configuration
      #expect(configuration.host == "::" && configuration.negotiatedFormats == [])
      #expect(!configuration.usesSourceFreshness && configuration.allowsUnsigned)
      #expect(configuration.animationFrameLimit == 1 && configuration.sourcePixelLimit == 50_000_000)
      #expect(configuration.quality == 33 && configuration.ttl == 9)
      #expect(loaded.origins["host"] == "imgproxy's default" && loaded.origins["ttl"] == "--ttl")
    }

    @Test("PORT is the port unless there is an address to bind to")
    func port() throws {
      let loaded = try load([:], others: ["PORT": "9001"])
      #expect(loaded.configuration.port == 9001 && loaded.origins["port"] == "PORT")
      let bound = try load(["BIND": ":9000"], others: ["PORT": "9001"])
      #expect(bound.configuration.host == "::" && bound.configuration.port == 9000)
      #expect(try load(["BIND": "[::1]:9000"]).configuration.host == "::1")
      #expect(throws: ConfigurationError.self) { try load([:], others: ["PORT": "x"]) }
    }

    @Test("A feature that the server does not have may be disabled, and a TTL of 0 is the default")
    func disabled() throws {
      let loaded = try load([
        "OPEN_TELEMETRY_ENABLE": "false", "DATADOG_ENABLE": "0", "SYSLOG_ENABLE": "false", "SVG_UNLIMITED": "false",
        "USE_LINEAR_COLORSPACE": "false", "ARGUMENTS_SEPARATOR": ":", "FALLBACK_IMAGE_TTL": "0",
        "OPEN_TELEMETRY_ENABLE_METRICS": "false", "S3_USE_DECRYPTION_CLIENT": "0", "USE_ETAG": "false",
      ])
      #expect(loaded.configuration.fallbackTTL == ImageServer.Configuration().fallbackTTL)
    }

    @Test("S3 uses the role of the machine, and is allowed beside the web unless sources are restricted")
    func s3() throws {
      let open = try load(["USE_S3": "true", "LOCAL_FILESYSTEM_ROOT": "/a"]).configuration
      #expect(open.s3Credentials == .role)
      #expect(open.allowedSources == ["http://", "https://", "s3://", "local://"])
      let restricted = try load(["USE_S3": "true", "ALLOWED_SOURCES": "s3://b/"]).configuration
      #expect(restricted.allowedSources == ["s3://b/"])
    }

    @Test(
      "What cannot be honored is an error with the name of the variable",
      arguments: [
        ("SECRET", "x"), ("USE_GCS", "true"), ("ENFORCE_WEBP", "1"), ("COOKIE_PASSTHROUGH", "true"),
        ("COOKIE_PASSTHROUGH_ALL", "true"), ("REQUEST_HEADERS_PASSTHROUGH", "Host"),
        ("SKIP_PROCESSING_FORMATS", "svg"), ("MAX_ANIMATION_FRAME_RESOLUTION", "5"), ("SIGNATURE_SIZE", "4"),
        ("QUALITY", "x"), ("BIND", "8080"), ("LOG_FORMAT", "gcp"), ("WATERMARK_DATA", "eA=="), ("USE_ETAG", "maybe"),
        ("NO_SUCH_THING", "1"), ("OPEN_TELEMETRY_ENABLE", "true"), ("ARGUMENTS_SEPARATOR", ","),
      ])
    func refused(name: String, value: String) {
      let error = #expect(throws: ConfigurationError.self) { try load([name: value]) }
      #expect(error.map { "\($0)".contains("IMGPROXY_" + name) } == true, "\(String(describing: error))")
    }

    @Test("The document lists every variable, and no other")
    func document() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
      let text = try String(
        contentsOf: root.appendingPathComponent("docs/coming-from-imgproxy.md"), encoding: .utf8)
      let names = text.matches(of: /`IMGPROXY_([A-Z0-9_]+)`/).map { String($0.1) }
      #expect(Set(names) == Set(ImgproxyEnvironment.rules.keys))
    }
  }
#endif
