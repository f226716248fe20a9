import Foundation

/// The properties of the terminal of a file descriptor.
enum Terminal {
  /// Returns `true` if lines can be drawn and erased.
  static func isInteractive(_ descriptor: Int32) -> Bool {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    return isatty(descriptor) == 1 && !kind.isEmpty && kind != "dumb"
  }

  /// Returns `true` if text may be colored. See https://no-color.org.
  static func hasColor(_ descriptor: Int32) -> Bool {
    isInteractive(descriptor) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// `true` if a person can answer a question.
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Returns the number of cells of a line, or 80 if it is unknown.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
