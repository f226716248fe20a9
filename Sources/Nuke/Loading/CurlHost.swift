/// The transfers to one host and port: those that libcurl has, and those that wait for a place.
///
/// libcurl has such a queue too. In that one the time limit for connecting would run while a transfer waits.
final class CurlHost {
  /// Transfers that libcurl has.
  var active = 0
  /// The last response came over HTTP/2: many transfers share a connection.
  var isMultiplexed = false
  /// The loop has noted that there may be a place to fill.
  var isNoted = false
  private var waiting: [CurlTransfer] = []
  private var first = 0

  var isIdle: Bool { active == 0 && first == waiting.count }

  func hasPlace(connections: Int) -> Bool {
    active < (isMultiplexed ? max(Self.streams, connections) : connections)
  }

  /// As many as servers usually allow on one connection (RFC 9113 §6.5.2 asks for no fewer).
  private static let streams = 100

  func append(_ transfer: CurlTransfer) { waiting.append(transfer) }

  /// Takes the first transfer that still wants to start. A cancelled one is told its end by its own command.
  func next() -> CurlTransfer? {
    while first < waiting.count {
      let transfer = waiting[first]
      first += 1
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: waiting.count <= 64)
        first = 0
      } else if first >= 256, first * 2 > waiting.count {
        waiting.removeFirst(first)
        first = 0
      }
      if !transfer.isFinished && !transfer.isCancelled { return transfer }
    }
    return nil
  }
}
