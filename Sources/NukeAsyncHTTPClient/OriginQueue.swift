#if AsyncHTTPClient
  import Foundation
  import Nuke

  /// Whom a URL asks: its scheme, host and port.
  struct Origin: Hashable {
    private let scheme: String?
    private let host: String?
    private let port: Int?

    init(_ url: URL) {
      scheme = url.scheme?.lowercased()
      host = url.host?.lowercased()
      port = url.port ?? (scheme == "https" ? 443 : 80)
    }
  }

  /// The transfers to one origin: how many run, and those that wait for a place.
  ///
  /// AsyncHTTPClient has such a queue too. In that one the time limit for connecting runs while a transfer waits, and all
  /// are equally urgent.
  final class OriginQueue {
    private(set) var active = 0
    /// The last response came over HTTP/2: many transfers share a connection.
    var isMultiplexed = false
    /// One for each priority.
    private var lanes = [Lane](repeating: Lane(), count: ImageRequest.Priority.allCases.count)

    /// Waiting transfers, linked through themselves: one that is cancelled is taken out in constant time, and does not
    /// stay here until a slow origin has a place for it.
    private struct Lane {
      var first: EventLoopTransfer?
      var last: EventLoopTransfer?
    }

    var isIdle: Bool { active == 0 && lanes.allSatisfy { $0.first == nil } }

    /// As many as servers usually allow on one connection (RFC 9113 §6.5.2 asks for no fewer).
    private static var streams: Int { 100 }

    /// Lets a transfer wait behind the others that are as urgent.
    func append(_ transfer: EventLoopTransfer) {
      let lane = transfer.wantedPriority.rawValue
      transfer.lane = lane
      transfer.previous = lanes[lane].last
      if let last = lanes[lane].last { last.next = transfer } else { lanes[lane].first = transfer }
      lanes[lane].last = transfer
    }

    /// Moves a transfer that waits behind those that are as urgent as it is wanted to be now.
    func reprioritize(_ transfer: EventLoopTransfer) {
      guard let lane = transfer.lane, lane != transfer.wantedPriority.rawValue else { return }
      remove(transfer)
      append(transfer)
    }

    /// Takes out a transfer that waits; without effect where it does not.
    func remove(_ transfer: EventLoopTransfer) {
      guard let lane = transfer.lane else { return }
      if let previous = transfer.previous { previous.next = transfer.next } else { lanes[lane].first = transfer.next }
      if let next = transfer.next { next.previous = transfer.previous } else { lanes[lane].last = transfer.previous }
      transfer.previous = nil
      transfer.next = nil
      transfer.lane = nil
    }

    /// Takes the most urgent transfer that is still wanted, of these the one that came first, where there is a place. A
    /// cancelled one is told its end by itself.
    func next(connections: Int) -> EventLoopTransfer? {
      guard active < (isMultiplexed ? max(Self.streams, connections) : connections) else { return nil }
      for lane in lanes.indices.reversed() {
        while let transfer = lanes[lane].first {
          remove(transfer)
          guard transfer.isWanted else { continue }
          active += 1
          return transfer
        }
      }
      return nil
    }

    func release() { active -= 1 }
  }
#endif
