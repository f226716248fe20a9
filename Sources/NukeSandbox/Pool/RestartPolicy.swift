/// The delay before a worker is restarted: none after the first failure, then doubled after each failure until a worker
/// has answered. Images that crash workers cost no more than a few starts a second.
struct RestartPolicy {
  private static let first = 0.1
  private static let longest = 5.0
  private var failures = 0

  /// Seconds to wait before the next start.
  var delay: Double {
    failures < 2 ? 0 : min(Self.first * Double(1 << min(failures - 2, 16)), Self.longest)
  }

  mutating func workerFailed() { failures += 1 }
  mutating func workerAnswered() { failures = 0 }
}
