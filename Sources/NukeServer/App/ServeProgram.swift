#if Server
  import CoreMetrics
  import Dispatch
  import Foundation
  import Logging
  import NukeBase
  import NukeCodecs
  import NukeSandbox
  import ServiceLifecycle

  /// The `nuke serve` command: reads its settings, runs the server, and returns an exit code.
  package struct ServeProgram: Sendable {
    private let arguments: [String]
    private let environment: [String: String]
    private let samples: @Sendable () throws(ConfigurationError) -> String
    private let print: @Sendable (String) -> Void
    private let printError: @Sendable (String) -> Void

    /// - Parameters:
    ///   - arguments: the arguments after the command's name.
    ///   - samples: the folder of the sample images.
    ///   - print: writes a line to standard output.
    ///   - printError: writes an error message.
    package init(
      arguments: [String], environment: [String: String],
      samples: @escaping @Sendable () throws(ConfigurationError) -> String,
      print: @escaping @Sendable (String) -> Void, printError: @escaping @Sendable (String) -> Void
    ) {
      self.arguments = arguments
      self.environment = environment
      self.samples = samples
      self.print = print
      self.printError = printError
    }

    /// Runs the server until a signal ends it.
    ///
    /// - Returns: the exit code: 0, 2 for invalid settings, or 1 if the server could not run. A second signal ends the
    ///   process at once, with the exit code 128 plus the signal's number.
    package func run() async -> Int32 {
      do {
        let flags = try ServeFlags(arguments)
        if flags.wantsHelp {
          print(ServeFlags.help)
          return 0
        }
        let loaded = try loaded(flags)
        if flags.printsConfiguration {
          print(loaded.text(onlyDifferences: flags.printsDifferences))
          return 0
        }
        return try await serve(loaded) { () throws(ConfigurationError) in try self.loaded(flags) }
      } catch let error as ConfigurationError {
        for error in error.all { printError(error.description) }
        return 2
      } catch {
        printError("\(error)")
        return 1
      }
    }

    private func loaded(_ flags: ServeFlags) throws(ConfigurationError) -> LoadedConfiguration {
      try LoadedConfiguration(flags: flags, environment: environment, samples: samples) {
        try Data(contentsOf: URL(fileURLWithPath: $0))
      }
    }

    /// Uses the sandbox by default, if the kernel supports it.
    private static func withSandbox(_ configuration: ImageServer.Configuration) -> ImageServer.Configuration {
      var configuration = configuration
      if configuration.isSandboxed == nil { configuration.isSandboxed = RenderSandbox.isSupported ? true : nil }
      return configuration
    }

    /// - Parameter reloaded: returns the settings as the files are now.
    private func serve(
      _ loaded: LoadedConfiguration,
      reloaded: @escaping @Sendable () throws(ConfigurationError) -> LoadedConfiguration
    ) async throws -> Int32 {
      HeapLimits.apply()
      let configuration = Self.withSandbox(loaded.configuration)
      let logger = Logger(label: "nuke.serve") {
        ServerLogHandler(label: $0, format: configuration.logFormat, level: configuration.logLevel)
      }
      // A client that disconnects is detected when writing fails. The signal would end the process.
      signal(SIGPIPE, SIG_IGN)
      let registry = PrometheusRegistry()
      MetricsSystem.bootstrap(registry)
      if configuration.isSandboxed == nil {
        logger.warning("the kernel does not filter system calls: images are rendered without the sandbox")
      }
      for format in ImageFormat.readable {
        if let failure = format.libraryFailure { logger.warning("\(format.displayName) is not available: \(failure)") }
      }
      let server = try loaded.locating { () throws(ConfigurationError) in
        try ImageServer(configuration, metrics: registry, logger: logger)
      }
      if configuration.rejectsAllURLs {
        logger.warning("no image can be requested: set keys and salts, or --allow-unsigned to serve unsigned URLs")
      }
      var quiet = logger
      quiet.logLevel = max(logger.logLevel, .notice)
      let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: quiet))
      let signals = ShutdownSignals {
        Task {
          await server.drain()
          await group.triggerGracefulShutdown()
        }
      } second: { number in
        _exit(128 + number)
      }
      let hangUps = DispatchSource.handling(SIGHUP, on: DispatchQueue(label: "nuke.serve.reload")) {
        do throws(ConfigurationError) {
          let next = try reloaded()
          try next.locating { () throws(ConfigurationError) in
            try server.reload(Self.withSandbox(next.configuration))
          }
        } catch {
          for error in error.all { logger.error("not reloaded: \(error.description)") }
        }
      }
      do {
        try await group.run()
      } catch let error as ConfigurationError {
        // The certificate is read when the server begins to listen.
        throw loaded.located(error)
      }
      withExtendedLifetime(signals) {}
      hangUps.cancel()
      logger.info("ended")
      return 0
    }
  }
#endif
