package import NukeBase

/// A transfer that can wait in a ``TransferQueue``. Only the queue sets the properties that link it.
package protocol QueuedTransfer: AnyObject {
  /// The most recently set priority.
  var wantedPriority: WorkPriority { get }
  /// `false` if the transfer was canceled or has ended.
  var isWanted: Bool { get }
  /// The lane in which it waits; `nil` if it does not wait.
  var lane: Int? { get set }
  /// The transfer that waits before it.
  var previous: Self? { get set }
  /// The transfer that waits after it. Strong reference.
  var next: Self? { get set }
}

/// The transfers to one scheme, host and port: the number of active ones, and those that wait for a slot.
///
/// HTTP libraries have such a queue too, but in theirs the connect timeout runs while a transfer waits, and there are
/// no priorities. Use it from one thread.
package class TransferQueue<Waiting: QueuedTransfer> {
  /// The number of active transfers. The caller counts them.
  package final var active = 0
  /// `true` if the last response used HTTP/2, so that many transfers share a connection.
  package final var isMultiplexed = false
  /// One lane for each priority.
  private final var lanes = [Lane](repeating: Lane(), count: WorkPriority.allCases.count)
  private final var waitingCount = 0

  /// A linked list of waiting transfers. Removing one takes constant time and no memory, so canceled transfers do not
  /// stay until a slow host has a free slot.
  private struct Lane {
    var first: Waiting?
    var last: Waiting?
  }

  package init() {}

  package final var isIdle: Bool { active == 0 && waitingCount == 0 }

  package final var hasWaiting: Bool { waitingCount > 0 }

  /// The number of streams that servers usually allow on one connection (RFC 9113 §6.5.2 recommends at least 100).
  private static var streams: Int { 100 }

  /// Appends a transfer after the others with the same priority.
  package final func append(_ transfer: Waiting) {
    let lane = transfer.wantedPriority.rawValue
    transfer.lane = lane
    transfer.previous = lanes[lane].last
    if let last = lanes[lane].last { last.next = transfer } else { lanes[lane].first = transfer }
    lanes[lane].last = transfer
    waitingCount += 1
  }

  /// Moves a waiting transfer to the end of the lane for its current priority.
  package final func reprioritize(_ transfer: Waiting) {
    guard let lane = transfer.lane, lane != transfer.wantedPriority.rawValue else { return }
    remove(transfer)
    append(transfer)
  }

  /// Removes a waiting transfer. Does nothing if it does not wait.
  package final func remove(_ transfer: Waiting) {
    guard let lane = transfer.lane else { return }
    if let previous = transfer.previous { previous.next = transfer.next } else { lanes[lane].first = transfer.next }
    if let next = transfer.next { next.previous = transfer.previous } else { lanes[lane].last = transfer.previous }
    transfer.previous = nil
    transfer.next = nil
    transfer.lane = nil
    waitingCount -= 1
  }

  /// Removes and returns the first transfer with the highest priority that is still wanted, if there is a free slot.
  /// The caller counts it as active. Canceled transfers are dropped, because the code that cancels a transfer also
  /// reports its end.
  ///
  /// - Parameter connections: the number of slots over HTTP/1.1, each of which is a connection.
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
