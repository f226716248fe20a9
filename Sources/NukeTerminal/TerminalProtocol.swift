import NukeBase
internal import NukeImaging

/// A protocol for drawing images on a terminal.
public enum TerminalProtocol: String, CaseIterable, Hashable, Sendable {
  /// The graphics protocol of kitty, also of Ghostty, Konsole and WezTerm: every pixel unchanged.
  ///
  /// It is not chosen inside tmux, but can be given. Images are then drawn in place of characters, which tmux moves and
  /// clears, and fitted into whole cells. This requires the option `allow-passthrough` of tmux, and kitty or Ghostty.
  case kitty
  /// DEC's sixels, as in foot, Konsole, mlterm, WezTerm, Windows Terminal and xterm: up to 256 colors, dithered.
  case sixel
  /// A character for each cell, chosen by libchafa, finer than ``blocks``. Requires the trait `Terminal`.
  case symbols
  /// Two pixels in each cell: half blocks in two colors.
  case blocks
  /// A line of text instead of the image.
  case text

  /// A Boolean value that indicates whether this build supports the protocol.
  public var isBuilt: Bool {
    #if Terminal
      true
    #else
      self != .symbols
    #endif
  }

  /// The reason why the protocol cannot be used; `nil` if it can. Opens the library that the protocol needs.
  var failure: TerminalImageError? {
    guard isBuilt else { return .notBuilt(self) }
    #if Terminal
      if self == .symbols, let reason = SystemLibrary.chafa.failure { return .missingLibrary(self, reason: reason) }
    #endif
    return nil
  }
}
