/// A transfer that can wait in one ``TransferQueue`` at a time. The queue alone sets its place there.
package protocol QueuedTransfer: AnyObject {
  /// The priority that was asked for last.
  var wantedPriority: ImageRequest.Priority { get }
  /// False for one that is canceled or has ended.
  var isWanted: Bool { get }
  /// The lane in which it waits; `nil` for one that does not.
  var lane: Int? { get set }
  /// The one that waits before it there.
  var previous: Self? { get set }
  /// The one that waits behind it, which it keeps.
  var next: Self? { get set }
}

/// The transfers to one scheme, host and port: how many have a place, and those that wait for one.
///
/// Libraries that speak HTTP have such a queue too. In theirs the time limit for connecting runs while a transfer waits,
/// and all are equally urgent. For one thread.
package class TransferQueue<Waiting: QueuedTransfer> {
  /// Transfers that have a place. Counted by whoever gives it to them.
  package final var active = 0
  /// The last response came over HTTP/2: many transfers share a connection.
  package final var isMultiplexed = false
  /// One for each priority.
  private final var lanes = [Lane](repeating: Lane(), count: ImageRequest.Priority.allCases.count)
  private final var waitingCount = 0

  /// Waiting transfers, linked through themselves: taking one out takes constant time and no memory, so that what is
  /// canceled does not stay here until a slow host has a place for it.
  private struct Lane {
    var first: Waiting?
    var last: Waiting?
  }

  package init() {}

  package final var isIdle: Bool { active == 0 && waitingCount == 0 }

  package final var hasWaiting: Bool { waitingCount > 0 }

  /// The number of streams that servers usually allow on one connection (RFC 9113 §6.5.2 recommends at least 100).
  private static var streams: Int { 100 }

  /// Lets a transfer wait behind the others that are as urgent.
  package final func append(_ transfer: Waiting) {
    let lane = transfer.wantedPriority.rawValue
    transfer.lane = lane
    transfer.previous = lanes[lane].last
    if let last = lanes[lane].last { last.next = transfer } else { lanes[lane].first = transfer }
    lanes[lane].last = transfer
    waitingCount += 1
  }

  /// Moves a transfer that waits behind those that are as urgent as it is wanted to be now.
  package final func reprioritize(_ transfer: Waiting) {
    guard let lane = transfer.lane, lane != transfer.wantedPriority.rawValue else { return }
    remove(transfer)
    append(transfer)
  }

  /// Takes out a transfer that waits; without effect where it does not.
  package final func remove(_ transfer: Waiting) {
    guard let lane = transfer.lane else { return }
    if let previous = transfer.previous { previous.next = transfer.next } else { lanes[lane].first = transfer.next }
    if let next = transfer.next { next.previous = transfer.previous } else { lanes[lane].last = transfer.previous }
    transfer.previous = nil
    transfer.next = nil
    transfer.lane = nil
    waitingCount -= 1
  }

  /// Takes the most urgent transfer that is still wanted, of these the one that came first, where there is a place. The
  /// caller counts it among the active. One that is not wanted is told its end by whoever canceled it.
  ///
  /// - Parameter connections: places over HTTP/1.1, each a connection.
  package final func takeNext(connections: Int) -> Waiting? {
    guard active < (isMultiplexed ? max(Self.streams, connections) : connections) else { return nil }
    for lane in lanes.indices.reversed() {
      while let transfer = lanes[lane].first {
        remove(transfer)
        if transfer.isWanted { return transfer }
      }
    }
    return nil
  }
}
