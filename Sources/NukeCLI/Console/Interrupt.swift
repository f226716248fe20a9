import Dispatch
import Foundation
import Nuke

/// Ends the process on an interrupt as the signal would, after the unfinished files are removed.
enum Interrupt {
  private static let sources = Lock<[any DispatchSourceSignal]>([])

  static func handle(beforeEnding: @escaping @Sendable () -> Void = {}) {
    // A closed pipe is met where it is written to.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
      source.setEventHandler {
        TemporaryFiles.removeAll()
        beforeEnding()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      sources.withLock { $0.append(source) }
    }
  }
}
