#if Server
  import Foundation
  import Nuke
  import NukeCodecs

  /// Translates imgproxy's environment variables to settings.
  ///
  /// A variable that is unknown or has an unsupported value is an error, so that no server starts while it ignores a
  /// setting.
  enum ImgproxyEnvironment {
    /// The settings that correspond to a variable, and their values.
    typealias Settings = [(name: String, texts: [String])]
    typealias Rule = @Sendable (String) throws(InvalidValue) -> Settings

    /// The values of settings by their names.
    struct Translation {
      /// The values of variables.
      var variables: [String: SettingSource.Value] = [:]
      /// The values that imgproxy has without a variable. All other sources take precedence over them.
      var defaults: [String: SettingSource.Value] = [:]
    }

    /// Returns the settings of the variables that begin with `IMGPROXY_`, and imgproxy's defaults.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process. The variables of `IMGPROXY_ENV_LOCAL_FILE_PATH` are added.
    ///   - ignoresProxies: `true` if a source that takes precedence has a proxy.
    ///   - isSet: returns `true` if another source has a value of a setting.
    ///   - read: returns the contents of a file.
    ///   - errors: receives an error for each variable that cannot be honored.
    static func sources(
      _ environment: [String: String], ignoresProxies: Bool, isSet: (String) -> Bool, read: (String) throws -> Data,
      _ errors: inout ConfigurationErrors
    ) -> (variables: SettingSource, defaults: SettingSource) {
      let file = errors.collect { () throws(ConfigurationError) in try variables(ofFile: environment, read) } ?? nil
      // imgproxy treats an empty variable as one that is not set.
      let environment = environment.merging(file?.values ?? [:]) { $1 }
        .filter { !$0.value.isEmpty || $0.key == "IMGPROXY_SOURCE_URL_QUERY_SEPARATOR" }
        .filter { !ignoresProxies || !proxyVariables.contains($0.key) }
      func origin(_ name: String) -> String { file?.values[name] == nil ? "environment" : file?.path ?? "" }
      /// Returns the result of `body`; `nil` if it throws. Its error gets the origin of the variable.
      func collect<Value>(_ body: () throws(ConfigurationError) -> Value) -> Value? {
        do throws(ConfigurationError) {
          return try body()
        } catch {
          errors.append(ConfigurationError(error.setting, at: origin(error.setting), error.reason))
          return nil
        }
      }
      var values: [String: SettingSource.Value] = [:]
      for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("IMGPROXY_") {
        guard let rule = rule(for: String(name.dropFirst("IMGPROXY_".count)), in: environment) else {
          errors.append(ConfigurationError(name, at: origin(name), "nuke serve has no such setting"))
          continue
        }
        do throws(InvalidValue) {
          for (setting, texts) in try rule(text) {
            let earlier = values[setting]?.texts ?? []
            // The path of an image takes precedence over its URL.
            if !earlier.isEmpty, ServerSetting.named(setting)?.isList == false { continue }
            values[setting] = .init(texts: earlier + texts.filter { !earlier.contains($0) }, origin: name)
          }
        } catch {
          errors.append(ConfigurationError(name, at: origin(name), error.reason))
        }
      }
      if let proxy = collect({ () throws(ConfigurationError) in try proxy(environment) }) ?? nil {
        values["proxy"] = proxy
      }
      let exported = collect { () throws(ConfigurationError) in try telemetry(environment) }
      values.merge(exported?.variables ?? [:]) { $1 }
      // Some hosting services set it.
      if values["port"] == nil, let port = environment["PORT"], !port.isEmpty {
        values["port"] = .init(texts: [port], origin: "PORT")
      }
      let preferred = ["jxl", "avif", "webp"]
      for setting in ["formats", "enforced-formats"] {
        values[setting]?.texts.sort { preferred.firstIndex(of: $0) ?? 0 < preferred.firstIndex(of: $1) ?? 0 }
      }
      var all = Translation(
        variables: values, defaults: defaults.mapValues { SettingSource.Value(texts: $0, origin: defaultOrigin) })
      all.defaults.merge(exported?.defaults ?? [:]) { $1 }
      // Without keys, imgproxy verifies no signatures.
      if values["keys"] == nil, !isSet("keys") {
        all.defaults["allow-unsigned"] = .init(texts: ["true"], origin: defaultOrigin)
      }
      enableStores(&all, isSet: isSet)
      return (SettingSource("imgproxy", all.variables), SettingSource("imgproxy's defaults", all.defaults))
    }

    /// Allows the sources of the enabled object stores, which have to be allowed by name. Without keys, imgproxy uses the
    /// credentials of the machine.
    private static func enableStores(_ all: inout Translation, isSet: (String) -> Bool) {
      let stores = [("s3", "s3", "access-key"), ("gcs", "gs", "key"), ("abs", "abs", "key")]
      func has(_ setting: String) -> Bool { all.variables[setting] != nil || isSet(setting) }
      let enabled = stores.filter { all.variables["\($0.0)-credentials"] != nil }
      if let origin = enabled.first.flatMap({ all.variables["\($0.0)-credentials"]?.origin }) {
        let schemes = ["http", "https"] + enabled.map(\.1) + (has("local-roots") ? ["local"] : [])
        all.defaults["allowed-sources"] = .init(texts: schemes.map { "\($0)://" }, origin: origin)
      }
      for (store, _, key) in enabled where has("\(store)-\(key)") { all.variables["\(store)-credentials"] = nil }
    }

    private static let defaultOrigin = "imgproxy's default"
    /// The host of an address without one, as in Go: all addresses of IPv6 and IPv4.
    private static let everyHost = "::"

    /// The defaults of imgproxy that differ from ours, and change a response.
    static let defaults = [
      "host": [everyHost], "formats": [], "source-freshness": ["false"], "ttl": ["31536000"],
      "max-animation-frames": ["1"], "max-source-pixels": ["50000000"], "source-timeout": ["5"],
      "request-timeout": ["10"], "max-redirects": ["10"], "source-query-separator": ["?"],
      // imgproxy loads sources for each request.
      "validation-interval": ["10"], "trace-propagation": ["false"],
    ]

    // MARK: File

    /// Returns the path and the variables of the file that `IMGPROXY_ENV_LOCAL_FILE_PATH` names; `nil` if there is none.
    private static func variables(
      ofFile environment: [String: String], _ read: (String) throws -> Data
    ) throws(ConfigurationError) -> (path: String, values: [String: String])? {
      let name = "IMGPROXY_ENV_LOCAL_FILE_PATH"
      guard let path = environment[name], !path.isEmpty else { return nil }
      guard let data = try? read(path) else {
        throw ConfigurationError(name, at: "environment", "\(path) cannot be read")
      }
      guard let text = String(data: data, encoding: .utf8) else {
        throw ConfigurationError(name, at: "environment", "\(path) is not UTF-8")
      }
      do throws(VariablesFile.InvalidLine) {
        let values = try VariablesFile(text, environment: environment).values
        // Other libraries read these, and only from the environment of the process.
        let others = values.keys.filter { name in ["AWS_", "AZURE_", "GOOGLE_"].contains { name.hasPrefix($0) } }
        if let other = others.min() {
          throw VariablesFile.InvalidLine(
            line: nil, reason: "\(other) is read only from the environment: set it there")
        }
        return (path, values)
      } catch {
        let place = error.line.map { "\(path):\($0)" } ?? path
        throw ConfigurationError(name, at: "environment", "\(place): \(error.reason)")
      }
    }

    // MARK: Proxy

    /// The variables that imgproxy, as a program in Go, reads for its proxies.
    static let proxyVariables = [
      "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy",
    ]

    /// Returns the proxy for sources of both schemes; `nil` if there is none.
    private static func proxy(
      _ environment: [String: String]
    ) throws(ConfigurationError) -> SettingSource.Value? {
      let names = proxyVariables.filter { environment[$0]?.isEmpty == false }
      func value(_ upper: String) -> String? {
        names.first { $0.uppercased() == upper }.flatMap { environment[$0] }
      }
      let (plain, secure) = (value("HTTP_PROXY"), value("HTTPS_PROXY"))
      guard let proxy = plain ?? secure, let name = names.first else { return nil }
      guard plain == secure, value("NO_PROXY") == nil else {
        throw ConfigurationError(
          name, at: "environment",
          "nuke serve has one proxy for all sources: set HTTP_PROXY and HTTPS_PROXY to the same one, and no NO_PROXY, "
            + "or set NUKE_PROXY")
      }
      return SettingSource.Value(texts: [normalized(proxy)], origin: name)
    }

    /// Returns the URL of a proxy as our setting expects it. In Go, scheme and port are optional, and `socks5` leaves
    /// names to the proxy.
    private static func normalized(_ proxy: String) -> String {
      let text = proxy.contains("://") ? proxy : "http://" + proxy
      guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else { return text }
      parts.scheme = scheme == "socks5" ? "socks5h" : scheme
      if parts.port == nil { parts.port = ["http": 80, "https": 443, "socks5": 1080, "socks5h": 1080][scheme] }
      return parts.string ?? text
    }

    // MARK: Rules

    /// Returns the rule for a variable, without `IMGPROXY_` before its name; `nil` if the server has no such setting.
    ///
    /// - Parameter environment: all variables, since some change the meaning of others.
    private static func rule(for name: String, in environment: [String: String]) -> Rule? {
      switch name {
      case "BIND" where environment["IMGPROXY_NETWORK"] == "unix": same("socket")
      case "PNG_QUANTIZE":
        { (text) throws(InvalidValue) in
          let colors = environment["IMGPROXY_PNG_QUANTIZATION_COLORS"].flatMap(Int.init) ?? 256
          return try SettingText.flag(text) ? [("png-colors", [String(min(max(colors, 2), 256))])] : []
        }
      case "NETWORK" where environment["IMGPROXY_BIND"] == nil:
        { (text) throws(InvalidValue) in
          guard text != "unix" else { throw InvalidValue("IMGPROXY_BIND is not set: it is the path of the socket") }
          return try rules["NETWORK"]?(text) ?? []
        }
      default: rules[name]
      }
    }

    static let rules: [String: Rule] = [
      // Server
      "BIND": { (text) throws(InvalidValue) in try address(text, host: "host", port: "port") },
      "NETWORK": { (text) throws(InvalidValue) in
        guard ["tcp", "unix"].contains(text) else {
          throw InvalidValue("nuke serve does not support \(text.debugDescription); it supports tcp and unix")
        }
        return []
      },
      "ENV_LOCAL_FILE_PATH": ignored,
      "TIMEOUT": same("request-timeout"),
      "GRACEFUL_STOP_TIMEOUT": same("grace-period"),
      "DOWNLOAD_TIMEOUT": same("source-timeout"),
      "WORKERS": same("workers"),
      "REQUESTS_QUEUE_SIZE": unlessZero("queue-length"),
      "MAX_CLIENTS": unlessZero("max-connections"),
      "TTL": same("ttl"),
      "CACHE_CONTROL_PASSTHROUGH": flag("source-freshness"),
      "SET_CANONICAL_HEADER": only("false"),
      "PATH_PREFIX": same("path-prefix"),
      // The fields are always sent, and a client can ignore them.
      "USE_ETAG": eitherFlag,
      "USE_LAST_MODIFIED": eitherFlag,
      "HEALTH_CHECK_PATH": same("health-path"),
      "ETAG_BUSTER": same("etag-suffix"),
      "DEVELOPMENT_ERRORS_MODE": only("false"),
      "RETURN_ATTACHMENT": flag("return-attachment"),
      "ALLOW_ORIGIN": same("cors-origins"),
      "CACHE_TAGS_FORMAT": only("all"),
      "ENABLE_DEBUG_HEADERS": flag("debug-headers"),
      // Without an effect on responses
      "KEEP_ALIVE_TIMEOUT": ignored, "CLIENT_KEEP_ALIVE_TIMEOUT": ignored, "READ_REQUEST_TIMEOUT": ignored,
      "WRITE_RESPONSE_TIMEOUT": ignored, "SO_REUSEPORT": ignored, "DOWNLOAD_BUFFER_SIZE": ignored,
      "FREE_MEMORY_INTERVAL": ignored, "BUFFER_POOL_CALIBRATION_THRESHOLD": ignored, "MALLOC": ignored,
      "FAIL_ON_DEPRECATION": ignored, "REPORT_DOWNLOADING_ERRORS": ignored, "LOG_MEM_STATS": ignored,
      "SERVER_NAME": ignored, "REPORT_IO_ERRORS": ignored,
      "VIPS_LEAK_CHECK": ignored, "VIPS_CACHE_TRACE": ignored,
      // Security
      "KEY": list("keys"),
      "SALT": list("salts"),
      "SIGNATURE_SIZE": same("signature-size"),
      "SOURCE_URL_ENCRYPTION_KEY": same("source-url-encryption-key"),
      "SECRET": same("bearer-token"),
      "TRUSTED_SIGNATURES": list("trusted-signatures"),
      "MAX_SRC_RESOLUTION": { (text) throws(InvalidValue) in [("max-source-pixels", [try pixels(text)])] },
      "MAX_SRC_FILE_SIZE": unlessZero("max-source-bytes"),
      "MAX_ANIMATION_FRAMES": same("max-animation-frames"),
      "MAX_ANIMATION_FRAME_RESOLUTION": { (text) throws(InvalidValue) in
        Double(text) == 0 ? [] : [("max-frame-pixels", [try pixels(text)])]
      },
      "MAX_RESULT_DIMENSION": unlessZero("max-result-side"),
      "MAX_REDIRECTS": same("max-redirects"),
      "ALLOWED_PROCESSING_OPTIONS": list("allowed-options"),
      "ALLOWED_SOURCES": list("allowed-sources"),
      "ALLOW_LOOPBACK_SOURCE_ADDRESSES": networks("127.0.0.0/8", "::1/128"),
      "ALLOW_LINK_LOCAL_SOURCE_ADDRESSES": networks("169.254.0.0/16", "fe80::/10"),
      "ALLOW_PRIVATE_SOURCE_ADDRESSES": networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
      "ALLOW_SECURITY_OPTIONS": ignored,
      "PNG_UNLIMITED": only("false"), "SVG_UNLIMITED": only("false"), "TIFF_UNLIMITED": only("false"),
      "SANITIZE_SVG": only("true"),
      "IGNORE_SSL_VERIFICATION": only("false"),
      "REQUEST_HEADERS_PASSTHROUGH": list("request-headers-passthrough"),
      "COOKIE_PASSTHROUGH": { (text) throws(InvalidValue) in
        [("cookie-passthrough", try SettingText.flag(text) ? ["*"] : [])]
      },
      "COOKIE_BASE_URL": same("cookie-base-url"),
      "COOKIE_PASSTHROUGH_ALL": only("false"),
      // Images
      "QUALITY": same("quality"),
      "FORMAT_QUALITY": list("format-quality"),
      "JPEG_PROGRESSIVE": flag("progressive-jpeg"),
      "PNG_INTERLACED": only("false"),
      // Enables the colors of the next one; see above.
      "PNG_QUANTIZE": eitherFlag,
      "PNG_QUANTIZATION_COLORS": { (text) throws(InvalidValue) in
        _ = try SettingText.integer(text, in: 2...256)
        return []
      },
      "WEBP_EFFORT": effort("webp", 0...6) { Double($0) / 6 },
      "WEBP_PRESET": only("default"),
      "AVIF_SPEED": effort("avif", 0...10) { 1 - Double($0) / 10 },
      "JXL_EFFORT": effort("jxl", 1...9) { Double($0 - 1) / 8 },
      "AUTO_WEBP": format("webp"), "ENABLE_WEBP_DETECTION": format("webp"),
      "ENFORCE_WEBP": format("webp", isEnforced: true),
      "AUTO_AVIF": format("avif"), "ENABLE_AVIF_DETECTION": format("avif"),
      "ENFORCE_AVIF": format("avif", isEnforced: true),
      "AUTO_JXL": format("jxl"), "ENFORCE_JXL": format("jxl", isEnforced: true),
      "PREFERRED_FORMATS": list("preferred-formats"),
      "SKIP_PROCESSING_FORMATS": list("skip-processing-formats"),
      "PRESERVE_HDR": only("false"),
      "USE_LINEAR_COLORSPACE": only("false"),
      "DISABLE_SHRINK_ON_LOAD": only("false"),
      "STRIP_METADATA": flag("strip-metadata"),
      "KEEP_COPYRIGHT": flag("keep-copyright"),
      "STRIP_COLOR_PROFILE": ignored,
      "AUTO_ROTATE": flag("auto-rotate"),
      "ALWAYS_RASTERIZE_SVG": only("true"),
      "ENABLE_CLIENT_HINTS": flag("client-hints"),
      "ENFORCE_THUMBNAIL": flag("enforce-thumbnail"),
      "WATERMARK_DATA": same("watermark-data"),
      "WATERMARK_PATH": same("watermark"),
      "WATERMARK_URL": same("watermark"),
      "WATERMARK_PREPROCESS_URL": only("false"),
      "WATERMARKS_CACHE_SIZE": ignored,
      "WATERMARK_OPACITY": { (text) throws(InvalidValue) in
        guard let opacity = Double(text), (0...1).contains(opacity) else {
          throw InvalidValue("\(text.debugDescription) is not a number from 0 to 1")
        }
        return [("watermark-opacity", [String(Int((opacity * 100).rounded()))])]
      },
      "FALLBACK_IMAGE_DATA": same("fallback-image-data"),
      "FALLBACK_IMAGE_PATH": same("fallback-image"),
      "FALLBACK_IMAGE_URL": same("fallback-image"),
      "FALLBACK_IMAGE_HTTP_CODE": same("fallback-status"),
      "FALLBACK_IMAGE_TTL": unlessZero("fallback-ttl"),
      "PRESETS": list("presets"),
      "PRESETS_PATH": same("preset-file"),
      "ONLY_PRESETS": flag("only-presets"),
      "PRESETS_SEPARATOR": only(","),
      "ARGUMENTS_SEPARATOR": only(":"),
      // Sources
      "BASE_URL": same("base-url"),
      "USER_AGENT": { (text) throws(InvalidValue) in
        [("user-agent", [text.replacing("%current_version", with: PackageVersion.current)])]
      },
      "URL_REPLACEMENTS": list("url-replacements", separator: ";"),
      "BASE64_URL_INCLUDES_FILENAME": flag("base64-filenames"),
      "LOCAL_FILESYSTEM_ROOT": same("local-roots"),
      "SOURCE_URL_QUERY_SEPARATOR": same("source-query-separator"),
      "USE_S3": role("s3-credentials"),
      "S3_REGION": same("s3-region"),
      "S3_ENDPOINT": same("s3-endpoint"),
      "S3_ENDPOINT_USE_PATH_STYLE": only("true"),
      "S3_USE_DECRYPTION_CLIENT": only("false"),
      "S3_ASSUME_ROLE_ARN": same("s3-assume-role"),
      "S3_ASSUME_ROLE_EXTERNAL_ID": same("s3-assume-role-external-id"),
      "S3_ALLOWED_BUCKETS": list("s3-allowed-buckets"),
      "S3_DENIED_BUCKETS": list("s3-denied-buckets"),
      "USE_GCS": role("gcs-credentials"),
      "GCS_KEY": same("gcs-key"),
      // Google's library for Go loads objects from the host alone.
      "GCS_ENDPOINT": { (text) throws(InvalidValue) in
        var url = text
        for ending in ["/", "/storage/v1"] where url.hasSuffix(ending) { url.removeLast(ending.count) }
        return [("gcs-endpoint", [url])]
      },
      "GCS_ALLOWED_BUCKETS": list("gcs-allowed-buckets"),
      "GCS_DENIED_BUCKETS": list("gcs-denied-buckets"),
      "USE_ABS": role("abs-credentials"),
      "ABS_NAME": same("abs-name"),
      "ABS_KEY": same("abs-key"),
      "ABS_ENDPOINT": same("abs-endpoint"),
      "ABS_ALLOWED_BUCKETS": list("abs-allowed-containers"),
      "ABS_DENIED_BUCKETS": list("abs-denied-containers"),
      "USE_SWIFT": only("false"),
      // Operation
      "PROMETHEUS_BIND": { (text) throws(InvalidValue) in
        try address(text, host: "operation-host", port: "operation-port")
      },
      "PROMETHEUS_NAMESPACE": { (text) throws(InvalidValue) in [("metrics-prefix", [text + "_"])] },
      "DATADOG_ENABLE": only("false"), "DATADOG_ENABLE_ADDITIONAL_METRICS": only("false"),
      "DATADOG_PROPAGATE_EXTERNAL": only("false"), "NEW_RELIC_PROPAGATE_EXTERNAL": only("false"),
      // They decide which of OpenTelemetry's own variables are read.
      "OPEN_TELEMETRY_ENABLE": eitherFlag, "OPEN_TELEMETRY_ENABLE_METRICS": eitherFlag,
      "OPEN_TELEMETRY_ENABLE_LOGS": only("false"),
      "OPEN_TELEMETRY_PROPAGATE_EXTERNAL": flag("trace-propagation"),
      "OPEN_TELEMETRY_TRACE_ID_GENERATOR": only("random"),
      "SYSLOG_ENABLE": only("false"),
      "LOG_LEVEL": { (text) throws(InvalidValue) in [("log-level", [text == "warn" ? "warning" : text])] },
      "LOG_FORMAT": { (text) throws(InvalidValue) in
        guard let format = ["pretty": "text", "structured": "text", "json": "json"][text] else {
          throw InvalidValue("\(text.debugDescription) is not one of pretty, structured, json")
        }
        return [("log-format", [format])]
      },
    ]

    /// The value is that of a setting.
    private static func same(_ setting: String) -> Rule {
      { (text) throws(InvalidValue) in [(setting, [text])] }
    }

    private static func flag(_ setting: String) -> Rule {
      { (text) throws(InvalidValue) in [(setting, [try SettingText.flag(text) ? "true" : "false"])] }
    }

    /// Enables a store with the credentials of the machine.
    private static func role(_ setting: String) -> Rule {
      { (text) throws(InvalidValue) in try SettingText.flag(text) ? [(setting, ["role"])] : [] }
    }

    private static func list(_ setting: String, separator: Character = ",") -> Rule {
      { (text) throws(InvalidValue) in
        [(setting, text.split(separator: separator).map { $0.trimmingCharacters(in: .whitespaces) })]
      }
    }

    /// The value is that of a setting. 0 means no limit in imgproxy; the default of the server applies then.
    private static func unlessZero(_ setting: String) -> Rule {
      { (text) throws(InvalidValue) in text == "0" ? [] : [(setting, [text])] }
    }

    /// Accepts only `value`, which is what the server always does, and sets nothing.
    private static func only(_ value: String) -> Rule {
      { (text) throws(InvalidValue) in
        guard text.lowercased() == value || ["true": "1", "false": "0"][value] == text else {
          throw InvalidValue(
            "nuke serve does not support \(text.debugDescription); the only supported value is \(value)")
        }
        return []
      }
    }

    /// The variable is accepted and has no effect on responses.
    private static let ignored: Rule = { (_) throws(InvalidValue) in [] }

    /// Either value is accepted, and sets nothing.
    private static let eitherFlag: Rule = { (text) throws(InvalidValue) in
      _ = try SettingText.flag(text)
      return []
    }

    private static func networks(_ networks: String...) -> Rule {
      { (text) throws(InvalidValue) in try SettingText.flag(text) ? [("allow-private-addresses", networks)] : [] }
    }

    /// - Parameter isEnforced: `true` if clients that accept the format receive no other one.
    private static func format(_ format: String, isEnforced: Bool = false) -> Rule {
      { (text) throws(InvalidValue) in
        guard try SettingText.flag(text) else { return [] }
        return [("formats", [format])] + (isEnforced ? [("enforced-formats", [format])] : [])
      }
    }

    /// - Parameter share: returns the effort from 0 to 1.
    private static func effort(
      _ format: String, _ range: ClosedRange<Int>, _ share: @escaping @Sendable (Int) -> Double
    ) -> Rule {
      { (text) throws(InvalidValue) in
        let effort = share(try SettingText.integer(text, in: range))
        return [("format-effort", ["\(format)=\(Int((effort * 100).rounded()))"])]
      }
    }

    private static func pixels(_ text: String) throws(InvalidValue) -> String {
      guard let megapixels = Double(text), megapixels > 0, megapixels < 1e9 else {
        throw InvalidValue("\(text.debugDescription) is not a number of megapixels")
      }
      return String(Int(megapixels * 1_000_000))
    }

    /// Splits an address of Go's: `host:port`, or only `:port`. An address of IPv6 is in brackets.
    private static func address(_ text: String, host: String, port: String) throws(InvalidValue) -> Settings {
      guard let colon = text.lastIndex(of: ":"), text.hasPrefix("[") || text.firstIndex(of: ":") == colon else {
        throw InvalidValue("\(text.debugDescription) is not an address, such as :8080, 127.0.0.1:8080 or [::1]:8080")
      }
      let name = text[..<colon].trimmingCharacters(in: ["[", "]"])
      return [(host, [name.isEmpty ? everyHost : name]), (port, [String(text[text.index(after: colon)...])])]
    }
  }
#endif
