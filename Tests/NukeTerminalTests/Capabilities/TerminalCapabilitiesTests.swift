import Testing

@testable import NukeTerminal

@Suite struct TerminalCapabilitiesTests {
  private let window = TerminalWindow(columns: 100, rows: 30, pixelWidth: 1000, pixelHeight: 600)

  private func protocols(
    _ environment: [String: String], isTTY: Bool = true, reply: String? = nil
  ) -> [TerminalProtocol] {
    TerminalCapabilities(
      environment: environment, isTTY: isTTY, window: window, reply: reply.map { TerminalReply(Array($0.utf8)) }
    ).protocols.filter { $0 != .symbols }
  }

  @Test(
    "Only text is written if nothing can be drawn, or with NO_COLOR",
    arguments: [
      ["TERM": "dumb"], [:], ["TERM": ""], ["TERM": "xterm-kitty", "NO_COLOR": "1"],
      ["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "yes"], ["TERM": "vt100"],
    ])
  func plain(environment: [String: String]) {
    #expect(protocols(environment) == [.text])
    #expect(protocols(environment, reply: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4c") == [.text])
  }

  @Test("An empty NO_COLOR has no effect")
  func emptyNoColor() {
    #expect(protocols(["TERM": "xterm-kitty", "NO_COLOR": ""]) == [.kitty, .blocks, .text])
  }

  @Test("A pipe gets text, whatever the terminal supports")
  func pipe() {
    #expect(protocols(["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], isTTY: false) == [.text])
  }

  @Test(
    "Terminals are detected by their variables",
    arguments: [
      (["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], [.kitty, .blocks, .text]),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], [.kitty, .blocks, .text]),
      (["TERM": "xterm-ghostty"], [.kitty, .blocks, .text]),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], [.kitty, .sixel, .blocks, .text]),
      (["TERM": "foot"], [.sixel, .blocks, .text]),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "230402"], [.sixel, .blocks, .text]),
      (["TERM": "xterm-256color", "KONSOLE_VERSION": "210000"], [.blocks, .text]),
      (["TERM": "xterm-256color"], [.blocks, .text]),
      (["TERM": "linux"], [.blocks, .text]),
      // Started from kitty, and not kitty.
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1", "VTE_VERSION": "7000"], [.blocks, .text]),
      (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "vscode"], [.blocks, .text]),
    ] as [([String: String], [TerminalProtocol])])
  func known(environment: [String: String], expected: [TerminalProtocol]) {
    #expect(protocols(environment) == expected)
  }

  @Test("The reply of a terminal takes precedence over the environment")
  func answers() {
    let kitty = ["TERM": "xterm-kitty"]
    #expect(protocols(kitty, reply: "\u{1B}[?62;c") == [.blocks, .text])
    #expect(protocols(kitty, reply: "\u{1B}[?62;4;22c") == [.sixel, .blocks, .text])
    #expect(protocols(kitty, reply: "") == [.kitty, .blocks, .text], "a terminal that did not answer")
    let unknown = ["TERM": "xterm-256color"]
    #expect(protocols(unknown, reply: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c") == [.kitty, .blocks, .text])
    #expect(protocols(unknown, reply: "\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?62;c") == [.blocks, .text])
    #expect(protocols(["TERM": "foot"], reply: "\u{1B}[?62;22c") == [.blocks, .text])
  }

  @Test("In tmux and screen, the outer terminal is ignored")
  func multiplexers() {
    let outer = ["KITTY_WINDOW_ID": "1", "TERM_PROGRAM": "tmux", "COLORTERM": "truecolor"]
    for inner in [
      ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"], ["TERM": "screen-256color", "TMUX": "x"],
      ["TERM": "screen.xterm-256color", "STY": "1.pts"], ["TERM": "tmux-256color"],
    ] {
      let environment = outer.merging(inner) { $1 }
      #expect(protocols(environment) == [.blocks, .text])
      #expect(protocols(environment, reply: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?1;2c") == [.blocks, .text])
      // tmux that was built with sixels says so.
      #expect(protocols(environment, reply: "\u{1B}[?1;2;4c") == [.sixel, .blocks, .text])
      #expect(protocols(["TERM_PROGRAM": "WezTerm"].merging(inner) { $1 }) == [.blocks, .text])
      let capabilities = TerminalCapabilities(environment: environment, isTTY: true, window: nil)
      #expect(capabilities.isInsideTmux == (inner["STY"] == nil))
    }
  }

  @Test(
    "Text has 24-bit colors if the terminal supports them",
    arguments: [
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .all), (["TERM": "xterm", "COLORTERM": "24bit"], .all),
      (["TERM": "xterm-direct"], .all), (["TERM": "xterm-kitty"], .all), (["TERM": "alacritty"], .all),
      (["TERM": "foot"], .all), (["TERM": "xterm-256color"], .palette), (["TERM": "linux"], .palette),
      (["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"], .palette),
    ] as [([String: String], TerminalCapabilities.Colors)])
  func colors(environment: [String: String], expected: TerminalCapabilities.Colors) {
    #expect(TerminalCapabilities(environment: environment, isTTY: true, window: nil).colors == expected)
  }

  @Test("The size of a cell is that of the window, or of the terminal's reply")
  func cells() {
    let environment = ["TERM": "xterm-256color"]
    let reply = TerminalReply(Array("\u{1B}[6;21;9t\u{1B}[?62;4c".utf8))
    let known = TerminalCapabilities(environment: environment, isTTY: true, window: window, reply: reply)
    #expect(known.window == window)
    let cells = TerminalWindow(columns: 100, rows: 30)
    let answered = TerminalCapabilities(environment: environment, isTTY: true, window: cells, reply: reply)
    #expect(answered.window == TerminalWindow(columns: 100, rows: 30, pixelWidth: 900, pixelHeight: 630))
    let unknown = TerminalCapabilities(environment: environment, isTTY: true, window: cells)
    #expect(unknown.window.cell == nil)
    #expect(TerminalCapabilities(environment: environment, isTTY: true, window: nil).window == .standard)
  }

  @Test("A terminal receives only queries it understands")
  func queries() {
    func query(_ environment: [String: String]) -> TerminalQuery.Kind? {
      TerminalEnvironment(environment).query
    }
    #expect(query(["TERM": "xterm-256color"]) == .all)
    #expect(query(["TERM": "tmux-256color", "TMUX": "x"]) == .attributes)
    #expect(query(["TERM": "screen"]) == .attributes)
    // The console of Linux shows the text of sequences that it does not know.
    for kind in ["linux", "dumb", "", "vt100"] { #expect(query(["TERM": kind]) == nil) }
    #expect(query(["TERM": "xterm", "NO_COLOR": "1"]) == nil)
  }
}
