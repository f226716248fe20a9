#if Server
  import Configuration
  package import Foundation
  import NukeCodecs

  /// A configuration, and the origin of each of its values.
  package struct LoadedConfiguration: Sendable {
    package var configuration: ImageServer.Configuration
    /// The origins by the settings' names. Settings with default values are missing.
    package var origins: [String: String] = [:]

    /// Reads the flags, the environment and a file. Flags take precedence over the environment, and the environment
    /// over the file.
    ///
    /// - Parameters:
    ///   - flags: the arguments after the command's name.
    ///   - environment: the environment. Variables that begin with `NUKE_` are read.
    ///   - environmentFile: the file that the environment is from, for errors; `nil` for that of this process.
    ///   - samples: returns the folder of the sample images. Called only for the demo.
    ///   - readFile: returns the contents of a file.
    package init(
      flags: ServeFlags, environment: [String: String], environmentFile: String? = nil,
      samples: () throws(ConfigurationError) -> String, readFile: (String) throws -> Data
    ) throws(ConfigurationError) {
      var errors = ConfigurationErrors()
      var sources = [flags.source, .environment(environment, of: environmentFile, &errors, read: readFile)]
      if let path = flags.file ?? environment["NUKE_CONFIG"] {
        let origin = flags.file == nil ? "NUKE_CONFIG" : "--config"
        if let source = SettingSource.file(path, origin: origin, &errors, read: readFile) { sources.append(source) }
      }
      // The settings of the demo are defaults that all other sources override.
      var start = ImageServer.Configuration()
      for setting in [ServerSetting.named("demo")!, ServerSetting.named("imgproxy-environment")!] {
        // Errors are collected below.
        _ = try? Self.apply(setting, from: sources, to: &start)
      }
      if start.usesImgproxyEnvironment {
        func isSet(_ name: String, in sources: some Sequence<SettingSource>) -> Bool {
          sources.contains { (try? $0.value(of: ServerSetting.named(name)!)) != nil }
        }
        let imgproxy = ImgproxyEnvironment.sources(
          environment, ignoresProxies: isSet("proxy", in: sources.prefix(2)), isSet: { isSet($0, in: sources) },
          read: readFile, &errors)
        // The variables are after flags and our own variables, and before the file. The defaults are after the file.
        sources.insert(imgproxy.variables, at: 2)
        sources.append(imgproxy.defaults)
      }
      if start.isDemo {
        start = .demo(samples: try samples())
        for setting in ServerSetting.all where setting.get(start) != setting.get(ImageServer.Configuration()) {
          origins[setting.name] = "demo"
        }
      }
      for setting in ServerSetting.all {
        let origin = errors.collect { () throws(ConfigurationError) in
          try Self.apply(setting, from: sources, to: &start)
        }
        if let origin = origin ?? nil { origins[setting.name] = origin }
      }
      configuration = start
      try errors.check()
      try check()
    }

    /// Returns the error with the origin of its setting, unless it has an origin of its own.
    package func located(_ error: ConfigurationError) -> ConfigurationError {
      error.origin == error.setting ? refuse(error.setting, error.reason) : error
    }

    /// Returns the result of `body`, which uses the configuration, and adds the origin of the setting to its error.
    package func locating<Value>(
      _ body: () throws(ConfigurationError) -> Value
    ) throws(ConfigurationError) -> Value {
      do throws(ConfigurationError) {
        return try body()
      } catch {
        throw located(error)
      }
    }

    /// Applies the value of a setting from the first source that has one.
    ///
    /// - Returns: the origin of the value; `nil` if no source has one.
    private static func apply(
      _ setting: ServerSetting, from sources: [SettingSource], to configuration: inout ImageServer.Configuration
    ) throws(ConfigurationError) -> String? {
      for source in sources {
        guard let value = try source.value(of: setting) else { continue }
        do throws(InvalidValue) {
          try setting.set(&configuration, value.texts)
        } catch {
          throw ConfigurationError(setting.name, at: value.origin, error.reason)
        }
        return value.origin
      }
      return nil
    }

    /// Checks settings that depend on each other.
    private func check() throws(ConfigurationError) {
      var errors = ConfigurationErrors()
      let checks: [() throws(ConfigurationError) -> Void] = [
        checkKeys, checkListening, checkSources, checkFormats, checkBuckets, checkRedis,
      ]
      for check in checks { _ = errors.collect(check) }
      try errors.check()
    }

    private func checkKeys() throws(ConfigurationError) {
      try requireSalts("salts", for: configuration.keys, configuration.salts)
      try requireSalts("purge-salts", for: configuration.purgeKeys, configuration.purgeSalts)
      if !Set(configuration.purgeKeys).isDisjoint(with: configuration.keys) {
        throw refuse("purge-keys", "one of them is also in keys: everyone who can sign images could purge them")
      }
    }

    private func checkListening() throws(ConfigurationError) {
      try requireBoth(("tls-certificate", configuration.tlsCertificate), ("tls-key", configuration.tlsKey), for: "TLS")
      if configuration.isHTTP2Enabled, configuration.tlsCertificate == nil {
        throw refuse("http2", "HTTP/2 needs TLS: set tls-certificate and tls-key")
      }
      if configuration.isHTTP2Enabled, configuration.socket != nil {
        throw refuse("http2", "HTTP/2 is not supported on a Unix socket")
      }
      if configuration.isDemo, !configuration.isLoopbackOnly {
        throw refuse("host", "the demo serves without signatures, so it listens only on 127.0.0.1, ::1 or localhost")
      }
      if configuration.servesPlayground, configuration.bearerToken != nil {
        throw refuse("bearer-token", "the page of the playground cannot send it: remove playground or demo")
      }
      if let path = configuration.healthPath, ["", "/ready", "/metrics", "/_playground"].contains(path) {
        throw refuse("health-path", "the server has another page at \(path.isEmpty ? "/" : path)")
      }
    }

    private func checkSources() throws(ConfigurationError) {
      if !configuration.passedCookies.isEmpty, configuration.cookieBaseURL == nil {
        throw refuse("cookie-passthrough", "cookie-base-url is not set: it says which sources receive cookies")
      }
      if let port = configuration.operationPort, port == configuration.port, port != 0, configuration.socket == nil,
        configuration.operationHost == configuration.host
      {
        throw refuse("operation-port", "the port \(port) is also that of images: set another one")
      }
    }

    private func checkFormats() throws(ConfigurationError) {
      if configuration.preferredFormats.isEmpty {
        throw refuse("preferred-formats", "it is empty: the default is jpeg,png,gif")
      }
      if configuration.skippedFormats.contains(.svg), !configuration.sendsSVG {
        throw refuse("skip-processing-formats", "SVG can contain scripts, so it is sent only with send-svg")
      }
    }

    private func checkBuckets() throws(ConfigurationError) {
      try requireBoth(
        ("s3-access-key", configuration.s3AccessKey), ("s3-secret-key", configuration.s3SecretKey), for: "the store")
      try requireBoth(
        ("s3-cache-access-key", configuration.s3CacheAccessKey),
        ("s3-cache-secret-key", configuration.s3CacheSecretKey), for: "the store")
      let hasRole = configuration.s3Credentials == .role
      if hasRole, configuration.s3AccessKey != nil {
        throw refuse("s3-credentials", "s3-access-key is also set: remove it, or use fixed credentials")
      }
      if configuration.s3Cache != nil, configuration.s3AccessKey == nil, configuration.s3CacheAccessKey == nil, !hasRole
      {
        throw refuse("s3-cache", "the store needs s3-access-key and s3-secret-key, or a role: --s3-credentials role")
      }
      if configuration.s3AssumedRole != nil, configuration.s3AccessKey == nil, !hasRole {
        throw refuse(
          "s3-assume-role",
          "the role is assumed by s3-access-key and s3-secret-key, or by a role: --s3-credentials role")
      }
      if configuration.s3ExternalID != nil, configuration.s3AssumedRole == nil {
        throw refuse("s3-assume-role-external-id", "s3-assume-role is not set")
      }
      try checkKey("gcs", configuration.gcsKey, configuration.gcsCredentials)
      try checkKey("abs", configuration.absKey, configuration.absCredentials)
      if configuration.absName == nil {
        if configuration.absKey != nil { throw refuse("abs-key", "abs-name is not set: it is the name of the account") }
        if configuration.absCredentials == .role, configuration.absEndpoint == nil {
          throw refuse("abs-credentials", "abs-name is not set: it is the name of the account")
        }
      }
    }

    private func checkKey(
      _ store: String, _ key: String?, _ origin: ImageServer.Configuration.S3CredentialsOrigin
    ) throws(ConfigurationError) {
      guard origin == .role, key != nil else { return }
      throw refuse("\(store)-credentials", "\(store)-key is also set: remove it, or use fixed credentials")
    }

    private func checkRedis() throws(ConfigurationError) {
      if configuration.requiresRedis, configuration.redisURL == nil {
        throw refuse("require-redis", "redis-url is not set: set it, or remove require-redis")
      }
      try requireBoth(
        ("redis-certificate", configuration.redisCertificate), ("redis-key", configuration.redisKey),
        for: "a client certificate")
      let usesTLS = configuration.redisURL?.lowercased().hasPrefix("rediss") ?? false
      for (name, file) in [("redis-ca", configuration.redisCA), ("redis-key", configuration.redisKey)]
      where file != nil && !usesTLS {
        throw refuse(name, "redis-url does not use TLS: use a URL with rediss:// or rediss+sentinel://")
      }
      #if !Redis
        if configuration.redisURL != nil {
          throw refuse("redis-url", "this build has no Redis: build it with the traits Server and Redis")
        }
      #endif
    }

    private func requireSalts(_ name: String, for keys: [Data], _ salts: [Data]) throws(ConfigurationError) {
      guard keys.count != salts.count else { return }
      // The setting that has an origin.
      let keysName = name.replacing("salts", with: "keys")
      throw refuse(
        salts.isEmpty ? keysName : name,
        "each key needs a salt, but the numbers of keys and salts are \(keys.count) and \(salts.count): set "
          + "\(keysName) and \(name) to as many values, in the same order")
    }

    /// Throws if one of two settings is set without the other.
    private func requireBoth(
      _ one: (name: String, value: String?), _ other: (name: String, value: String?), for purpose: String
    ) throws(ConfigurationError) {
      guard (one.value == nil) != (other.value == nil) else { return }
      throw refuse(
        other.value == nil ? one.name : other.name, "\(purpose) needs both \(one.name) and \(other.name)")
    }

    private func refuse(_ name: String, _ reason: String) -> ConfigurationError {
      ConfigurationError(name, at: origins[name], reason)
    }
  }
#endif
