import Nuke
import NukeImaging

/// A lease that is released at a definite moment: a task that has ended may keep references for longer.
final class HeldLease: Sendable {
  private let lease: Lock<(any DataLease)?>

  init(_ lease: any DataLease) { self.lease = Lock(lease) }

  func release() {
    let released = lease.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
