import Foundation

/// What is known of the terminal behind a file descriptor.
enum Terminal {
  /// Returns `true` if lines can be drawn and taken back there.
  static func isInteractive(_ descriptor: Int32) -> Bool {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(descriptor) == 1 && !kind.isEmpty && kind != "dumb"
  }

  /// Returns `true` if text there may be colored: https://no-color.org.
  static func hasColor(_ descriptor: Int32) -> Bool {
    isInteractive(descriptor) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// `true` if somebody is there to answer a question.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Cells of a line, 80 where it cannot be found out.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
