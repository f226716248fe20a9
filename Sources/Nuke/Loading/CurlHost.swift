/// The transfers to one host and port: those that libcurl has, and those that wait for a place.
///
/// libcurl has such a queue too. In that one the time limit for connecting would run while a transfer waits, and all
/// would be equally urgent.
final class CurlHost {
  /// Transfers that libcurl has.
  var active = 0
  /// The last response came over HTTP/2: many transfers share a connection.
  var isMultiplexed = false
  /// The loop has noted that there may be a place to fill.
  var isNoted = false
  /// One for each priority.
  private var lanes = [Lane](repeating: Lane(), count: ImageRequest.Priority.allCases.count)
  private var waitingCount = 0

  /// Waiting transfers, linked through themselves: taking one out takes constant time and no memory, so that what is
  /// cancelled does not stay here until a slow host has a place for it.
  private struct Lane {
    var first: CurlTransfer?
    var last: CurlTransfer?
  }

  var isIdle: Bool { active == 0 && waitingCount == 0 }

  var hasWaiting: Bool { waitingCount > 0 }

  func hasPlace(connections: Int) -> Bool {
    active < (isMultiplexed ? max(Self.streams, connections) : connections)
  }

  /// As many as servers usually allow on one connection (RFC 9113 §6.5.2 asks for no fewer).
  private static let streams = 100

  /// Lets a transfer wait behind the others that are as urgent.
  func append(_ transfer: CurlTransfer) {
    let lane = transfer.wantedPriority.rawValue
    transfer.lane = lane
    transfer.previous = lanes[lane].last
    if let last = lanes[lane].last { last.next = transfer } else { lanes[lane].first = transfer }
    lanes[lane].last = transfer
    waitingCount += 1
  }

  /// Moves a transfer that waits behind those that are as urgent as it is wanted to be now.
  func reprioritize(_ transfer: CurlTransfer) {
    guard let lane = transfer.lane, lane != transfer.wantedPriority.rawValue else { return }
    remove(transfer)
    append(transfer)
  }

  /// Takes out a transfer that waits; without effect where it does not.
  func remove(_ transfer: CurlTransfer) {
    guard let lane = transfer.lane else { return }
    if let previous = transfer.previous { previous.next = transfer.next } else { lanes[lane].first = transfer.next }
    if let next = transfer.next { next.previous = transfer.previous } else { lanes[lane].last = transfer.previous }
    transfer.previous = nil
    transfer.next = nil
    transfer.lane = nil
    waitingCount -= 1
  }

  /// Takes the most urgent transfer, of these the one that came first. A cancelled one is told its end by its own command.
  func next() -> CurlTransfer? {
    for lane in lanes.indices.reversed() {
      while let transfer = lanes[lane].first {
        remove(transfer)
        if !transfer.isCancelled { return transfer }
      }
    }
    return nil
  }
}
