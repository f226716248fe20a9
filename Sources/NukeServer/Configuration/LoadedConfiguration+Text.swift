#if Server
  extension LoadedConfiguration {
    /// Returns one line for each setting, with its name, its value and its origin. Secrets are hidden.
    ///
    /// - Parameter onlyDifferences: `true` to leave out settings with default values.
    package func text(onlyDifferences: Bool = false) -> String {
      let defaults = ImageServer.Configuration()
      let settings = ServerSetting.all.filter { !onlyDifferences || $0.get(configuration) != $0.get(defaults) }
      guard !settings.isEmpty else { return "All settings have their default values." }
      let rows = settings.map { setting -> (String, String, String) in
        let values = setting.get(configuration)
        let value =
          if values.isEmpty {
            "–"
          } else if setting.isSecret {
            values.map { _ in "•••" }.joined(separator: ", ")
          } else {
            values.map(\.shortened).joined(separator: ", ")
          }
        return (setting.name, value.isEmpty ? "–" : value, origins[setting.name] ?? "default")
      }
      let nameWidth = rows.map(\.0.count).max() ?? 0
      // A single long list does not widen the column.
      let valueWidth = min(rows.map(\.1.count).max() ?? 0, 32)
      return rows.map { name, value, origin in
        "\(name.padded(to: nameWidth))  \(value.padded(to: valueWidth))  \(origin)"
      }.joined(separator: "\n")
    }
  }

  extension ServeFlags {
    /// The help of `nuke serve`.
    package static var help: String {
      var lines = [
        "OVERVIEW: Serve resized, cropped and converted images over HTTP.",
        "",
        "URLs are imgproxy's: /SIGNATURE/OPTIONS/plain/SOURCE@FORMAT. Each setting is a flag, a variable (--max-frames is",
        "NUKE_MAX_FRAMES) and a key of the file (\"max-frames\"); flags override variables, and variables the file.",
        "Sizes are bytes or have a unit (64MiB, 10GB), times are seconds or have one (500ms, 30s, 5m, 24h).",
        "",
        "USAGE: nuke serve [--config FILE] [--print-config [--diff]] [SETTINGS]",
        "",
        "EXAMPLES",
        "  nuke serve --demo",
        "  nuke serve --local-roots /srv/images --allow-unsigned",
        "  nuke serve --config server.json --port 9000 --print-config --diff",
      ]
      let defaults = ImageServer.Configuration()
      let own = [
        ("--config FILE", "Read settings from a JSON file"),
        ("--print-config", "Print all settings with their origins, and exit"),
        ("--diff", "Print only settings that differ from the defaults"),
        ("-h, --help", "Show this help"),
      ]
      let width = 32
      func line(_ usage: String, _ help: String) -> String {
        usage.count + 2 <= width
          ? "  \(usage.padded(to: width))\(help)" : "  \(usage)\n  \("".padded(to: width))\(help)"
      }
      for (group, settings) in ServerSetting.grouped {
        lines += ["", group.rawValue.uppercased()]
        lines += settings.map { line("--" + $0.name + $0.usage, $0.help(defaults)) }
      }
      lines += ["", "OPTIONS"] + own.map(line)
      return lines.joined(separator: "\n")
    }
  }

  extension ServerSetting {
    fileprivate var usage: String {
      switch shape {
      case .flag: ""
      case .value(let placeholder): " " + placeholder
      case .list(let placeholder): " " + placeholder + ",…"
      }
    }

    fileprivate func help(_ defaults: Configuration) -> String {
      let values = get(defaults)
      switch shape {
      case .flag: return summary + (values == ["true"] ? " (on; --no-\(name))" : "")
      case .value, .list:
        let text = values.joined(separator: ", ")
        return summary + (text.isEmpty ? "" : " (\(text))")
      }
    }
  }

  extension String {
    /// The text, without the end of a long one, such as a file in Base64.
    fileprivate var shortened: String { count <= 256 ? self : prefix(64) + "… (\(count) characters)" }

    fileprivate func padded(to width: Int) -> String {
      self + String(repeating: " ", count: Swift.max(0, width - count))
    }
  }
#endif
