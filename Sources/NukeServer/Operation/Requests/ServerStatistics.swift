#if Server
  import Foundation
  import NukeBase
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

    private struct State {
      var counts = Snapshot()
      /// The most recent durations, in a ring buffer.
      var seconds: [Double] = []
      /// The index of the oldest duration, which is replaced next.
      var oldestIndex = 0
    }

    private static let ringSize = 512
    private let state = Lock(State())
    private let start: Double
    private let clock: @Sendable () -> Double

    init(clock: @escaping @Sendable () -> Double) {
      self.clock = clock
      start = clock()
    }

    func began() { state.withLock { $0.counts.activeRequests += 1 } }

    func ended(status: Int, bytes: Int, seconds: Double, isImage: Bool) {
      state.withLock { state in
        state.counts.activeRequests -= 1
        guard isImage else { return }
        state.counts.requests += 1
        if status >= 400 { state.counts.failures += 1 }
        state.counts.bytesSent += bytes
        if state.seconds.count < Self.ringSize {
          state.seconds.append(seconds)
        } else {
          state.seconds[state.oldestIndex] = seconds
          state.oldestIndex = (state.oldestIndex + 1) % Self.ringSize
        }
      }
    }

    func answered(_ origin: Rendition.Origin) {
      state.withLock { state in
        switch origin {
        case .memory: state.counts.memoryHits += 1
        case .store: state.counts.storeHits += 1
        case .joined: state.counts.joined += 1
        case .made: state.counts.made += 1
        }
      }
    }

    var snapshot: Snapshot {
      var (snapshot, seconds) = state.withLock { ($0.counts, $0.seconds) }
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
