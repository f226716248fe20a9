/// What a terminal can draw, and how large it is: decided from what is known, without asking anything.
///
/// ```swift
/// let capabilities = TerminalCapabilities.current()
/// let view = TerminalImageView(capabilities: capabilities, fileHandle: .standardOutput)
/// ```
public struct TerminalCapabilities: Hashable, Sendable {
  /// How many colors text may have.
  public enum Colors: Hashable, Sendable {
    /// xterm's 256.
    case palette
    /// 8 bits a channel.
    case all
  }

  /// What it can draw, the best first. ``TerminalProtocol/text`` is always the last, and the only one where the output
  /// is no terminal, the terminal is dumb, or the user wants no colors.
  public let protocols: [TerminalProtocol]
  /// How many colors text may have.
  public let colors: Colors
  /// Its size; 80 columns and 24 rows where that is not known.
  public let window: TerminalWindow
  /// A Boolean value that indicates whether tmux is between, to which foreign sequences are handed in an envelope.
  public let isInsideTmux: Bool

  /// What it draws best.
  public var best: TerminalProtocol { protocols[0] }

  /// What is known of a terminal.
  ///
  /// A terminal that has answered is believed more than the environment, which may be that of another terminal from
  /// which this one was started.
  ///
  /// - Parameters:
  ///   - environment: `TERM`, `COLORTERM`, `NO_COLOR` (https://no-color.org), and what terminals and tmux set.
  ///   - isTTY: whether the output is a terminal at all.
  ///   - window: its size; `nil` if that is not known.
  ///   - reply: what it answered; `nil` if it was not asked.
  public init(environment: [String: String], isTTY: Bool, window: TerminalWindow?, reply: TerminalReply? = nil) {
    let facts = TerminalEnvironment(environment)
    var window = window ?? .standard
    if window.cell == nil, let cell = reply?.cell { window = window.with(cell) }
    self.window = window
    isInsideTmux = facts.isInsideTmux
    colors = facts.hasAllColors ? .all : .palette
    guard isTTY, !facts.isPlain else {
      protocols = [.text]
      return
    }
    var protocols: [TerminalProtocol] = []
    let answered = reply?.attributes != nil ? reply : nil
    // What tmux says of itself is true of it, but graphics of the terminal around it would not stay in its pane.
    if !facts.isMultiplexed, answered?.hasKittyGraphics ?? facts.hasKittyGraphics { protocols.append(.kitty) }
    if answered?.attributes?.contains(4) ?? facts.hasSixels { protocols.append(.sixel) }
    if TerminalProtocol.symbols.isBuilt { protocols.append(.symbols) }
    self.protocols = protocols + [.blocks, .text]
  }
}
