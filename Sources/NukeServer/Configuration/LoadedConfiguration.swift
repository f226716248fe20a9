#if Server
  import Configuration
  package import Foundation

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
    ///   - samples: returns the folder of the sample images. Called only for the demo.
    ///   - readFile: returns the contents of a file.
    package init(
      flags: ServeFlags, environment: [String: String], samples: () throws(ConfigurationError) -> String,
      readFile: (String) throws -> Data
    ) throws(ConfigurationError) {
      var sources: [SettingSource] = [flags.source, try .environment(environment)]
      if let path = flags.file ?? environment["NUKE_CONFIG"] {
        let origin = flags.file == nil ? "NUKE_CONFIG" : "--config"
        sources.append(try .file(path, origin: origin, read: readFile))
      }
      // The settings of the demo are defaults that all other sources override.
      var start = ImageServer.Configuration()
      let demo = ServerSetting.named("demo")!
      for source in sources {
        if let value = try source.value(of: demo) {
          try Self.apply(demo, value, to: &start)
          break
        }
      }
      if start.isDemo {
        start = .demo(samples: try samples())
        for setting in ServerSetting.all where setting.get(start) != setting.get(ImageServer.Configuration()) {
          origins[setting.name] = "demo"
        }
      }
      configuration = start
      for setting in ServerSetting.all {
        for source in sources {
          guard let value = try source.value(of: setting) else { continue }
          try Self.apply(setting, value, to: &configuration)
          origins[setting.name] = value.origin
          break
        }
      }
      try check()
    }

    private static func apply(
      _ setting: ServerSetting, _ value: SettingSource.Value, to configuration: inout ImageServer.Configuration
    ) throws(ConfigurationError) {
      do {
        try setting.set(&configuration, value.texts)
      } catch {
        throw ConfigurationError(setting.name, at: value.origin, error.reason)
      }
    }

    /// Checks settings that depend on each other.
    private func check() throws(ConfigurationError) {
      func refuse(_ name: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(name, at: origins[name] ?? "default", reason)
      }
      if configuration.keys.count != configuration.salts.count {
        throw refuse(
          "salts", "there are \(configuration.keys.count) keys and \(configuration.salts.count) salts: they go in pairs"
        )
      }
      if (configuration.tlsCertificate == nil) != (configuration.tlsKey == nil) {
        throw refuse(
          configuration.tlsKey == nil ? "tls-certificate" : "tls-key",
          "TLS takes both, tls-certificate and tls-key")
      }
      if configuration.isHTTP2Enabled, configuration.tlsCertificate == nil {
        throw refuse("http2", "clients agree on HTTP/2 by TLS: set tls-certificate and tls-key")
      }
      if configuration.isHTTP2Enabled, configuration.socket != nil {
        throw refuse("http2", "there is no HTTP/2 on a socket")
      }
      if configuration.isDemo, !configuration.isLoopbackOnly {
        throw refuse("host", "the demo serves without signatures, so it listens on 127.0.0.1, ::1 or localhost alone")
      }
      if (configuration.s3AccessKey == nil) != (configuration.s3SecretKey == nil) {
        throw refuse(
          configuration.s3SecretKey == nil ? "s3-access-key" : "s3-secret-key",
          "the store takes both, s3-access-key and s3-secret-key")
      }
      if configuration.s3Cache != nil, configuration.s3AccessKey == nil {
        throw refuse("s3-cache", "the store takes s3-access-key and s3-secret-key")
      }
      if configuration.requiresRedis, configuration.redisURL == nil {
        throw refuse("require-redis", "there is no redis-url")
      }
      #if !Redis
        if configuration.redisURL != nil {
          throw refuse("redis-url", "this build has no Redis: build it with --traits Server,Redis")
        }
      #endif
    }
  }
#endif
