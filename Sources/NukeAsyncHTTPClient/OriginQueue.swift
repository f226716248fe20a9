#if AsyncHTTPClient
  import Foundation
  import NIOCore

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
  /// AsyncHTTPClient has such a queue too. In that one the time limit for connecting runs while a transfer waits.
  struct OriginQueue<Waiting> {
    private(set) var active = 0
    /// The last response came over HTTP/2: many transfers share a connection.
    var isMultiplexed = false
    private var waiting = CircularBuffer<Waiting>(initialCapacity: 0)

    var isIdle: Bool { active == 0 && waiting.isEmpty }

    /// As many as servers usually allow on one connection (RFC 9113 §6.5.2 asks for no fewer).
    private static var streams: Int { 100 }

    mutating func append(_ transfer: Waiting) { waiting.append(transfer) }

    /// Takes the first transfer that is still wanted, where there is a place for it.
    mutating func next(connections: Int, isWanted: (Waiting) -> Bool) -> Waiting? {
      guard active < (isMultiplexed ? max(Self.streams, connections) : connections) else { return nil }
      while let transfer = waiting.popFirst() {
        guard isWanted(transfer) else { continue }
        active += 1
        return transfer
      }
      return nil
    }

    mutating func release() { active -= 1 }
  }
#endif
