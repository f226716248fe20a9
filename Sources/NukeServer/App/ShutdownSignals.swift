#if Server
  import Dispatch
  import Foundation
  import NukeImaging

  /// Ends the program when it is told to: gracefully at the first signal, at once at the second.
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
