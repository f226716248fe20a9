#if Command
  import ArgumentParser
  import Dispatch
  import Foundation
  import Nuke

  #if Server
    import NukeSandbox
  #endif

  /// `nuke`: the root command.
  struct NukeCommand: AsyncParsableCommand {
    /// The version, the commit and the traits, for `--version`.
    private static let version = """
      nuke \(PackageVersion.current) (\(PackageVersion.commit ?? "development"))
      Traits: \(PackageTraits.enabled.isEmpty ? "none" : PackageTraits.enabled.joined(separator: ", "))
      """

    static let configuration = CommandConfiguration(
      commandName: "nuke",
      abstract: "Load, convert, inspect, cache and serve images.",
      discussion: """
        Images are loaded by the same pipeline that programs use. Each image is downloaded and decoded once, at a reduced \
        size if possible, within limits of time and memory.

        EXAMPLES
          nuke demo
          nuke view photo.jpg
          nuke info photo.jpg
          nuke convert photo.png photo.jpg --quality 85
          nuke convert photo.jpg - --size 50% > half.jpg
          nuke montage *.jpg --output sheet.png
          nuke hash photo.jpg
          nuke compare photo.png photo.webp
          nuke filters
          nuke load https://example.com/photo.jpg --size 640x --output photo.webp
          ls *.jpg | nuke load --files-from - --size 200x200 --output thumbnails/
          nuke prefetch list.txt --cache images
          nuke cache stats images
          nuke thumbnail ~/Pictures/*.jpg
          nuke serve --demo
        """,
      version: version, subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
      var commands: [any ParsableCommand.Type] = [
        LoadCommand.self, ViewCommand.self, ConvertCommand.self, MontageCommand.self, InfoCommand.self,
        HashCommand.self, CompareCommand.self, FiltersCommand.self, ThumbnailCommand.self, PrefetchCommand.self,
        CacheCommand.self, ServeCommand.self, WatchCommand.self,
      ]
      #if Server
        commands += [SignCommand.self, HealthCommand.self, PurgeCommand.self]
      #endif
      return commands + [DemoCommand.self]
    }

    /// Throws if the first argument is neither an option nor the name of a subcommand.
    fileprivate static func checkName(_ name: String?) throws {
      let names = subcommands.compactMap { $0.configuration.commandName } + ["help"]
      guard let name, !name.hasPrefix("-"), !names.contains(name) else { return }
      // No subcommand has the name of a file, an extension or a URL.
      let isImage = name.contains { "./:".contains($0) } || name.fileStatus != nil
      let source = Source(argument: name).displayName
      let hint = isImage ? " Did you mean nuke view \(source)?" : name.nearest(of: names)
      throw ValidationError("There is no subcommand \(isImage ? source : name).\(hint)")
    }
  }

  @main
  enum Main {
    /// Starts the command. It is synchronous, because a worker of the image server must be the process's only thread.
    static func main() {
      #if Server
        RenderWorker.runIfAsked()
      #endif
      Task { @MainActor in
        await run()
        exit(EXIT_SUCCESS)
      }
      dispatchMain()
    }

    private static func run() async {
      var type: any ParsableCommand.Type = NukeCommand.self
      do {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst()
          // `CommandLine.arguments` has other bytes if they are not UTF-8.
          .compactMap { $0.map { String(system: $0) } }
        try NukeCommand.checkName(arguments.first)
        var command = try NukeCommand.parseAsRoot(arguments == ["-v"] ? ["--version"] : arguments)
        type = Swift.type(of: command)
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        let code = NukeCommand.exitCode(for: error)
        // The message contains arguments, which could control the terminal.
        let message = fullMessage(for: error, of: type).withProcessorsLast.split(
          separator: "\n", omittingEmptySubsequences: false
        )
        .map { String($0).onOneLine }.joined(separator: "\n")
        if !message.isEmpty {
          Console.emit(Data((message + "\n").utf8), to: code == .success ? STDOUT_FILENO : STDERR_FILENO)
        }
        // ArgumentParser uses 64 for invalid usage; most commands use 2.
        exit(code == .validationFailure ? 2 : code.rawValue)
      }
    }

    /// Returns the message of an error. ArgumentParser would describe the usage of `nuke` for invalid usage that a command
    /// finds while it runs.
    private static func fullMessage(for error: any Error, of type: any ParsableCommand.Type) -> String {
      guard let error = error as? ValidationError else { return NukeCommand.fullMessage(for: error) }
      return "Error: \(error.message)\nUsage: \(NukeCommand.usageString(for: type))"
    }
  }
#else
  import Foundation

  @main
  enum Main {
    static func main() {
      try? FileHandle.standardError.write(
        contentsOf: Data("nuke: built without its commands; use `swift run --traits Command nuke`\n".utf8))
      exit(64)
    }
  }
#endif
