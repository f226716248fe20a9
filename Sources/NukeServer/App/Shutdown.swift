#if Server
  import Dispatch
  import Foundation
  import NukeImaging

  /// Until when a server that was told to end may go on, whatever it still has to do.
  struct ShutdownDeadline: Sendable {
    /// Seconds behind the grace period, for what requests that were given up leave behind and for what is to be written to
    /// the stores. With the grace period's default both end within the 25 seconds of the files in `deploy/`.
    static let closingTime = 4.0

    private let end: Double
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - start: when the server was told to end.
    ///   - clock: seconds of a clock that only goes forward.
    init(start: Double, gracePeriod: Double, clock: @escaping @Sendable () -> Double) {
      end = start + gracePeriod + Self.closingTime
      self.clock = clock
    }

    /// For a server that could not begin, or was canceled: nothing is waited for.
    static var now: ShutdownDeadline { ShutdownDeadline(start: -.infinity, gracePeriod: 0) { 0 } }

    /// Seconds that are left.
    var seconds: Double { max(0, end - clock()) }
  }

  /// Handles signals: the first one shuts the program down gracefully, the second one ends it at once.
  final class ShutdownSignals: Sendable {
    private static let queue = DispatchQueue(label: "nuke.serve.signals")
    private let sources: Lock<[any DispatchSourceSignal]>

    /// - Parameters:
    ///   - first: is called once.
    ///   - second: is called with the number of the signal.
    init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable (Int32) -> Void) {
      let wasTold = Lock(false)
      sources = Lock([])
      for number in [SIGTERM, SIGINT] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: Self.queue)
        source.setEventHandler {
          let isSecond = wasTold.withLock { wasTold in
            defer { wasTold = true }
            return wasTold
          }
          if isSecond { second(number) } else { first() }
        }
        source.resume()
        sources.withLock { $0.append(source) }
      }
    }

    deinit {
      for source in sources.withLock({ $0 }) { source.cancel() }
    }
  }
#endif
