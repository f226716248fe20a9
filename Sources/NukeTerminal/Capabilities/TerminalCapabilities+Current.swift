public import Foundation

extension TerminalCapabilities {
  /// Returns the capabilities of the terminal of a file descriptor.
  ///
  /// If the environment is not sufficient, the terminal is queried. This takes milliseconds, or `seconds` if it does not
  /// reply. The settings of the terminal are changed and restored. Keys typed in the meantime may be lost.
  ///
  /// - Parameters:
  ///   - descriptor: the output for images. The default is standard output.
  ///   - environment: the environment. The default is that of this process.
  ///   - seconds: the maximum time to wait for a reply; 0 to send no query.
  public static func current(
    descriptor: Int32 = STDOUT_FILENO, environment: [String: String] = ProcessInfo.processInfo.environment,
    seconds: TimeInterval = 0.5
  ) -> TerminalCapabilities {
    let isTTY = isatty(descriptor) == 1
    var reply: TerminalReply?
    if isTTY, seconds > 0, let query = TerminalEnvironment(environment).query {
      // Opened separately, so that O_NONBLOCK does not affect other descriptors.
      let terminal = open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if terminal >= 0 {
        reply = TerminalQuery.send(query, to: terminal, seconds: seconds)
        close(terminal)
      }
    }
    return TerminalCapabilities(
      environment: environment, isTTY: isTTY, window: TerminalWindow(descriptor: descriptor), reply: reply)
  }
}
