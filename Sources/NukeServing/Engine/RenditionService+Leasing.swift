import Nuke
import NukeImaging

/// Elects the node that renders a file.
extension RenditionService {
  enum LeaseOutcome {
    /// This node renders the file. The lease is `nil` if the leasing service is unavailable or waiting took too long.
    case granted(HeldLease?)
    /// Another node has rendered the file, or a stored one may be sent in the meantime.
    case answered(Answer)
  }

  /// Acquires the lease, or waits until another node has stored the file.
  func waitForLease(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> LeaseOutcome {
    guard let leasing, !stores.isEmpty, !order.isUnshared else { return .granted(nil) }
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
        // Another node may have finished between the store look-up and the acquisition of the lease.
        switch await storedMeanwhile(order) {
        case .nothing: return .granted(lease)
        case .unshared:
          lease.release()
          return .granted(nil)
        case .answer(let answer):
          lease.release()
          return .answered(answer)
        }
      case .held(let held):
        if let known, known.freshness.mayStandIn(at: clock.now()) {
          return .answered(Answer(record: known, origin: .store, isDegraded: true))
        }
        if !hasWaited { recorder.count(\.leaseWaits) }
        hasWaited = true
        guard let (isFree, seconds) = await wait(for: held, seconds: patience) else { throw .cancelled }
        switch await storedMeanwhile(order) {
        case .nothing: break
        case .unshared: return .granted(nil)
        case .answer(let answer): return .answered(answer)
        }
        patience -= seconds
        // Without a lease, the file may be rendered twice. That is better than not answering.
        guard isFree, patience > 0 else { return .granted(nil) }
      }
    }
  }

  /// Waits for a lease that another node holds. Returns `true` when the lease may be free, or `false` after `seconds`,
  /// with the number of seconds that passed. Returns `nil` if the task is canceled.
  private func wait(for held: any HeldDataLease, seconds: Double) async -> (isFree: Bool, seconds: Double)? {
    let promise = Promise<(isFree: Bool, seconds: Double)?>()
    let waiting = held.wait(seconds: seconds) { promise.give(($0, $1)) }
    let end = await promise.value(whenCancelled: nil)
    if end == nil { waiting.cancel() }
    return end
  }

  private enum Stored {
    case nothing
    /// Another node has found out that the rendition must not be shared.
    case unshared
    case answer(Answer)
  }

  private func storedMeanwhile(_ order: Order) async -> Stored {
    guard let record = await stores.sharedRecord(for: order.key), record.freshness.state(at: clock.now()) == .fresh
    else {
      return .nothing
    }
    guard record.isShared else { return .unshared }
    keepInMemory(record, order)
    return .answer(Answer(record: record, origin: .store))
  }
}

/// A lease that is released explicitly. Releasing it in `deinit` would be too late, because a task that has ended may
/// keep references for longer.
final class HeldLease: Sendable {
  private let lease: Lock<(any DataLease)?>

  init(_ lease: any DataLease) { self.lease = Lock(lease) }

  func release() {
    let released = lease.withLock { $0.take() }
    withExtendedLifetime(released) {}
  }
}
