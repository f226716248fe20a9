public import Foundation

extension TerminalCapabilities {
  /// Returns what the terminal behind a file descriptor can draw.
  ///
  /// The terminal is asked where the environment does not say enough. This takes milliseconds, and `seconds` where it
  /// does not answer; its settings are changed meanwhile and given back. What is typed meanwhile may be lost.
  ///
  /// - Parameters:
  ///   - descriptor: where images are to be written: standard output.
  ///   - environment: that of this process.
  ///   - seconds: how long to wait for an answer at most; 0 to ask nothing.
  public static func current(
    descriptor: Int32 = STDOUT_FILENO, environment: [String: String] = ProcessInfo.processInfo.environment,
    seconds: TimeInterval = 0.5
  ) -> TerminalCapabilities {
    let isTTY = isatty(descriptor) == 1
    var reply: TerminalReply?
    if isTTY, seconds > 0, let question = TerminalEnvironment(environment).question {
      // An opening of its own: that it does not block is true of nobody else's.
      let terminal = open("/dev/tty", O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if terminal >= 0 {
        reply = TerminalQuery.ask(question, of: terminal, seconds: seconds)
        close(terminal)
      }
    }
    return TerminalCapabilities(
      environment: environment, isTTY: isTTY, window: TerminalWindow(descriptor: descriptor), reply: reply)
  }
}
