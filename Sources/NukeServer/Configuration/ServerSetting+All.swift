#if Server
  import Logging
  import NukeCodecs

  extension ServerSetting {
    /// All settings, in the order of the help.
    static let all: [ServerSetting] =
      listening + urls + sources + limits + work + results + pictures + answers + operation

    static func named(_ name: String) -> ServerSetting? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let listening: [Self] = [
      .text("host", .listening, \.host, "ADDRESS", "Address to listen on"),
      .integer("port", .listening, \.port, 0...65_535, "PORT", "Port to listen on; 0 for any that is free"),
      .optionalText("socket", .listening, \.socket, "PATH", "Unix domain socket to listen on instead"),
      .value(
        "path-prefix", .listening, \.pathPrefix, "PATH", "What stands before all paths of images",
        read: { (text) throws(InvalidValue) in try path(text) }, write: { $0 }),
      .optionalText("tls-certificate", .listening, \.tlsCertificate, "FILE", "Certificate chain in PEM, for TLS"),
      .optionalText("tls-key", .listening, \.tlsKey, "FILE", "Its private key in PEM"),
      .flag("http2", .listening, \.isHTTP2Enabled, "Speak HTTP/2 to those that ask for it; takes TLS"),
      .optional(
        "max-connections", .listening, \.connectionLimit, "COUNT",
        "Clients at a time; half of the open files unless set",
        read: { (text) throws(InvalidValue) in try SettingText.integer(text, in: 1...Int.max) }, write: { String($0) }),
    ]

    private static let urls: [Self] = [
      .secrets("keys", .urls, \.keys, "Keys of the signature; the first one signs"),
      .secrets("salts", .urls, \.salts, "Salts of the signature, one for each key"),
      .flag("allow-unsigned", .urls, \.allowsUnsigned, "Answer /unsafe/… and /insecure/… without a signature"),
      .table(
        "presets", .urls, \.presets, "NAME=OPTIONS", "Options by a name that URLs may give instead",
        key: SettingText.nonempty, value: SettingText.nonempty, write: { "\($0)=\($1)" }),
      .optionalText("preset-file", .urls, \.presetFile, "FILE", "File of more presets, NAME=OPTIONS a line"),
      .flag("only-presets", .urls, \.allowsOnlyPresets, "URLs may name presets and nothing else"),
    ]

    private static let sources: [Self] = [
      .list("sources", .sources, \.allowedSources, "PREFIX", "What sources begin with; all of the web unless set"),
      .table(
        "local-roots", .sources, \.localRoots, "[NAME=]FOLDER", "Folders of local:///… and local://NAME/…",
        key: { $0 }, value: SettingText.nonempty, write: { $0.isEmpty ? $1 : "\($0)=\($1)" }),
      .optionalText(
        "source-store", .sources, \.sourceStore, "FOLDER", "Folder that sources are kept in, as HTTP allows"),
      .bytes("source-store-size", .sources, \.sourceStoreSize, "What the folder may take"),
      .optionalText("s3-endpoint", .sources, \.s3Endpoint, "URL", "Store that speaks S3's protocol"),
      .text("s3-region", .sources, \.s3Region, "NAME", "Its region"),
      .optionalText("s3-access-key", .sources, \.s3AccessKey, "NAME", "Name of the key to it"),
      .optionalText("s3-secret-key", .sources, \.s3SecretKey, "KEY", "The key to it", isSecret: true),
      .list(
        "allow-private-addresses", .sources, \.allowedPrivateAddresses, "NETWORK",
        "Networks that are not public and may have sources"),
      .seconds("connect-timeout", .sources, \.connectTimeout, "How long connecting to a source may take"),
      .seconds("source-timeout", .sources, \.sourceTimeout, "How long loading a source may take"),
      .integer("max-redirects", .sources, \.redirectLimit, 0...50, "COUNT", "How many redirects are followed"),
    ]

    private static let limits: [Self] = [
      .bytes("max-source-bytes", .limits, \.sourceByteLimit, "Largest source"),
      .integer("max-source-pixels", .limits, \.sourcePixelLimit, 1...Int.max, "COUNT", "Most pixels of a source"),
      .integer("max-frames", .limits, \.frameLimit, 1...Int.max, "COUNT", "Most frames of a source"),
      .integer("max-result-pixels", .limits, \.resultPixelLimit, 1...Int.max, "COUNT", "Most pixels of a result"),
      .bytes("max-result-bytes", .limits, \.resultByteLimit, "Largest result"),
      .seconds("deadline", .limits, \.deadline, "After how long a request is given up"),
    ]

    private static let work: [Self] = [
      .optional(
        "workers", .work, \.workers, "COUNT", "Images made at a time; one a processor unless set",
        read: { (text) throws(InvalidValue) in try SettingText.integer(text, in: 1...1024) }, write: { String($0) }),
      .integer("queue-length", .work, \.queueLength, 0...1_000_000, "COUNT", "Requests that wait for their turn"),
      .optional(
        "memory", .work, \.memoryBudget, "BYTES", "Pixels in work at a time; of what may be used unless set",
        read: SettingText.bytes, write: SettingText.write(bytes:)),
      .optional(
        "sending-memory", .work, \.sendingBudget, "BYTES",
        "Answers that clients are taking; an eighth of the same unless set",
        read: SettingText.bytes, write: SettingText.write(bytes:)),
      .flag("sandbox", .work, \.isSandboxed, "Make images in processes that can touch nothing"),
      .integer(
        "sandbox-pictures", .work, \.sandboxPictures, 1...Int.max, "COUNT", "Images that each of them makes at most"),
      .optionalText("sandbox-program", .work, \.sandboxProgram, "FILE", "Program that they run; this one unless set"),
      .seconds("grace-period", .work, \.gracePeriod, "How long what runs may take to end"),
    ]

    private static let results: [Self] = [
      .bytes("memory-store-size", .results, \.memoryStoreSize, "Results kept in memory; 0 for none"),
      .optionalText("disk-store", .results, \.diskStore, "FOLDER", "Folder that results are kept in"),
      .bytes("disk-store-size", .results, \.diskStoreSize, "What the folder may take"),
      .optionalText(
        "redis-url", .results, \.redisURL, "URL", "Redis that results are shared through", isSecret: true),
      .seconds("redis-timeout", .results, \.redisTimeout, "How long an answer of Redis may take"),
      .flag("require-redis", .results, \.requiresRedis, "Not ready while Redis is gone"),
      .optionalText("s3-store", .results, \.s3Store, "BUCKET/PREFIX", "Bucket that results are kept in"),
      .seconds("s3-timeout", .results, \.s3Timeout, "How long an answer of the bucket may take"),
    ]

    private static let pictures: [Self] = [
      .integer("quality", .pictures, \.quality, 1...100, "1–100", "Quality of JPEG"),
      .table(
        "format-quality", .pictures, \.formatQuality, "FORMAT=1–100", "Quality by format",
        key: SettingText.format, value: { (text) throws(InvalidValue) in try SettingText.integer(text, in: 1...100) },
        write: { "\($0.rawValue)=\($1)" }),
      .items(
        "formats", .pictures, \.negotiatedFormats, "FORMAT", "Formats for clients that accept them, best first",
        read: SettingText.format, write: { $0.rawValue }),
      .flag("client-hints", .pictures, \.usesClientHints, "Take width and pixel ratio from the client's hints"),
      .flag("strip-metadata", .pictures, \.stripsMetadata, "Leave out metadata where the URL says nothing"),
      .flag("keep-copyright", .pictures, \.keepsCopyright, "Keep the copyright where metadata is left out"),
      .flag("keep-location", .pictures, \.keepsLocation, "Keep places in metadata that is kept"),
      .flag("send-svg", .pictures, \.sendsSVG, "Send SVG as it is to those that ask for that; it can hold scripts"),
      .flag("progressive-jpeg", .pictures, \.writesProgressiveJPEG, "Write JPEG in passes where the URL says nothing"),
      .optionalText("watermark", .pictures, \.watermark, "FILE", "Image that the option watermark lays over others"),
    ]

    private static let answers: [Self] = [
      .value(
        "ttl", .answers, \.ttl, "TIME", "How long answers are fresh where the source says nothing",
        read: { (text) throws(InvalidValue) in Int(try SettingText.seconds(text)) },
        write: { SettingText.write(seconds: Double($0)) }),
      .list("cors-origins", .answers, \.corsOrigins, "ORIGIN", "Origins whose scripts may read answers, or *"),
      .flag("server-timing", .answers, \.sendsTiming, "Tell in answers what took how long"),
    ]

    private static let operation: [Self] = [
      .choice("log-level", .operation, \.logLevel, Logger.Level.allCases, "Least that is logged"),
      .choice("log-format", .operation, \.logFormat, Configuration.LogFormat.allCases, "How lines of the log look"),
      .flag("metrics", .operation, \.servesMetrics, "Tell figures at /metrics"),
      .flag("health", .operation, \.servesHealth, "Answer /health and /ready"),
      .flag("playground", .operation, \.servesPlayground, "Show /_playground, which signs what is asked of it"),
      .flag("demo", .operation, \.isDemo, "Serve the sample images and a page to try them, to this machine alone"),
    ]

    private static func choice<Value: RawRepresentable & Sendable>(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Value>, _ choices: [Value], _ summary: String
    ) -> Self where Value.RawValue == String {
      value(
        name, group, path, choices.map(\.rawValue).joined(separator: "|"), summary,
        read: { (text) throws(InvalidValue) in
          guard let value = choices.first(where: { $0.rawValue == text }) else {
            throw InvalidValue(
              "\(text.debugDescription) is none of \(choices.map(\.rawValue).joined(separator: ", "))")
          }
          return value
        }, write: { $0.rawValue })
    }

    /// With a slash before it and none behind.
    private static func path(_ text: String) throws(InvalidValue) -> String {
      let parts = text.split(separator: "/")
      let isPlain = parts.allSatisfy { part in
        part != "." && part != ".." && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#%".utf8.contains($0) }
      }
      guard isPlain else { throw InvalidValue("\(text.debugDescription) is not a path, such as /images") }
      return parts.map { "/" + $0 }.joined()
    }
  }
#endif
