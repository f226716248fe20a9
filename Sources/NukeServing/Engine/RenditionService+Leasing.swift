/// Elects the node that renders a file.
extension RenditionService {
  enum LeaseOutcome {
    /// The work is to be done; `nil` if nobody is told of it.
    case granted(HeldLease?)
    /// Another node has done it, or there is something that may be sent meanwhile.
    case answered(Answer)
  }

  /// Seconds from one look to the next: first, at most, and by how much they grow.
  private static let pauses = (first: 0.02, last: 0.5, growth: 1.5)

  /// Has the lease, or waits until another node has made the file. Where that node dies, the lease ends by itself.
  func waitForLease(_ order: Order, _ known: RenditionRecord?) async throws(ServingError) -> LeaseOutcome {
    guard let leasing, !stores.isEmpty else { return .granted(nil) }
    let start = clock.uptime()
    var pause = Self.pauses.first
    var hasWaited = false
    defer { if hasWaited { recorder.note(.lease, since: start) } }
    while true {
      switch await leasing.acquire(order.key.name, seconds: configuration.leaseSeconds) {
      case .unavailable:
        recorder.count(\.leasesUnavailable)
        return .granted(nil)
      case .granted(let token):
        let lease = HeldLease(
          leasing, key: order.key.name, token: token, seconds: configuration.leaseSeconds, alarm: leaseRenewals,
          recorder: recorder)
        // Another node may have been done between the look into the stores and this.
        guard let answer = await storedMeanwhile(order, known) else { return .granted(lease) }
        await lease.release()
        return .answered(answer)
      case .held:
        if let known, known.freshness.mayStandIn(at: clock.now()) {
          return .answered(Answer(record: known, origin: .store, isDegraded: true))
        }
      }
      if !hasWaited { recorder.count(\.leaseWaits) }
      hasWaited = true
      guard (try? await clock.sleep(clock.uptime() + ServiceClock.nanoseconds(pause))) != nil else { throw .cancelled }
      pause = min(pause * Self.pauses.growth, Self.pauses.last)
      if let answer = await storedMeanwhile(order, known) { return .answered(answer) }
    }
  }

  private func storedMeanwhile(_ order: Order, _ known: RenditionRecord?) async -> Answer? {
    guard let record = await stores.record(for: order.key), record.freshness.state(at: clock.now()) == .fresh else {
      return nil
    }
    memory.keep(record, for: order.request)
    variants.note(order.request)
    return Answer(record: record, origin: .store)
  }
}
