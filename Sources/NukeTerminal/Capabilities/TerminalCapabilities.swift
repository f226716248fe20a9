/// The graphics and the size of a terminal.
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
    /// 8 bits per channel.
    case all
  }

  /// The supported protocols, the best first. ``TerminalProtocol/text`` is always the last. It is the only one if the
  /// output is not a terminal, if the terminal is dumb, or if `NO_COLOR` is set.
  public let protocols: [TerminalProtocol]
  /// The number of colors of text.
  public let colors: Colors
  /// The window. The default is 80 columns and 24 rows.
  public let window: TerminalWindow
  /// A Boolean value that indicates whether sequences have to pass through tmux.
  public let isInsideTmux: Bool

  /// The best supported protocol.
  public var best: TerminalProtocol { protocols[0] }

  /// Creates the capabilities of a terminal without querying it.
  ///
  /// A reply takes precedence over the environment, which may be inherited from another terminal.
  ///
  /// - Parameters:
  ///   - environment: `TERM`, `COLORTERM`, `NO_COLOR` (https://no-color.org), and the variables of terminals and tmux.
  ///   - isTTY: `true` if the output is a terminal.
  ///   - window: the size of the terminal; `nil` if unknown.
  ///   - reply: the reply to a query, if there was one.
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
    let completeReply = reply?.attributes != nil ? reply : nil
    // Graphics of the outer terminal would not stay in the pane of tmux, so only the reply of tmux counts.
    if !facts.isMultiplexed, completeReply?.hasKittyGraphics ?? facts.hasKittyGraphics { protocols.append(.kitty) }
    if completeReply?.attributes?.contains(4) ?? facts.hasSixels { protocols.append(.sixel) }
    // The library is not opened if a better protocol is known.
    let symbols = TerminalProtocol.symbols
    if protocols.isEmpty ? symbols.failure == nil : symbols.isBuilt { protocols.append(symbols) }
    self.protocols = protocols + [.blocks, .text]
  }
}
