#if Server
  import Foundation
  import Testing

  @testable import NukeServer

  /// A command, and the change that it makes to the configuration.
  struct ConfigurationExample: Sendable, CustomTestStringConvertible {
    let command: String
    let files: [String: String]
    let origins: [String: String?]
    let change: @Sendable (inout ImageServer.Configuration) -> Void

    init(
      _ command: String, files: [String: String] = [:], origins: [String: String?] = [:],
      change: @escaping @Sendable (inout ImageServer.Configuration) -> Void
    ) {
      (self.command, self.files, self.origins, self.change) = (command, files, origins, change)
    }

    var testDescription: String { files.isEmpty ? command : "\(command) \(files)" }

    /// Expects the configuration that is changed by nothing else, and the origins.
    func check(variables: String = "", from start: ImageServer.Configuration = .init()) throws {
      let loaded = try LoadedConfiguration("\(variables) \(command)", files: files)
      var expected = start
      change(&expected)
      let others = ServerSetting.all.filter { $0.get(loaded.configuration) != $0.get(expected) }
      #expect(loaded.configuration == expected, "\(others.map { "\($0.name)=\($0.get(loaded.configuration))" })")
      for (name, origin) in origins { #expect(loaded.origins[name] == origin, "\(name)") }
    }
  }

  extension LoadedConfiguration {
    /// Reads a command as a shell does: variables, then flags. Words with spaces are in single quotes.
    init(_ command: String, files: [String: String] = [:]) throws(ConfigurationError) {
      let words = command.matches(of: /(?:'[^']*'|[^ '])+/).map { String($0.output.replacing("'", with: "")) }
      let variables = words.map { $0.wholeMatch(of: /(\w+)=(.*)/) }.prefix { $0 != nil }.compactMap(\.self)
      try self.init(
        flags: ServeFlags(Array(words.dropFirst(variables.count))),
        environment: Dictionary(uniqueKeysWithValues: variables.map { (String($0.1), String($0.2)) }),
        samples: { () throws(ConfigurationError) in "/samples" },
        readFile: { path in
          guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
          return Data(text.utf8)
        })
    }
  }
#endif
