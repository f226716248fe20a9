#if Command && Server
  import ArgumentParser
  import Foundation
  import NukeServer
  import NukeServing

  /// `nuke health`: asks a server whether it is ready.
  struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "health", abstract: "Ask a server on this machine whether it is ready.",
      usage: "nuke health [--config FILE] [SETTINGS]",
      discussion: """
        Takes the settings of "nuke serve", also from NUKE_… variables and the configuration file, and asks the server \
        that runs with them for /ready: on its operation port if it has one, and otherwise on its port or socket, with \
        TLS if it uses it. Container images and supervisors can use it as their health check. Without settings, it asks \
        the server of the systemd unit, if /etc/nuke/nuke.env is there.

        EXAMPLES
          nuke health
          nuke health --port 9000

        The exit status is 0 if the server is ready, 1 if it is not or cannot be reached, and 2 for invalid usage.
        """,
      // The settings are parsed like those of "nuke serve".
      helpNames: [])

    @Argument(
      parsing: .captureForPassthrough,
      help: ArgumentHelp("Settings of the server, such as --port 9000.", valueName: "settings"),
      completion: .list(ServeFlags.names))
    var settings: [String] = []

    func run() async throws {
      if settings.contains(where: { ["-h", "--help"].contains($0) }) { throw CleanExit.helpRequest(self) }
      if settings == ["--version"] { return print(NukeCommand.configuration.version) }
      let check = try ServerConfiguration(settings).healthCheck
      do {
        let outcome = try await check.run()
        print(outcome.text.onOneLine)
        if !outcome.isReady { throw ExitCode.failure }
      } catch let code as ExitCode {
        throw code
      } catch {
        throw CommandFailure("the server cannot be reached: \("\(error)".onOneLine)")
      }
    }
  }

#endif
