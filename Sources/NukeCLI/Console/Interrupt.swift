import Dispatch
import Foundation
import Nuke

/// Removes unfinished files on an interrupt, and then ends the process by the signal.
enum Interrupt {
  /// A dedicated queue, so that a signal is handled even if all shared queues are busy.
  private static let queue = DispatchQueue(label: "nuke.interrupt")
  private static let sources = Lock<[any DispatchSourceSignal]>([])

  /// Starts to handle signals. Call it once, before any file is written.
  ///
  /// - Parameter beforeEnding: called on a new thread after the signal.
  static func handle(beforeEnding: @escaping @Sendable () -> Void) {
    // Writing returns an error for a closed pipe, or a file that may not grow.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Signals that the parent ignores stay ignored: `nohup`, and background jobs of a shell script.
      guard !isIgnored(number) else { continue }
      let source = DispatchSource.handling(number, on: queue) {
        TemporaryFiles.removeAll()
        // The wait is limited, since `beforeEnding` may block on output that is not read.
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          beforeEnding()
          isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + 0.2)
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      sources.withLock { $0.append(source) }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return sigaction(number, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
