#if Server
  /// The parsed arguments of `nuke serve`.
  package struct ServeFlags: Sendable {
    /// The argument of `--config`.
    package private(set) var file: String?
    /// `true` if the command only prints the configuration.
    package private(set) var printsConfiguration = false
    /// `true` if only settings that differ from the defaults are printed.
    package private(set) var printsDifferences = false
    /// `true` if the command only prints its help.
    package private(set) var wantsHelp = false
    private var values: [String: [String]] = [:]

    package init(_ arguments: [String]) throws(ConfigurationError) {
      var rest = arguments[...]
      while let argument = rest.popFirst() {
        guard argument.hasPrefix("-") else {
          throw ConfigurationError(
            argument, at: "command line", "unexpected argument: settings are flags, such as --port 8080")
        }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let flag = parts[0]
        func value(_ placeholder: String) throws(ConfigurationError) -> String {
          if parts.count == 2 { return parts[1] }
          // A value that begins with two hyphens needs `=` before it.
          guard let next = rest.popFirst(), !next.hasPrefix("--") else {
            throw ConfigurationError(
              flag, at: "command line", "its value is missing: write \(flag) \(placeholder)")
          }
          return next
        }
        switch flag {
        case "-h", "--help": wantsHelp = true
        case "--print-config": printsConfiguration = true
        case "--diff": printsDifferences = true
        case "--config": file = try value("FILE")
        default: try read(flag, inlineValue: parts.count == 2 ? parts[1] : nil, value)
        }
      }
      if printsDifferences, !printsConfiguration {
        throw ConfigurationError("--diff", at: "command line", "it needs --print-config")
      }
    }

    private mutating func read(
      _ flag: String, inlineValue: String?, _ value: (String) throws(ConfigurationError) -> String
    ) throws(ConfigurationError) {
      let name = String(flag.dropFirst(2))
      if flag.hasPrefix("--"), let setting = ServerSetting.named(name) {
        switch setting.shape {
        case .flag: values[name] = [inlineValue ?? "true"]
        case .value(let placeholder): values[name] = [try value(placeholder)]
        case .list(let placeholder):
          values[name, default: []] += try value(placeholder).split(separator: ",").map(String.init)
        }
        guard values[name]?.allSatisfy(setting.isPublic) != false else {
          throw ConfigurationError(
            flag, at: "command line",
            "all users of this machine can read it there: set \(setting.variable), or \(setting.variable)_FILE to the "
              + "path of a file, or use --config")
        }
      } else if flag.hasPrefix("--no-"), inlineValue == nil,
        let setting = ServerSetting.named(String(name.dropFirst(3))),
        setting.shape == .flag
      {
        values[setting.name] = ["false"]
      } else {
        throw .unknown(flag, among: Self.names, origin: "command line")
      }
    }

    /// The names of all flags, for shell completions.
    package static let names =
      ServerSetting.all.map { "--" + $0.name } + ["--config", "--print-config", "--diff", "--help"]

    var source: SettingSource {
      let named = values.map { name, texts in (name, SettingSource.Value(texts: texts, origin: "--" + name)) }
      return SettingSource("flags", Dictionary(uniqueKeysWithValues: named))
    }
  }
#endif
