/// How long a place waits for its next worker: not at all after the first failure, then twice as long after each one
/// more, until a worker has answered. So images that crash workers cost no more than some starts a second.
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
