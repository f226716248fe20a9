#if Command
  import ArgumentParser
  import Foundation

  #if Server
    import NukeServer
  #endif

  /// `nuke serve`: an image server, in builds with the trait `Server`.
  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve images over HTTP: resized, cropped, converted, cached.",
      usage: "nuke serve [--config FILE] [--print-config [--diff]] [SETTINGS]",
      discussion: """
        "nuke serve --help" lists all settings.

        EXAMPLES
          nuke serve --demo
          nuke serve --config nuke.json --port 9000
        """,
      // The server parses its settings and prints their help.
      helpNames: [])

    @Argument(
      parsing: .captureForPassthrough,
      help: ArgumentHelp("Settings, such as --port 9000.", valueName: "settings"), completion: .list(Self.flags))
    var settings: [String] = []

    #if Server
      private static let flags = ServeFlags.names
    #else
      private static let flags: [String] = []
    #endif

    #if Server
      func run() async throws {
        if settings == ["--version"] { return print(NukeCommand.configuration.version) }
        let program = ServeProgram(
          arguments: settings, environment: ProcessInfo.processInfo.environment,
          samples: { () throws(ConfigurationError) in
            do throws(CommandFailure) {
              return try Samples.folder().path
            } catch {
              throw ConfigurationError("demo", at: "--demo", error.description)
            }
          },
          print: { try? FileHandle.standardOutput.write(contentsOf: Data(($0 + "\n").utf8)) },
          printError: { try? FileHandle.standardError.write(contentsOf: Data(("Error: " + $0.onOneLine + "\n").utf8)) })
        let code = await program.run()
        guard code == 0 else { throw ExitCode(code) }
      }
    #else
      func run() throws {
        throw ValidationError(
          """
          This build has no server. Build it with the traits Command and Server: swift build -c release --traits \
          Command,Server --product nuke
          """
        )
      }
    #endif
  }
#endif
