#if Server
  import Dispatch
  import Foundation
  import NukeBase

  /// The time until which a server may continue after a shutdown was requested.
  struct ShutdownDeadline: Sendable {
    /// Seconds after the grace period for canceling requests and writing to the stores. With the default grace period,
    /// a shutdown takes less than the 25 seconds in the files in `deploy/`.
    static let closingTime = 4.0

    private let end: Double
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - start: the time at which the shutdown was requested.
    ///   - clock: a monotonic clock, in seconds.
    init(start: Double, gracePeriod: Double, clock: @escaping @Sendable () -> Double) {
      end = start + gracePeriod + Self.closingTime
      self.clock = clock
    }

    /// A deadline that has passed, for a server that could not start or was canceled.
    static var now: ShutdownDeadline { ShutdownDeadline(start: -.infinity, gracePeriod: 0) { 0 } }

    /// The number of seconds left.
    var seconds: Double { max(0, end - clock()) }
  }

  /// Handles signals: the first one shuts the program down gracefully, the second one ends it at once.
  final class ShutdownSignals: Sendable {
    private static let queue = DispatchQueue(label: "nuke.serve.signals")
    private let sources: Lock<[any DispatchSourceSignal]>

    /// - Parameters:
    ///   - first: called once, on the first signal.
    ///   - second: called with the number of the second signal.
    init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable (Int32) -> Void) {
      let wasTold = Lock(false)
      sources = Lock([])
      for number in [SIGTERM, SIGINT] {
        let source = DispatchSource.handling(number, on: Self.queue) {
          if wasTold.withLock({ exchange(&$0, with: true) }) { second(number) } else { first() }
        }
        sources.withLock { $0.append(source) }
      }
    }

    deinit {
      for source in sources.withLock({ $0 }) { source.cancel() }
    }
  }
#endif
