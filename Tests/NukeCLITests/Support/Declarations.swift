#if Command
  import Foundation
  import Testing

  /// A command as it is declared, with its subcommands.
  struct Declaration: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }

      struct Completion: Decodable {
        struct List: Decodable { let values: [String] }

        let list: List?
      }

      let kind: String
      let names: [Name]?
      let shouldDisplay: Bool
      let completionKind: Completion?

      /// The names as they are typed, such as `-s` and `--size`. A positional argument has none.
      var options: [String] { names?.map { ($0.kind == "long" ? "--" : "-") + $0.name } ?? [] }

      /// The options that it takes as values, such as the settings of `nuke serve`.
      var settings: [String] { completionKind?.list?.values.filter { $0.hasPrefix("--") } ?? [] }
    }

    private struct Dump: Decodable { let command: Declaration }

    let commandName: String
    let superCommands: [String]?
    let discussion: String?
    private let arguments: [Argument]?
    private let subcommands: [Declaration]?

    /// The words that run the command, such as `nuke`, `cache` and `stats`.
    var path: [String] { (superCommands ?? []) + [commandName] }

    /// The arguments that the help shows.
    var shown: [Argument] { arguments?.filter(\.shouldDisplay) ?? [] }

    /// The options that the help shows, under all their names.
    var options: [String] { shown.flatMap(\.options) }

    var settings: [String] { shown.flatMap(\.settings) }

    /// The command and all below it.
    var all: [Declaration] { [self] + (subcommands ?? []).flatMap(\.all) }

    /// Returns the declaration of `nuke`.
    static func root() async throws -> Declaration {
      let dump = try await Command.succeed("--experimental-dump-help").output
      return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    }
  }
#endif
