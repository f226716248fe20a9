import Foundation

extension ProgressDisplay {
  /// Bars below the lines of `console`; `nil` if standard error is no terminal that can take lines back.
  convenience init?(count: Int, on console: Console) {
    guard Terminal.isInteractive(STDERR_FILENO) else { return nil }
    self.init(
      count: count, width: { Terminal.width(STDERR_FILENO) }, now: { ProcessInfo.processInfo.systemUptime },
      draw: { console.draw(bars: $0) })
  }

  /// Draws four times a second what time alone changes, until the task is canceled.
  func startTicking() -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(250))
        tick()
      }
    }
  }
}
