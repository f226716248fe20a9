#if AsyncHTTPClient
  import Foundation
  import NIOCore
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
  struct OriginQueue {
    private(set) var active = 0
    /// The last response came over HTTP/2: many transfers share a connection.
    var isMultiplexed = false
    /// One for each priority. A transfer whose priority has changed is in several, and counts where it says it waits.
    private var lanes = [CircularBuffer<EventLoopTransfer>](
      repeating: CircularBuffer(initialCapacity: 0), count: ImageRequest.Priority.allCases.count)

    var isIdle: Bool { active == 0 && lanes.allSatisfy(\.isEmpty) }

    /// As many as servers usually allow on one connection (RFC 9113 §6.5.2 asks for no fewer).
    private static var streams: Int { 100 }

    /// Lets a transfer wait behind the others that are as urgent.
    mutating func append(_ transfer: EventLoopTransfer) {
      let lane = transfer.wantedPriority.rawValue
      transfer.lane = lane
      lanes[lane].append(transfer)
    }

    /// Takes the most urgent transfer that is still wanted, of these the one that came first, where there is a place.
    mutating func next(connections: Int) -> EventLoopTransfer? {
      guard active < (isMultiplexed ? max(Self.streams, connections) : connections) else { return nil }
      for lane in lanes.indices.reversed() {
        while let transfer = lanes[lane].popFirst() {
          guard transfer.lane == lane else { continue }
          transfer.lane = nil
          guard transfer.isWanted else { continue }
          active += 1
          return transfer
        }
      }
      return nil
    }

    mutating func release() { active -= 1 }
  }
#endif
