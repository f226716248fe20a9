/// The graphics and the size of a terminal, decided from what is known, without querying it.
///
/// ```swift
/// let capabilities = TerminalCapabilities.current()
/// let view = TerminalImageView(capabilities: capabilities, fileHandle: .standardOutput)
/// ```
public struct TerminalCapabilities: Hashable, Sendable {
  /// The number of colors of text.
  public enum Colors: Hashable, Sendable {
    /// xterm's 256.
    case palette
    /// 8 bits a channel.
    case all
  }

  /// The protocols that it supports, the best first. ``TerminalProtocol/text`` is always the last. It is the only one
  /// if the output is not a terminal, if the terminal is dumb, or if the user wants no colors.
  public let protocols: [TerminalProtocol]
  /// The number of colors of text.
  public let colors: Colors
  /// Its size; 80 columns and 24 rows where that is not known.
  public let window: TerminalWindow
  /// A Boolean value that indicates whether tmux is between, to which foreign sequences are handed in an envelope.
  public let isInsideTmux: Bool

  /// The best protocol that it supports.
  public var best: TerminalProtocol { protocols[0] }

  /// Creates the capabilities from what is known of a terminal.
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
