import NukeBase

#if Server
  import Foundation
  import NukeServing

  /// The statistics since the server started, for the playground.
  final class ServerStatistics: Sendable {
    /// The values at one time, encoded as JSON.
    struct Snapshot: Encodable, Equatable {
      var uptimeSeconds: Double = 0
      var activeRequests = 0
      var requests = 0
      var failures = 0
      var bytesSent = 0
      var memoryHits = 0
      var storeHits = 0
      var joined = 0
      var made = 0
      /// The median of the most recent images; `nil` before the first.
      var medianMilliseconds: Double?
      var slowMilliseconds: Double?
    }

    private struct Guarded {
      var counts = Snapshot()
      /// The most recent durations, in a ring buffer.
      var seconds: [Double] = []
      var place = 0
    }

    private static let ringSize = 512
    private let guarded = Lock(Guarded())
    private let start: Double
    private let clock: @Sendable () -> Double

    init(clock: @escaping @Sendable () -> Double) {
      self.clock = clock
      start = clock()
    }

    func began() { guarded.withLock { $0.counts.activeRequests += 1 } }

    func ended(status: Int, bytes: Int, seconds: Double, isImage: Bool) {
      guarded.withLock { guarded in
        guarded.counts.activeRequests -= 1
        guard isImage else { return }
        guarded.counts.requests += 1
        if status >= 400 { guarded.counts.failures += 1 }
        guarded.counts.bytesSent += bytes
        if guarded.seconds.count < Self.ringSize {
          guarded.seconds.append(seconds)
        } else {
          guarded.seconds[guarded.place] = seconds
          guarded.place = (guarded.place + 1) % Self.ringSize
        }
      }
    }

    func answered(_ origin: Rendition.Origin) {
      guarded.withLock { guarded in
        switch origin {
        case .memory: guarded.counts.memoryHits += 1
        case .store: guarded.counts.storeHits += 1
        case .joined: guarded.counts.joined += 1
        case .made: guarded.counts.made += 1
        }
      }
    }

    var snapshot: Snapshot {
      var (snapshot, seconds) = guarded.withLock { ($0.counts, $0.seconds) }
      snapshot.uptimeSeconds = clock() - start
      seconds.sort()
      if !seconds.isEmpty {
        snapshot.medianMilliseconds = seconds[seconds.count / 2] * 1000
        snapshot.slowMilliseconds = seconds[min(seconds.count - 1, seconds.count * 95 / 100)] * 1000
      }
      return snapshot
    }
  }
#endif
