#if Server
  import Foundation
  import Logging
  import Nuke
  import NukeCodecs
  import NukeServing
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("imgproxy's environment variables")
  struct ImgproxyEnvironmentTests {
    private func load(_ command: String) throws(ConfigurationError) -> LoadedConfiguration {
      try LoadedConfiguration("NUKE_IMGPROXY_ENVIRONMENT=true " + command)
    }

    /// The configuration without any variable.
    private static let defaults = {
      var configuration = ImageServer.Configuration()
      (configuration.usesImgproxyEnvironment, configuration.allowsUnsigned) = (true, true)
      (configuration.host, configuration.negotiatedFormats, configuration.redirectLimit) = ("::", [], 10)
      (configuration.usesSourceFreshness, configuration.ttl) = (false, 31_536_000)
      (configuration.animationFrameLimit, configuration.sourcePixelLimit) = (1, 50_000_000)
      (configuration.sourceTimeout, configuration.requestTimeout) = (5, 10)
      (configuration.querySeparator, configuration.validationInterval) = ("?", 10)
      configuration.propagatesTraces = false
      return configuration
    }()

    private static let commands: [ConfigurationExample] = [
      .init("IMGPROXY_KEY=0a0b,0c IMGPROXY_SALT=01,02", origins: ["keys": "IMGPROXY_KEY"]) {
        ($0.keys, $0.salts) = ([Data([10, 11]), Data([12])], [Data([1]), Data([2])])
        $0.allowsUnsigned = false
      },
      .init("IMGPROXY_SIGNATURE_SIZE=16") { $0.signatureSize = 16 },
      .init("IMGPROXY_SOURCE_URL_ENCRYPTION_KEY=000102030405060708090a0b0c0d0e0f") {
        $0.sourceEncryptionKey = Data(0..<16)
      },
      .init("IMGPROXY_TRUSTED_SIGNATURES='one, two'") { $0.trustedSignatures = ["one", "two"] },
      .init("IMGPROXY_TIMEOUT=7") { $0.requestTimeout = 7 },
      .init("IMGPROXY_MAX_SRC_RESOLUTION=16.8") { $0.sourcePixelLimit = 16_800_000 },
      .init("IMGPROXY_MAX_SRC_FILE_SIZE=0") { $0.sourceByteLimit = 64 << 20 },
      .init("IMGPROXY_MAX_RESULT_DIMENSION=2000") { $0.resultSideLimit = 2000 },
      .init("IMGPROXY_ALLOWED_SOURCES=https://a.example/,s3://b/") {
        $0.allowedSources = ["https://a.example/", "s3://b/"]
      },
      .init("IMGPROXY_ALLOW_PRIVATE_SOURCE_ADDRESSES=true IMGPROXY_ALLOW_LOOPBACK_SOURCE_ADDRESSES=1") {
        $0.allowedPrivateAddresses = [
          "127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7",
        ]
      },
      .init("IMGPROXY_QUALITY=70", origins: ["quality": "IMGPROXY_QUALITY"]) { $0.quality = 70 },
      .init("IMGPROXY_FORMAT_QUALITY=jpeg=60,webp=50") { $0.formatQuality = [.jpeg: 60, .webp: 50] },
      .init("IMGPROXY_WEBP_EFFORT=6") { $0.formatEffort = [.webp: 100] },
      .init("IMGPROXY_AUTO_WEBP=true IMGPROXY_ENABLE_WEBP_DETECTION=true") { $0.negotiatedFormats = [.webp] },
      .init("IMGPROXY_STRIP_METADATA=false") { $0.stripsMetadata = false },
      .init("IMGPROXY_ENFORCE_THUMBNAIL=1") { $0.usesThumbnails = true },
      .init("IMGPROXY_PRESETS=a=w:1,b=h:2/q:3") { $0.presets = ["a": "w:1", "b": "h:2/q:3"] },
      .init("IMGPROXY_ONLY_PRESETS=t") { $0.allowsOnlyPresets = true },
      .init("IMGPROXY_BASE_URL=https://a.example/") { $0.baseURL = "https://a.example/" },
      .init("IMGPROXY_URL_REPLACEMENTS=x://=https://a.example/;y://*=z://${1}") {
        $0.urlReplacements = ["x://=https://a.example/", "y://*=z://${1}"].compactMap { SourceReplacement($0) }
      },
      .init("IMGPROXY_LOCAL_FILESYSTEM_ROOT=/photos") { $0.localRoots = ["": "/photos"] },
      .init("IMGPROXY_SOURCE_URL_QUERY_SEPARATOR=@v=") { $0.querySeparator = "@v=" },
      .init("IMGPROXY_SOURCE_URL_QUERY_SEPARATOR=") { $0.querySeparator = "" },
      .init("NUKE_VALIDATION_INTERVAL=1m NUKE_SOURCE_QUERY_SEPARATOR=#") {
        ($0.validationInterval, $0.querySeparator) = (60, "#")
      },
      .init("IMGPROXY_PROMETHEUS_BIND=:8081") { ($0.operationHost, $0.operationPort) = ("::", 8081) },
      .init("IMGPROXY_LOG_LEVEL=warn") { $0.logLevel = .warning },
      .init("IMGPROXY_LOG_FORMAT=json") { $0.logFormat = .json },
      .init("IMGPROXY_FALLBACK_IMAGE_PATH=/f.png") { $0.fallbackImage = "/f.png" },
      .init("IMGPROXY_FALLBACK_IMAGE_HTTP_CODE=0") { $0.fallbackStatus = 0 },
      .init("IMGPROXY_WATERMARK_URL=https://a.example/w.png") { $0.watermark = "https://a.example/w.png" },
      .init("IMGPROXY_WATERMARK_OPACITY=0.25") { $0.watermarkOpacity = 25 },
      .init("IMGPROXY_ENABLE_DEBUG_HEADERS=true") { $0.sendsSizes = true },
      .init("IMGPROXY_REQUEST_HEADERS_PASSTHROUGH='X-User, Authorization'") {
        $0.passedHeaders = ["X-User", "Authorization"]
      },
      .init("IMGPROXY_COOKIE_PASSTHROUGH=true IMGPROXY_COOKIE_BASE_URL=https://a.example/") {
        ($0.passedCookies, $0.cookieBaseURL) = (["*"], "https://a.example/")
      },
      // OpenTelemetry's own variables count only if imgproxy would export.
      .init("OTEL_EXPORTER_OTLP_ENDPOINT=grpc OTEL_SERVICE_NAME=x OTEL_TRACES_SAMPLER_ARG=x") { _ in },
      .init(
        "IMGPROXY_OPEN_TELEMETRY_ENABLE=true",
        origins: ["otlp-endpoint": "OpenTelemetry's default", "otlp-metrics-interval": "imgproxy's default"]
      ) {
        ($0.otlpEndpoint, $0.otlpServiceName) = (URL(string: "http://localhost:4318"), "imgproxy")
        $0.otlpMetricsInterval = 0
      },
      .init(
        "IMGPROXY_OPEN_TELEMETRY_ENABLE=1 IMGPROXY_OPEN_TELEMETRY_ENABLE_METRICS=true "
          + "IMGPROXY_OPEN_TELEMETRY_PROPAGATE_EXTERNAL=true OTEL_EXPORTER_OTLP_ENDPOINT=https://a.test/x "
          + "OTEL_EXPORTER_OTLP_HEADERS='api-key=a%2Cb%3D, X=y' OTEL_SERVICE_NAME=s OTEL_TRACES_SAMPLER_ARG=0.5 "
          + "OTEL_RESOURCE_ATTRIBUTES='service.name=other,a=b c' OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
        origins: ["otlp-headers": "OTEL_EXPORTER_OTLP_HEADERS", "trace-ratio": "OTEL_TRACES_SAMPLER_ARG"]
      ) {
        ($0.otlpEndpoint, $0.otlpServiceName) = (URL(string: "https://a.test/x"), "s")
        ($0.otlpHeaders, $0.otlpAttributes) = (["api-key": "a,b=", "X": "y"], ["service.name": "other", "a": "b c"])
        ($0.traceRatio, $0.propagatesTraces) = (0.5, true)
      },
      .init(
        "IMGPROXY_OPEN_TELEMETRY_ENABLE=t OTEL_RESOURCE_ATTRIBUTES=service.name=n OTEL_TRACES_SAMPLER=always_off "
          + "NUKE_OTLP_ENDPOINT=http://own.test"
      ) {
        ($0.otlpEndpoint, $0.otlpServiceName) = (URL(string: "http://own.test"), nil)
        ($0.otlpAttributes, $0.traceRatio, $0.otlpMetricsInterval) = (["service.name": "n"], 0, 0)
      },
      // Sources in S3 need the role of the machine, and are allowed beside the web unless sources are restricted.
      .init("IMGPROXY_USE_S3=true IMGPROXY_LOCAL_FILESYSTEM_ROOT=/a") {
        ($0.s3Credentials, $0.localRoots) = (.role, ["": "/a"])
        $0.allowedSources = ["http://", "https://", "s3://", "local://"]
      },
      .init("IMGPROXY_USE_S3=true IMGPROXY_ALLOWED_SOURCES=s3://b/") {
        ($0.s3Credentials, $0.allowedSources) = (.role, ["s3://b/"])
      },
      .init(
        "IMGPROXY_S3_ASSUME_ROLE_ARN=arn IMGPROXY_S3_ASSUME_ROLE_EXTERNAL_ID=x IMGPROXY_S3_ALLOWED_BUCKETS='a, b' "
          + "IMGPROXY_S3_DENIED_BUCKETS=c IMGPROXY_USE_S3=1 IMGPROXY_USE_GCS=0 IMGPROXY_USE_ABS=f"
      ) {
        ($0.s3Credentials, $0.s3AssumedRole, $0.s3ExternalID) = (.role, "arn", "x")
        ($0.s3AllowedBuckets, $0.s3DeniedBuckets) = (["a", "b"], ["c"])
        $0.allowedSources = ["http://", "https://", "s3://"]
      },
      // A store without a key uses the credentials of the machine.
      .init(
        "IMGPROXY_USE_GCS=true IMGPROXY_GCS_ALLOWED_BUCKETS=a IMGPROXY_GCS_DENIED_BUCKETS=b "
          + "IMGPROXY_GCS_ENDPOINT=http://localhost:4443/storage/v1/"
      ) {
        ($0.gcsCredentials, $0.gcsEndpoint) = (.role, "http://localhost:4443")
        ($0.gcsAllowedBuckets, $0.gcsDeniedBuckets) = (["a"], ["b"])
        $0.allowedSources = ["http://", "https://", "gs://"]
      },
      .init("IMGPROXY_USE_GCS=true IMGPROXY_GCS_KEY={} IMGPROXY_USE_ABS=true IMGPROXY_ABS_NAME=nuke") {
        ($0.gcsKey, $0.absCredentials, $0.absName) = ("{}", .role, "nuke")
        $0.allowedSources = ["http://", "https://", "gs://", "abs://"]
      },
      .init(
        "IMGPROXY_USE_ABS=true IMGPROXY_ABS_NAME=nuke IMGPROXY_ABS_KEY=a2V5 IMGPROXY_ABS_ENDPOINT=http://localhost/nuke "
          + "IMGPROXY_ABS_ALLOWED_BUCKETS=a IMGPROXY_ABS_DENIED_BUCKETS=b IMGPROXY_ALLOWED_SOURCES=abs://a/"
      ) {
        ($0.absName, $0.absKey, $0.absEndpoint) = ("nuke", "a2V5", "http://localhost/nuke")
        ($0.absAllowedContainers, $0.absDeniedContainers) = (["a"], ["b"])
        $0.allowedSources = ["abs://a/"]
      },
      // PORT is the port unless there is an address to bind to.
      .init("PORT=9001", origins: ["port": "PORT"]) { $0.port = 9001 },
      .init("IMGPROXY_BIND=127.0.0.1:9000") { ($0.host, $0.port) = ("127.0.0.1", 9000) },
      .init("IMGPROXY_BIND=:9000 PORT=9001") { ($0.host, $0.port) = ("::", 9000) },
      .init("IMGPROXY_BIND=[::1]:9000") { ($0.host, $0.port) = ("::1", 9000) },
      // imgproxy's defaults are for what no variable sets. Flags and our own variables take precedence.
      .init(
        "IMGPROXY_TTL=5 --quality 33 --ttl 9", origins: ["host": "imgproxy's default", "ttl": "--ttl"]
      ) { ($0.quality, $0.ttl) = (33, 9) },
      .init("IMGPROXY_TTL=60") { $0.ttl = 60 },
      // A feature that the server does not have may be disabled. The header fields of a cache are always sent.
      .init(
        "IMGPROXY_OPEN_TELEMETRY_ENABLE=false IMGPROXY_DATADOG_ENABLE=0 IMGPROXY_SYSLOG_ENABLE=false "
          + "IMGPROXY_SVG_UNLIMITED=false IMGPROXY_USE_LINEAR_COLORSPACE=false IMGPROXY_ARGUMENTS_SEPARATOR=: "
          + "IMGPROXY_OPEN_TELEMETRY_ENABLE_METRICS=false IMGPROXY_S3_USE_DECRYPTION_CLIENT=0 IMGPROXY_USE_ETAG=false"
      ) { _ in },
      .init("IMGPROXY_USE_ETAG=true IMGPROXY_USE_LAST_MODIFIED=true IMGPROXY_FALLBACK_IMAGE_TTL=0") { _ in },
      .init("IMGPROXY_SECRET=s3cret", origins: ["bearer-token": "IMGPROXY_SECRET"]) { $0.bearerToken = "s3cret" },
      .init("IMGPROXY_USER_AGENT=photos/%current_version") {
        $0.userAgent = "photos/\(PackageVersion.current)"
      },
      // Data takes precedence over a path, and a path over a URL.
      .init("IMGPROXY_WATERMARK_DATA=AQID IMGPROXY_WATERMARK_PATH=/w.png IMGPROXY_WATERMARK_URL=https://a.example/") {
        ($0.watermarkData, $0.watermark) = (Data([1, 2, 3]), "/w.png")
      },
      .init("IMGPROXY_FALLBACK_IMAGE_DATA=AQID IMGPROXY_FALLBACK_IMAGE_URL=https://a.example/") {
        ($0.fallbackImageData, $0.fallbackImage) = (Data([1, 2, 3]), "https://a.example/")
      },
      .init("IMGPROXY_ETAG_BUSTER=v2") { $0.entityTagSuffix = "v2" },
      .init("IMGPROXY_SKIP_PROCESSING_FORMATS='gif, heic'") { $0.skippedFormats = [.gif, .heic] },
      .init("IMGPROXY_AUTO_ROTATE=false IMGPROXY_RETURN_ATTACHMENT=true") {
        ($0.autoRotates, $0.sendsAttachments) = (false, true)
      },
      .init("IMGPROXY_MAX_ANIMATION_FRAME_RESOLUTION=0.5") { $0.framePixelLimit = 500_000 },
      .init("IMGPROXY_MAX_ANIMATION_FRAME_RESOLUTION=0") { $0.framePixelLimit = nil },
      .init("IMGPROXY_PNG_QUANTIZE=true") { $0.colorCountOfPNG = 256 },
      .init("IMGPROXY_PNG_QUANTIZE=1 IMGPROXY_PNG_QUANTIZATION_COLORS=16") { $0.colorCountOfPNG = 16 },
      .init("IMGPROXY_PNG_QUANTIZE=false IMGPROXY_PNG_QUANTIZATION_COLORS=16") { $0.colorCountOfPNG = nil },
      .init("IMGPROXY_PREFERRED_FORMATS=webp,jpg,png") { $0.preferredFormats = [.webp, .jpeg, .png] },
      .init("IMGPROXY_ENFORCE_WEBP=true IMGPROXY_AUTO_WEBP=true") {
        ($0.negotiatedFormats, $0.enforcedFormats) = ([.webp], [.webp])
      },
      .init("IMGPROXY_ENFORCE_WEBP=false") { $0.enforcedFormats = [] },
      .init("IMGPROXY_HEALTH_CHECK_PATH=/healthz IMGPROXY_PROMETHEUS_NAMESPACE=photos") {
        ($0.healthPath, $0.metricsPrefix) = ("/healthz", "photos_")
      },
      .init("IMGPROXY_NETWORK=unix IMGPROXY_BIND=/run/images.sock") { $0.socket = "/run/images.sock" },
      .init("IMGPROXY_NETWORK=tcp IMGPROXY_BIND=:9000") { $0.port = 9000 },
      // The file takes precedence over the environment.
      .init(
        "IMGPROXY_ENV_LOCAL_FILE_PATH=/env IMGPROXY_QUALITY=60 IMGPROXY_TTL=9",
        files: ["/env": "IMGPROXY_QUALITY=70\nHOST=a.example\nIMGPROXY_BASE_URL=\"https://${HOST}/\"\nPORT=9001\n"],
        origins: ["quality": "IMGPROXY_QUALITY"]
      ) { ($0.quality, $0.ttl, $0.baseURL, $0.port) = (70, 9, "https://a.example/", 9001) },
      // Without a proxy, there is nothing to except.
      .init("NO_PROXY=c.test") { $0.proxy = nil },
    ]

    @Test("Variables with the same meaning change the settings, and nothing else", arguments: commands)
    func command(_ example: ConfigurationExample) throws {
      try example.check(variables: "NUKE_IMGPROXY_ENVIRONMENT=true", from: Self.defaults)
    }

    @Test("Without the setting, the variables are ignored")
    func off() throws {
      #expect(try LoadedConfiguration("IMGPROXY_QUALITY=x").configuration == ImageServer.Configuration())
    }

    @Test(
      "Sources in an object store are rejected without its credentials",
      arguments: [
        ("s3://images/", "s3-credentials"), ("gs://images/", "gcs-credentials"), ("abs://images/", "abs-credentials"),
      ])
    func sourcesWithoutStore(source: String, setting: String) throws {
      let loaded = try load("IMGPROXY_ALLOWED_SOURCES=\(source)")
      let error = #expect(throws: ConfigurationError.self) {
        try loaded.configuration.pipeline(metrics: PrometheusRegistry(), tracer: NoOpTracer(), role: nil)
      }
      #expect(error?.description.contains("\(source) needs a store") == true)
      #expect(error?.description.contains(setting) == true)
    }

    @Test(
      "The proxy variables of programs in Go are read if they have one proxy for all sources",
      arguments: [
        ("http://a.test:3128", "http://a.test:3128"), ("a.test:3128", "http://a.test:3128"),
        ("a.test", "http://a.test:80"), ("https://me:x@a.test", "https://me:x@a.test:443"),
        ("socks5://a.test", "socks5h://a.test:1080"),
      ])
    func proxy(value: String, url: String) throws {
      let loaded = try load("HTTP_PROXY=\(value) https_proxy=\(value) NO_PROXY=")
      #expect(loaded.configuration.proxy?.absoluteString == url)
      #expect(loaded.origins["proxy"] == "HTTP_PROXY")
    }

    @Test(
      "Proxy variables that cannot be honored are errors, unless the proxy is set by our own setting",
      arguments: [
        "HTTP_PROXY=http://a.test:3128", "HTTPS_PROXY=http://a.test:3128",
        "HTTP_PROXY=http://a.test:3128 HTTPS_PROXY=http://b.test:3128",
        "HTTP_PROXY=http://a.test:3128 HTTPS_PROXY=http://a.test:3128 NO_PROXY=c.test",
        "http_proxy=ftp://a.test:21 https_proxy=ftp://a.test:21",
      ])
    func refusedProxies(variables: String) throws {
      #expect(throws: ConfigurationError.self) { try load(variables) }
      for own in ["--proxy http://own.test:1", "NUKE_PROXY=http://own.test:1"] {
        let command = own.hasPrefix("-") ? "\(variables) \(own)" : "\(own) \(variables)"
        #expect(try load(command).configuration.proxy?.absoluteString == "http://own.test:1", "\(own)")
      }
    }

    @Test(
      "What cannot be honored is an error with the name of the variable",
      arguments: [
        "IMGPROXY_SECRET='a b'", "IMGPROXY_USE_SWIFT=true", "IMGPROXY_USE_GCS=maybe", "IMGPROXY_ENFORCE_WEBP=x",
        "IMGPROXY_COOKIE_PASSTHROUGH=true",
        "IMGPROXY_COOKIE_PASSTHROUGH_ALL=true", "IMGPROXY_REQUEST_HEADERS_PASSTHROUGH=Host",
        "IMGPROXY_SKIP_PROCESSING_FORMATS=svg", "IMGPROXY_MAX_ANIMATION_FRAME_RESOLUTION=x",
        "IMGPROXY_PREFERRED_FORMATS=svg", "IMGPROXY_PNG_QUANTIZATION_COLORS=1", "IMGPROXY_NETWORK=tcp4",
        "IMGPROXY_NETWORK=unix", "IMGPROXY_QUALITY=0", "IMGPROXY_HEALTH_CHECK_PATH=/metrics",
        "IMGPROXY_ENV_LOCAL_FILE_PATH=/missing",
        "IMGPROXY_SIGNATURE_SIZE=4", "IMGPROXY_SOURCE_URL_ENCRYPTION_KEY=0a0b", "IMGPROXY_QUALITY=x",
        "IMGPROXY_BIND=8080", "IMGPROXY_BIND=::1", "IMGPROXY_PROMETHEUS_BIND=::1", "IMGPROXY_LOG_FORMAT=gcp",
        "IMGPROXY_WATERMARK_DATA=***", "IMGPROXY_USE_ETAG=maybe", "IMGPROXY_NO_SUCH_THING=1",
        "IMGPROXY_OPEN_TELEMETRY_ENABLE_LOGS=true", "IMGPROXY_ARGUMENTS_SEPARATOR=,", "IMGPROXY_TIMEOUT=0", "PORT=x",
      ])
    func refused(variable: String) {
      let error = #expect(throws: ConfigurationError.self) { try load(variable) }
      let name = variable.prefix { $0 != "=" }
      #expect(error?.description.contains(name) == true, "\(String(describing: error))")
    }

    @Test(
      "A collector that cannot be honored is an error with the name of the variable",
      arguments: [
        "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_ENDPOINT=http://a.test:4317",
        "OTEL_EXPORTER_OTLP_ENDPOINT=a.test:4318", "OTEL_EXPORTER_OTLP_ENDPOINT=http://me:secret@a.test",
        "OTEL_EXPORTER_OTLP_HEADERS=secret", "OTEL_EXPORTER_OTLP_HEADERS=a=%secret",
        "OTEL_EXPORTER_OTLP_HEADERS=a=secret%0A", "OTEL_RESOURCE_ATTRIBUTES==x", "OTEL_TRACES_SAMPLER=xray",
        "OTEL_TRACES_SAMPLER_ARG=2", "OTEL_TRACES_SAMPLER_ARG=nan",
      ])
    func refusedCollectors(variable: String) {
      let error = #expect(throws: ConfigurationError.self) {
        try load("IMGPROXY_OPEN_TELEMETRY_ENABLE=true \(variable)")
      }
      #expect(error?.description.contains(variable.prefix { $0 != "=" }) == true, "\(String(describing: error))")
      #expect(error?.description.contains("secret") == false)
    }

    @Test("All variables that cannot be honored, and all invalid values, are errors of one start")
    func allErrors() {
      let command =
        "NUKE_QUALTY=1 NUKE_PORT=x IMGPROXY_NO_SUCH_THING=1 IMGPROXY_USE_ETAG=maybe IMGPROXY_SYSLOG_TAG=x "
        + "IMGPROXY_QUALITY=101 IMGPROXY_ENV_LOCAL_FILE_PATH=/env --max-frames 0"
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration(
          "NUKE_IMGPROXY_ENVIRONMENT=true " + command, files: ["/env": "IMGPROXY_USE_SWIFT=1\nIMGPROXY_TTL=x"])
      }
      #expect(
        error?.all.map(\.description) == [
          "NUKE_QUALTY (environment): unknown setting; did you mean NUKE_QUALITY?",
          "IMGPROXY_NO_SUCH_THING (environment): nuke serve has no such setting",
          "IMGPROXY_SYSLOG_TAG (environment): nuke serve has no such setting",
          "IMGPROXY_USE_ETAG (environment): \"maybe\" is neither true nor false",
          "IMGPROXY_USE_SWIFT (/env): nuke serve does not support \"1\"; the only supported value is false",
          "port (NUKE_PORT): \"x\" is not an integer from 0 to 65535",
          "quality (IMGPROXY_QUALITY): \"101\" is not an integer from 1 to 100",
          "ttl (IMGPROXY_TTL): \"x\" is not a time, such as 30s, 500ms or 5m",
          "max-frames (--max-frames): \"0\" is not an integer of at least 1",
        ])
      #expect(error?.description.split(separator: "\n").count == error?.all.count)
    }

    @Test(
      "An error in the file of variables has its path and the line",
      arguments: [
        ("A=1\nB", "/env:2: it is not NAME=VALUE"),
        ("AWS_ACCESS_KEY_ID=a", "/env: AWS_ACCESS_KEY_ID is read only from the environment: set it there"),
      ])
    func errorsOfFile(text: String, reason: String) {
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration(
          "NUKE_IMGPROXY_ENVIRONMENT=true IMGPROXY_ENV_LOCAL_FILE_PATH=/env", files: ["/env": text])
      }
      #expect(error?.description == "IMGPROXY_ENV_LOCAL_FILE_PATH (environment): \(reason)")
    }

    @Test(
      "An error of a proxy or a collector in the file of variables has its path",
      arguments: [
        ("HTTP_PROXY", "HTTP_PROXY=http://a.test:1"),
        ("OTEL_TRACES_SAMPLER", "IMGPROXY_OPEN_TELEMETRY_ENABLE=1\nOTEL_TRACES_SAMPLER=xray"),
      ])
    func originsInFile(name: String, text: String) {
      let error = #expect(throws: ConfigurationError.self) {
        try LoadedConfiguration(
          "NUKE_IMGPROXY_ENVIRONMENT=true IMGPROXY_ENV_LOCAL_FILE_PATH=/env", files: ["/env": text])
      }
      #expect(error?.setting == name && error?.origin == "/env")
    }

    @Test("Proxies in the file of variables do not matter if the proxy is set by our own setting")
    func proxyInFile() throws {
      let loaded = try LoadedConfiguration(
        "NUKE_IMGPROXY_ENVIRONMENT=true IMGPROXY_ENV_LOCAL_FILE_PATH=/env --proxy http://own.test:1",
        files: ["/env": "HTTP_PROXY=http://a.test:3128"])
      #expect(loaded.configuration.proxy?.absoluteString == "http://own.test:1")
    }

    @Test(
      "With keys from any source, URLs need signatures",
      arguments: [
        ("NUKE_KEYS=01 NUKE_SALTS=02", ""), ("NUKE_KEYS_FILE=/k NUKE_SALTS=02", ""),
        ("IMGPROXY_KEY=01 IMGPROXY_SALT=02", ""), ("", #""keys": ["01"], "salts": ["02"]"#),
      ])
    func keys(variables: String, file: String) throws {
      let loaded = try LoadedConfiguration(
        "NUKE_IMGPROXY_ENVIRONMENT=true \(variables) --config f", files: ["f": "{\(file)}", "/k": "01"])
      #expect(loaded.configuration.keys == [Data([1])])
      #expect(!loaded.configuration.allowsUnsigned)
    }

    @Test("The defaults are overridden by the file, and the variables override it")
    func file() throws {
      let file = #"""
        {"imgproxy-environment": true, "host": "127.0.0.1", "ttl": 60, "quality": 60, "formats": ["webp"],
        "allowed-sources": ["https://a.test/"], "otlp-endpoint": "http://a.test", "allow-unsigned": false}
        """#
      let variables = "IMGPROXY_QUALITY=70 IMGPROXY_USE_S3=1 IMGPROXY_OPEN_TELEMETRY_ENABLE=1"
      let loaded = try LoadedConfiguration("\(variables) --config f", files: ["f": file])
      let configuration = loaded.configuration
      #expect(configuration.host == "127.0.0.1" && configuration.ttl == 60 && configuration.quality == 70)
      #expect(configuration.negotiatedFormats == [.webp] && configuration.allowedSources == ["https://a.test/"])
      #expect(configuration.otlpEndpoint == URL(string: "http://a.test") && !configuration.allowsUnsigned)
      // What the file does not have is as in imgproxy.
      #expect(configuration.redirectLimit == 10 && configuration.otlpServiceName == "imgproxy")
      #expect(loaded.origins["ttl"] == "f" && loaded.origins["max-redirects"] == "imgproxy's default")
    }

    @Test("Stores use the keys that another source has, and local folders of another source stay allowed")
    func stores() throws {
      let loaded = try load(
        "IMGPROXY_USE_S3=1 IMGPROXY_USE_GCS=1 IMGPROXY_USE_ABS=1 NUKE_S3_ACCESS_KEY=a NUKE_S3_SECRET_KEY=b "
          + "NUKE_GCS_KEY={} NUKE_ABS_KEY=YQ== NUKE_ABS_NAME=n NUKE_LOCAL_ROOTS=/a")
      let configuration = loaded.configuration
      #expect(configuration.s3Credentials == .fixed && configuration.gcsCredentials == .fixed)
      #expect(configuration.absCredentials == .fixed)
      #expect(configuration.allowedSources == ["http://", "https://", "s3://", "gs://", "abs://", "local://"])
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
