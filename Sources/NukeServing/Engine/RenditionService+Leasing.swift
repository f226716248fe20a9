import Nuke
import NukeImaging

/// Elects the node that renders a file.
extension RenditionService {
  enum LeaseOutcome {
    /// This node does the work; without a lease if others cannot be told of it, or took too long.
    case granted(HeldLease?)
    /// Another node has done the work, or there is something that may be sent meanwhile.
    case answered(Answer)
  }

  /// Acquires the lease, or waits until another node has stored the file.
  func waitForLease(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> LeaseOutcome {
    guard let leasing, !stores.isEmpty else { return .granted(nil) }
    let start = clock.uptime()
    var patience = leasing.leaseTimeout
    var hasWaited = false
    defer { if hasWaited { recorder.note(.lease, since: start) } }
    while true {
      switch await leaseQueue.run({ leasing.lease(for: order.key.name) }) {
      case .unavailable:
        recorder.count(\.leasesUnavailable)
        return .granted(nil)
      case .taken(let lease):
        let lease = HeldLease(lease)
        // Another node may have been done between the look into the stores and this.
        guard let answer = await storedMeanwhile(order) else { return .granted(lease) }
        lease.release()
        return .answered(answer)
      case .held(let held):
        if let known, known.freshness.mayStandIn(at: clock.now()) {
          return .answered(Answer(record: known, origin: .store, isDegraded: true))
        }
        if !hasWaited { recorder.count(\.leaseWaits) }
        hasWaited = true
        guard let (isFree, seconds) = await wait(for: held, seconds: patience) else { throw .cancelled }
        if let answer = await storedMeanwhile(order) { return .answered(answer) }
        patience -= seconds
        // Work is done twice sooner than not at all.
        guard isFree, patience > 0 else { return .granted(nil) }
      }
    }
  }

  /// Returns `true` once the lease may be free, `false` if it is not after the given time, and the seconds that passed;
  /// `nil` if the task is canceled.
  private func wait(for held: any HeldDataLease, seconds: Double) async -> (isFree: Bool, seconds: Double)? {
    let promise = Promise<(isFree: Bool, seconds: Double)?>()
    let waiting = held.wait(seconds: seconds) { promise.give(($0, $1)) }
    let end = await promise.value(whenCancelled: nil)
    if end == nil { waiting.cancel() }
    return end
  }

  private func storedMeanwhile(_ order: Order) async -> Answer? {
    guard let record = await stores.record(for: order.key), record.freshness.state(at: clock.now()) == .fresh else {
      return nil
    }
    keepInMemory(record, order)
    return Answer(record: record, origin: .store)
  }
}

/// A lease that is released at a definite moment: a task that has ended may keep references for longer.
final class HeldLease: Sendable {
  private let lease: Lock<(any DataLease)?>

  init(_ lease: any DataLease) { self.lease = Lock(lease) }

  func release() {
    let released = lease.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
