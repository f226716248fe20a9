#if Command && Server
  import ArgumentParser
  import Foundation
  import NukeServer
  import NukeServing

  /// The configuration of a server, for commands that work with it: that of the arguments and the environment, or else
  /// that of the systemd unit on this machine. Invalid settings end the command with a line on standard error, as they end
  /// `nuke serve`.
  struct ServerConfiguration {
    private let loaded: LoadedConfiguration

    var configuration: ImageServer.Configuration { loaded.configuration }

    /// - Parameters:
    ///   - settings: the settings of the server, as flags.
    ///   - needsKeys: `true` if the command signs images.
    /// - Throws: `ExitCode` for invalid settings.
    init(_ settings: [String], needsKeys: Bool = false) throws {
      loaded = try Self.reporting { () throws(ConfigurationError) in
        try LoadedConfiguration.ofServer(
          settings, environment: ProcessInfo.processInfo.environment, needsKeys: needsKeys, note: { Self.report($0) },
          readFile: { try Data(contentsOf: URL(fileURLWithPath: $0)) })
      }
    }

    /// Settings that only name a configuration file.
    init(file: String?, needsKeys: Bool) throws {
      try self.init(file.map { ["--config", $0] } ?? [], needsKeys: needsKeys)
    }

    /// The check of the server's health.
    ///
    /// - Throws: `ExitCode` for settings without one.
    var healthCheck: HealthCheck {
      get throws { try using { (configuration) throws(ConfigurationError) in try HealthCheck(configuration) } }
    }

    /// - Parameter subject: what the signed paths request.
    /// - Throws: `ExitCode` for invalid settings, and if there are no keys.
    func signer(for subject: URLSigner.Subject) throws -> ConfiguredSigner {
      try using { (configuration) throws(ConfigurationError) in try ConfiguredSigner(configuration, for: subject) }
    }

    private func using<Value>(
      _ body: (ImageServer.Configuration) throws(ConfigurationError) -> Value
    ) throws -> Value {
      try Self.reporting { () throws(ConfigurationError) in
        try loaded.locating { () throws(ConfigurationError) in try body(loaded.configuration) }
      }
    }

    private static func reporting<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
      do throws(ConfigurationError) {
        return try body()
      } catch {
        for error in error.all { report("Error: \(error.description)") }
        throw ExitCode(2)
      }
    }

    private static func report(_ text: String) {
      try? FileHandle.standardError.write(contentsOf: Data((text.onOneLine + "\n").utf8))
    }
  }
#endif
