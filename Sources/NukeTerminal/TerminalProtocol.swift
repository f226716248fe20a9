/// A way to draw images on a terminal.
public enum TerminalProtocol: String, CaseIterable, Hashable, Sendable {
  /// The graphics protocol of kitty, which Ghostty, Konsole and WezTerm know too: every pixel as it is.
  case kitty
  /// DEC's sixels, as in foot, Konsole, mlterm, WezTerm, Windows Terminal and xterm: up to 256 colors, dithered.
  case sixel
  /// libchafa's choice of a character for each cell: finer than ``blocks``. In builds with the trait `Terminal`.
  case symbols
  /// Two pixels a cell: half blocks in two colors.
  case blocks
  /// No image, a line of text.
  case text

  /// A Boolean value that indicates whether this build can draw it.
  public var isBuilt: Bool {
    #if Terminal
      true
    #else
      self != .symbols
    #endif
  }
}
