/// The properties of a terminal in the environment.
struct TerminalEnvironment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  private func value(_ name: String) -> String { variables[name] ?? "" }
  private func isSet(_ name: String) -> Bool { !value(name).isEmpty }
  private var kind: String { value("TERM") }
  private var program: String { value("TERM_PROGRAM").lowercased() }

  /// `true` if only text is to be written.
  var isPlain: Bool { kind.isEmpty || kind == "dumb" || kind.hasPrefix("vt") || isSet("NO_COLOR") }

  var isInsideTmux: Bool { isSet("TMUX") || kind.hasPrefix("tmux") }
  /// `true` in tmux or screen.
  var isMultiplexed: Bool { isInsideTmux || isSet("STY") || kind.hasPrefix("screen") }

  var hasAllColors: Bool {
    ["truecolor", "24bit"].contains(value("COLORTERM").lowercased()) || kind.hasSuffix("-direct")
      || !isMultiplexed && (hasKittyGraphics || hasSixels || kind.hasPrefix("alacritty"))
  }

  var hasKittyGraphics: Bool {
    guard !isMultiplexed else { return false }
    if ["xterm-kitty", "xterm-ghostty"].contains(kind) || ["ghostty", "wezterm"].contains(program) { return true }
    // Terminals started from kitty inherit its KITTY_WINDOW_ID.
    let others = ["TERM_PROGRAM", "XTERM_VERSION", "VTE_VERSION", "KONSOLE_VERSION"]
    return isSet("KITTY_WINDOW_ID") && !others.contains(where: isSet)
  }

  var hasSixels: Bool {
    guard !isMultiplexed else { return false }
    return ["foot", "mlterm", "contour"].contains { kind.hasPrefix($0) } || kind.contains("sixel")
      || ["wezterm", "mintty"].contains(program) || (Int(value("KONSOLE_VERSION")) ?? 0) >= 220_400
  }

  /// The query to send; `nil` if the reply is known, or if the terminal might show the query as text.
  var query: TerminalQuery.Kind? {
    if isPlain || kind == "linux" || kind.hasPrefix("cons") { return nil }
    return isMultiplexed ? .attributes : .all
  }
}
