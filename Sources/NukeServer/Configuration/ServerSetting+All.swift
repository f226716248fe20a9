#if Server
  import Logging

  extension ServerSetting {
    /// All settings, in the order of the help.
    static let all: [ServerSetting] = grouped.flatMap(\.settings)

    /// All settings by the groups of the help.
    static let grouped: [(group: ServerSettingGroup, settings: [ServerSetting])] = {
      let settings = sections.flatMap { section, settings in
        settings.map { (ServerSettingGroup(ofSetting: $0.name) ?? section, $0) }
      }
      return ServerSettingGroup.allCases.map { group in
        let own = settings.filter { $0.0 == group }.map(\.1)
        guard group == .first else { return (group, own) }
        return (group, ServerSettingGroup.firstNames.compactMap { name in own.first { $0.name == name } })
      }
    }()

    static func named(_ name: String) -> ServerSetting? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let sections: [(ServerSettingGroup, [Self])] = [
      (.listening, listening), (.urls, urls), (.sources, sources), (.limits, limits), (.work, work),
      (.results, results), (.images, images), (.responses, responses), (.operation, operation),
    ]

    private static let listening: [Self] = [
      .init("host", \.host, .text("ADDRESS"), "Address to listen on"),
      .init("port", \.port, .integer(0...65_535, "PORT"), "Port to listen on; 0 chooses a free one"),
      .init(optional: "socket", \.socket, .text("PATH"), "Unix domain socket to listen on instead"),
      .init("path-prefix", \.pathPrefix, .path, "Prefix of all image paths"),
      .init(optional: "tls-certificate", \.tlsCertificate, .text("FILE"), "Certificate chain (PEM); enables TLS"),
      .init(optional: "tls-key", \.tlsKey, .text("FILE"), "Private key of the certificate (PEM)"),
      .init("http2", \.isHTTP2Enabled, "Offer HTTP/2; requires TLS"),
      .init(
        optional: "max-connections", \.connectionLimit, .count,
        "Maximum number of client connections (default: half of the open file limit)"),
    ]

    private static let urls: [Self] = [
      .init(list: "keys", \.keys, .secret, "Keys of the URL signature; the first one signs"),
      .init(list: "salts", \.salts, .secret, "Salts of the URL signature, one for each key"),
      .init("allow-unsigned", \.allowsUnsigned, "Accept /unsafe/… and /insecure/… URLs without a signature"),
      .init(table: "presets", \.presets, .text("NAME"), .text("OPTIONS"), "Named option sets that URLs can refer to"),
      .init(optional: "preset-file", \.presetFile, .text("FILE"), "File with more presets, one NAME=OPTIONS per line"),
      .init(
        "only-presets", \.allowsOnlyPresets,
        "Allow only names of presets in URLs, instead of options: /SIGNATURE/NAME:NAME/…"),
      .init("base64-filenames", \.ignoresFilenames, "Ignore what follows the last slash of a source in Base64"),
      .init(
        list: "allowed-options", \.allowedOptions, .optionName,
        "Options that URLs may contain; presets may contain others (default: all)"),
      .init("signature-size", \.signatureSize, .integer(8...32), "Size of URL signatures in bytes"),
      .init(
        list: "trusted-signatures", \.trustedSignatures, .text("TEXT", isSecret: true),
        "Texts that are accepted in place of a signature"),
      .init(
        optional: "bearer-token", \.bearerToken, .token,
        "Token that requests must have, as Authorization: Bearer TOKEN"),
      .init(
        list: "purge-keys", \.purgeKeys, .secret, "Keys that sign purges (DELETE); without them, purging is disabled"),
      .init(list: "purge-salts", \.purgeSalts, .secret, "Salts that sign purges, one for each key"),
      .init(
        optional: "source-url-encryption-key", \.sourceEncryptionKey, .encryptionKey,
        "Key of encrypted sources (/enc/…), 16, 24 or 32 bytes; without it, they are rejected"),
      .init("info", \.servesInfo, "Serve the metadata of images at /info/…, which requires separate signatures"),
      .init(
        "imgproxy-environment", \.usesImgproxyEnvironment,
        "Read imgproxy's environment variables, and use its defaults"),
    ]

    private static let sources: [Self] = [
      .init(
        list: "allowed-sources", \.allowedSources, .text("PREFIX"),
        "Allowed prefixes of source URLs (default: all of http and https)"),
      .init(optional: "base-url", \.baseURL, .text("URL"), "Base URL of sources without a scheme"),
      .init(
        list: "url-replacements", \.urlReplacements, .replacement,
        "Replacements for the beginning of source URLs; ${1} is what the first * matched"),
      .init(
        "source-query-separator", \.querySeparator, .separator,
        "Text between the name of an object and its version; may be empty"),
      .init(
        table: "local-roots", \.localRoots, .optionalName, .text("FOLDER"),
        "Folders for local:///… and local://NAME/… sources"),
      .init(optional: "source-cache", \.sourceCache, .text("FOLDER"), "Folder of the HTTP cache for sources"),
      .init("source-cache-size", \.sourceCacheSize, .bytes, "Size limit of the source cache"),
      .init(optional: "s3-endpoint", \.s3Endpoint, .text("URL"), "Endpoint of an S3-compatible store"),
      .init("s3-region", \.s3Region, .text("NAME"), "Region of the S3 store"),
      .init(optional: "s3-access-key", \.s3AccessKey, .text("NAME"), "Access key ID for the S3 store"),
      .init(
        optional: "s3-secret-key", \.s3SecretKey, .text("KEY", isSecret: true), "Secret access key for the S3 store"),
      .init(
        "s3-credentials", \.s3Credentials, .choice, "Credentials for the S3 store: the keys, or the machine's role"),
      .init(
        optional: "s3-assume-role", \.s3AssumedRole, .text("ARN"), "Role that these credentials assume for S3 sources"),
      .init(
        optional: "s3-assume-role-external-id", \.s3ExternalID, .text("TEXT"),
        "External identifier that the assumed role requires"),
      .init(list: "s3-allowed-buckets", \.s3AllowedBuckets, .text("NAME"), "Buckets of s3:// sources (default: all)"),
      .init(list: "s3-denied-buckets", \.s3DeniedBuckets, .text("NAME"), "Buckets that s3:// sources must not be in"),
      .init(optional: "gcs-endpoint", \.gcsEndpoint, .text("URL"), "Endpoint of Google Cloud Storage"),
      .init(
        optional: "gcs-key", \.gcsKey, .text("JSON", isSecret: true),
        "Key of a service account for Google Cloud Storage"),
      .init(
        "gcs-credentials", \.gcsCredentials, .choice,
        "Credentials for Google Cloud Storage: the key, or the machine's account"),
      .init(list: "gcs-allowed-buckets", \.gcsAllowedBuckets, .text("NAME"), "Buckets of gs:// sources (default: all)"),
      .init(
        list: "gcs-denied-buckets", \.gcsDeniedBuckets, .text("NAME"), "Buckets that gs:// sources must not be in"),
      .init(optional: "abs-name", \.absName, .text("NAME"), "Storage account for Azure Blob Storage"),
      .init(
        optional: "abs-key", \.absKey, .text("KEY", isSecret: true), "Key of the storage account, in Base64"),
      .init(optional: "abs-endpoint", \.absEndpoint, .text("URL"), "Endpoint of the storage account"),
      .init(
        "abs-credentials", \.absCredentials, .choice,
        "Credentials for Azure Blob Storage: the key, or the machine's managed identity"),
      .init(
        list: "abs-allowed-containers", \.absAllowedContainers, .text("NAME"),
        "Containers of abs:// sources (default: all)"),
      .init(
        list: "abs-denied-containers", \.absDeniedContainers, .text("NAME"),
        "Containers that abs:// sources must not be in"),
      .init(
        list: "allow-private-addresses", \.allowedPrivateAddresses, .text("NETWORK"),
        "Private networks that sources may be loaded from"),
      .init(
        list: "request-headers-passthrough", \.passedHeaders, .passedHeader,
        "Header fields of requests to pass on to sources; results are separate for each value"),
      .init(
        list: "cookie-passthrough", \.passedCookies, .text("NAME"),
        "Cookies to pass on to sources that begin with the cookie base URL; * for all"),
      .init(
        optional: "cookie-base-url", \.cookieBaseURL, .text("URL"),
        "Prefix of the URLs of sources that receive cookies"),
      .init(
        optional: "proxy", \.proxy, .proxy, "Proxy for sources, which must refuse connections to private addresses"),
      .init(optional: "user-agent", \.userAgent, .printable, "User-Agent of requests to sources (default: Nuke)"),
      .init("connect-timeout", \.connectTimeout, .seconds, "Time limit for connecting to a source"),
      .init("source-timeout", \.sourceTimeout, .seconds, "Time limit for loading a source"),
      .init(
        optional: "fallback-image", \.fallbackImage, .text("FILE|URL"),
        "Image to send in place of one whose source cannot be loaded"),
      .init(
        optional: "fallback-image-data", \.fallbackImageData, .base64, "File to send in place of it, in Base64"),
      .init(
        "fallback-status", \.fallbackStatus, .fallbackStatus,
        "Status code of the fallback image; 0 for that of the error"),
      .init("fallback-ttl", \.fallbackTTL, .wholeSeconds, "Freshness lifetime of the fallback image"),
      .init(
        "negotiate-sources", \.negotiatesSources,
        "List all readable formats in the Accept field of requests to sources"),
      .init("max-redirects", \.redirectLimit, .integer(0...50), "Maximum number of redirects to follow"),
    ]

    private static let limits: [Self] = [
      .init("max-source-bytes", \.sourceByteLimit, .bytes, "Maximum size of a source"),
      .init("max-source-pixels", \.sourcePixelLimit, .count, "Maximum number of pixels of a source"),
      .init("max-frames", \.frameLimit, .count, "Maximum number of frames of a source"),
      .init("max-animation-frames", \.animationFrameLimit, .count, "Maximum number of frames of a result"),
      .init(
        optional: "max-frame-pixels", \.framePixelLimit, .count,
        "Maximum number of pixels of a frame of an animated source"),
      .init("max-result-pixels", \.resultPixelLimit, .count, "Maximum number of pixels of a result"),
      .init(
        optional: "max-result-side", \.resultSideLimit, .count,
        "Maximum side of a result in pixels; larger ones are scaled down"),
      .init("max-result-bytes", \.resultByteLimit, .bytes, "Maximum size of a result"),
      .init("request-timeout", \.requestTimeout, .limit, "Time limit for a request"),
    ]

    private static let work: [Self] = [
      .init(
        optional: "workers", \.workers, .integer(1...1024),
        "Number of images rendered at a time (default: one per processor)"),
      .init(
        "queue-length", \.queueLength, .integer(0...1_000_000),
        "Maximum number of waiting requests; others receive the status 429"),
      .init(
        optional: "decode-budget", \.decodeBudget, .bytes,
        "Memory budget for decoded pixels (default: a quarter of the available memory)"),
      .init(
        optional: "send-budget", \.sendBudget, .bytes,
        "Memory budget for responses being sent (default: an eighth of the available memory)"),
      .init(
        optionalFlag: "sandbox", \.isSandboxed,
        "Decode and render in sandboxed processes (default: if the kernel supports it)"),
      .init("sandbox-images", \.sandboxImages, .count, "Number of images after which a sandboxed process is replaced"),
      .init(
        optional: "sandbox-program", \.sandboxProgram, .text("FILE"),
        "Program of the sandboxed processes (default: this one)"),
      .init("drain-delay", \.drainDelay, .seconds, "Time for which /ready fails before the server shuts down"),
      .init("grace-period", \.gracePeriod, .seconds, "Time limit for running requests at shutdown"),
    ]

    private static let results: [Self] = [
      .init(
        optional: "validation-interval", \.validationInterval, .wholeSeconds,
        "Maximum time between validations of a source (default: while it is fresh)"),
      .init("memory-cache-size", \.memoryCacheSize, .bytes, "Size limit of the memory cache; 0 disables it"),
      .init(optional: "disk-cache", \.diskCache, .text("FOLDER"), "Folder of the disk cache"),
      .init("disk-cache-size", \.diskCacheSize, .bytes, "Size limit of the disk cache"),
      .init(
        optional: "redis-url", \.redisURL, .text("URL", isSecret: true),
        "Redis server or sentinels, to share results among nodes; rediss:// uses TLS"),
      .init(
        optional: "redis-ca", \.redisCA, .text("FILE"),
        "Certificate authorities of Redis (PEM; default: the system's)"),
      .init(
        optional: "redis-certificate", \.redisCertificate, .text("FILE"), "Client certificate chain for Redis (PEM)"),
      .init(optional: "redis-key", \.redisKey, .text("FILE"), "Private key of the client certificate (PEM)"),
      .init(
        optional: "redis-sentinel-username", \.redisSentinelUsername, .text("NAME"), "User name for the sentinels"),
      .init(
        optional: "redis-sentinel-password", \.redisSentinelPassword, .text("TEXT", isSecret: true),
        "Password for the sentinels"),
      .init("redis-prefix", \.redisPrefix, .text("TEXT"), "Prefix of all keys in Redis"),
      .init("redis-ttl", \.redisTTL, .wholeSeconds, "Lifetime of results in Redis"),
      .init("redis-connections", \.redisConnectionLimit, .integer(1...1024), "Maximum number of connections to Redis"),
      .init("redis-timeout", \.redisTimeout, .seconds, "Time limit for a Redis command"),
      .init("require-redis", \.requiresRedis, "Fail the readiness check while Redis is unreachable"),
      .init(optional: "s3-cache", \.s3Cache, .text("BUCKET/PREFIX"), "S3 bucket that stores results"),
      .init(
        optional: "s3-cache-endpoint", \.s3CacheEndpoint, .text("URL"),
        "Endpoint of the result bucket (default: that of sources)"),
      .init(optional: "s3-cache-region", \.s3CacheRegion, .text("NAME"), "Region of the result bucket"),
      .init(optional: "s3-cache-access-key", \.s3CacheAccessKey, .text("NAME"), "Access key ID of the result bucket"),
      .init(
        optional: "s3-cache-secret-key", \.s3CacheSecretKey, .text("KEY", isSecret: true),
        "Secret access key of the result bucket"),
      .init("s3-timeout", \.s3Timeout, .seconds, "Time limit for a request to the S3 bucket"),
    ]

    private static let images: [Self] = [
      .init("quality", \.quality, .integer(1...100, "1–100"), "Quality of JPEG"),
      .init(
        table: "format-quality", \.formatQuality, .imageFormat, .integer(1...100, "1–100"),
        "Quality of other formats, on the scales of their libraries"),
      .init(
        table: "format-effort", \.formatEffort, .imageFormat, .integer(0...100, "0–100"),
        "Effort of encoding: 0 is fastest, 100 makes the smallest files"),
      .init(
        list: "formats", \.negotiatedFormats, .imageFormat,
        "Formats for clients that accept them, in order of preference"),
      .init(
        list: "enforced-formats", \.enforcedFormats, .imageFormat,
        "Formats for clients that accept them, even if the URL names another one"),
      .init(
        list: "preferred-formats", \.preferredFormats, .imageFormat,
        "Formats if neither the URL nor the client names one"),
      .init(
        list: "skip-processing-formats", \.skippedFormats, .sourceFormat,
        "Formats of sources to send unchanged unless the URL names another format"),
      .init("auto-rotate", \.autoRotates, "Apply the orientation of the file unless the URL says otherwise"),
      .init(
        optional: "png-colors", \.colorCountOfPNG, .integer(2...256, "2–256"),
        "Maximum number of colors of PNG unless the URL says otherwise"),
      .init("client-hints", \.usesClientHints, "Use the width and pixel ratio of client hints"),
      .init("strip-metadata", \.stripsMetadata, "Remove metadata unless the URL says otherwise"),
      .init("keep-copyright", \.keepsCopyright, "Keep the copyright when metadata is removed"),
      .init("keep-location", \.keepsLocation, "Keep the location when metadata is kept"),
      .init("send-svg", \.sendsSVG, "Send SVG unchanged for raw and skip_processing; it can contain scripts"),
      .init("progressive-jpeg", \.writesProgressiveJPEG, "Encode progressive JPEGs unless the URL says otherwise"),
      .init(
        "enforce-thumbnail", \.usesThumbnails,
        "Render the thumbnail in a HEIC or AVIF file in place of its image by default"),
      .init(optional: "watermark", \.watermark, .text("FILE|URL"), "Image of the watermark option"),
      .init(optional: "watermark-data", \.watermarkData, .base64, "File of the watermark option, in Base64"),
      .init("watermark-opacity", \.watermarkOpacity, .integer(0...100, "0–100"), "Opacity of the watermark in percent"),
    ]

    private static let responses: [Self] = [
      .init("ttl", \.ttl, .wholeSeconds, "Freshness lifetime of responses if the source states none"),
      .init(
        "source-freshness", \.usesSourceFreshness,
        "Obey Cache-Control of sources; otherwise use only --ttl"),
      .init("honor-no-cache", \.honorsNoCache, "Validate the source if a request has Cache-Control: no-cache"),
      .init("return-attachment", \.sendsAttachments, "Have browsers save images unless the URL says otherwise"),
      .init(
        optional: "etag-suffix", \.entityTagSuffix, .entityTag,
        "Text at the end of all ETags; with another one, clients load all images again"),
      .init(list: "cors-origins", \.corsOrigins, .origin, "Origins that may read responses, or *"),
      .init("server-timing", \.sendsTiming, "Send the duration of each stage in Server-Timing"),
      .init("debug-headers", \.sendsSizes, "Send the sizes of source and result in X-Origin-… and X-Result-…"),
    ]

    private static let operation: [Self] = [
      .init("log-level", \.logLevel, .choice, "Minimum level of log entries"),
      .init("log-format", \.logFormat, .choice, "Format of log entries"),
      .init(
        optional: "operation-port", \.operationPort, .integer(0...65_535, "PORT"),
        "Separate port for /health, /ready and /metrics, then not on the main port"),
      .init("operation-host", \.operationHost, .text("ADDRESS"), "Address of the operation port"),
      .init("metrics", \.servesMetrics, "Serve metrics at /metrics on the main port"),
      .init("health", \.servesHealth, "Serve health checks at /health and /ready on the main port"),
      .init(
        optional: "otlp-endpoint", \.otlpEndpoint, .collector,
        "OpenTelemetry collector for traces and metrics, such as http://127.0.0.1:4318"),
      .init(
        table: "otlp-headers", \.otlpHeaders, .fieldName, .fieldValue,
        "Header fields of requests to the collector"),
      .init(
        optional: "otlp-service-name", \.otlpServiceName, .text("NAME"),
        "Name of the service in traces and metrics (default: nuke)"),
      .init(
        table: "otlp-attributes", \.otlpAttributes, .text("NAME"), .text("TEXT"),
        "Further attributes of the service in traces and metrics"),
      .init("otlp-metrics-interval", \.otlpMetricsInterval, .seconds, "Time between exports of metrics; 0 for none"),
      .init("trace-ratio", \.traceRatio, .ratio, "Share of requests that are traced unless the client decides"),
      .init("trace-propagation", \.propagatesTraces, "Pass the trace context of requests on to sources"),
      .init(optional: "health-path", \.healthPath, .path, "Additional path of the health check on the main port"),
      .init(optional: "metrics-prefix", \.metricsPrefix, .metricsPrefix, "Text before the names of all metrics"),
      .init("playground", \.servesPlayground, "Serve a page for trying URLs at /_playground; it signs any URL"),
      .init("demo", \.isDemo, "Serve the sample images and the playground on a loopback address"),
    ]
  }
#endif
