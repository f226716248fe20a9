#if Command
  import Foundation
  import Testing

  @Suite("The manual page and the completions", .timeLimit(.minutes(2))) struct DocumentationTests {
    /// A text that has a part for each command.
    enum Text: String, CaseIterable {
      case manual, bash, zsh, fish

      func load() async throws -> String {
        guard self == .manual else {
          return try await Command.succeed("--generate-completion-script", rawValue).output
        }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../Documentation/nuke.1").standardizedFileURL
        return try String(contentsOf: page, encoding: .utf8).replacing(/\\f[BIR]/, with: " ")
          .replacing("\\-", with: "-")
      }

      /// Returns the part for a command; `nil` if there is none.
      func part(of text: String, for path: [String]) -> String? {
        func between(_ start: String, _ end: String) -> String? {
          guard let start = text.range(of: start) else { return nil }
          return text[start.upperBound...].components(separatedBy: end).first
        }
        switch self {
        case .manual:
          let title = path.count == 1 ? "Options of every command" : path.joined(separator: " ")
          return between("\n.SS \(title)\n", "\n.S")
        case .bash, .zsh: return between("\n_\(path.joined(separator: "_"))() {\n", "\n}\n")
        case .fish:
          let lines = text.split(separator: "\n").filter { $0.contains(" \"\(path.joined(separator: " "))\"") }
          return lines.isEmpty ? nil : lines.joined(separator: "\n")
        }
      }

      /// Returns `true` if a text names an option.
      func names(_ option: String, in text: String) -> Bool {
        if self == .fish {
          let name = option.drop { $0 == "-" }
          return text.contains(" \(option.hasPrefix("--") ? "-l" : "-s") '\(name)' ") || offers(option, in: text)
        }
        return offers(option, in: text)
      }

      /// Returns `true` if a text contains an option, and not only as the beginning of another one.
      private func offers(_ option: String, in text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.contains(option[...])
      }
    }

    @Test("They contain every command with all options that it declares", arguments: Text.allCases)
    func complete(text: Text) async throws {
      let root = try await Declaration.root()
      #expect(root.all.count > 15 && root.options.contains("--version"))
      let all = try await text.load()
      for command in root.all {
        let part = try #require(text.part(of: all, for: command.path), "\(command.path) is missing")
        for option in command.options {
          // The page has a section for the options of every command.
          if text == .manual, command.path.count > 1, root.options.contains(option) { continue }
          #expect(text.names(option, in: part), "\(option) of \(command.path) is missing")
        }
        for setting in command.settings {
          #expect(text.names(setting, in: text == .manual ? all : part), "\(setting) of \(command.path) is missing")
        }
      }
    }

    #if Server
      @Test("nuke serve declares every setting of its help, which the server prints")
      func settings() async throws {
        let help = try await Command.succeed("serve", "--help").output
        let flags = help.matches(of: /\n +(?:-[a-z], )?(--[a-z0-9][a-z0-9-]+)/).map { String($0.output.1) }
        #expect(flags.count > 50)
        let command = try #require(try await Declaration.root().all.first { $0.path == ["nuke", "serve"] })
        #expect(Set(flags).subtracting(command.settings) == [])
      }
    #endif
  }
#endif
