import Dispatch
import Foundation
import Nuke

/// Ends the process on an interrupt as the signal would, after the unfinished files are removed.
enum Interrupt {
  /// Its own, so that a signal is handled however busy the shared ones are.
  private static let queue = DispatchQueue(label: "nuke.interrupt")
  private static let sources = Lock<[any DispatchSourceSignal]>([])

  /// Call it once, before any file is written.
  ///
  /// - Parameter beforeEnding: is called on a thread of its own when the signal has come.
  static func handle(beforeEnding: @escaping @Sendable () -> Void = {}) {
    // A closed pipe and a file that may not grow are met where they are written to.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // What the parent had ignored stays so: `nohup`, and the background jobs of a shell script.
      guard !isIgnored(number) else { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        TemporaryFiles.removeAll()
        // Not for longer than a moment: it may wait for a line that nobody reads.
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          beforeEnding()
          isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + 0.2)
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
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
