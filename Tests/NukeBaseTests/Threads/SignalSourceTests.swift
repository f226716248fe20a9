import Dispatch
import Foundation
import NukeBase
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalSourceTests {
  // The default action of SIGURG is none, so a signal that came too early would be lost.
  @Test("A signal that arrives as soon as the source has been created is handled")
  func firstSignal() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.handling(SIGURG, on: DispatchQueue(label: "test.signals")) { continuation.yield() }
    defer { source.cancel() }
    kill(getpid(), SIGURG)
    for await _ in signals { break }
  }
}
