package import Foundation

extension NukeOrigin {
  /// The requests and events that the origin has recorded.
  package struct Log: Sendable {
    /// The requests, in order.
    package var requests: [Request] = []
    package var connectionsAccepted = 0
    package var connectionsOpen = 0
    /// The number of responses whose script was completed.
    package var responsesCompleted = 0
    /// The number of connections that the client closed before the response was complete.
    package var closedEarly = 0
    /// The number of bytes sent, including heads.
    package var bytesSent = 0
    /// The number of times that sending was blocked since the client did not read.
    package var blockedSends = 0

    package func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }
  }

  /// The error if the log did not meet a condition in time.
  package struct Timeout: Error, CustomStringConvertible {
    package let log: Log
    package let seconds: TimeInterval

    package var description: String {
      """
      The origin's log did not become what was waited for within \(seconds) s: \(log.requests.count) requests \
      \(log.requests.suffix(8).map { "\($0.method) \($0.path)" }), \(log.connectionsAccepted) connections \
      (\(log.connectionsOpen) open), \(log.responsesCompleted) responses complete, \(log.closedEarly) closed early, \
      \(log.bytesSent) bytes sent, \(log.blockedSends) sends blocked.
      """
    }
  }
}

/// The log, and its waiters.
final class Journal: Sendable {
  private struct Waiter {
    let isMet: @Sendable (NukeOrigin.Log) -> Bool
    let resume: @Sendable (Result<NukeOrigin.Log, NukeOrigin.Timeout>) -> Void
  }

  private struct State {
    var log = NukeOrigin.Log()
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
  }

  private let state = Locked(State())

  var log: NukeOrigin.Log { state.withLock { $0.log } }

  func record(_ change: (inout NukeOrigin.Log) -> Void) {
    let (met, log) = state.withLock { state -> ([Waiter], NukeOrigin.Log?) in
      change(&state.log)
      guard !state.waiters.isEmpty else { return ([], nil) }
      let met = state.waiters.filter { $0.value.isMet(state.log) }
      for number in met.keys { state.waiters[number] = nil }
      return (Array(met.values), state.log)
    }
    guard let log else { return }
    for waiter in met { waiter.resume(.success(log)) }
  }

  func waitUntil(
    seconds: TimeInterval, _ isMet: @escaping @Sendable (NukeOrigin.Log) -> Bool
  ) async throws -> NukeOrigin.Log {
    try await withCheckedThrowingContinuation { continuation in
      let number = state.withLock { state -> Int? in
        if isMet(state.log) { return nil }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = Waiter(isMet: isMet) { continuation.resume(with: $0) }
        return state.nextWaiter
      }
      guard let number else { return continuation.resume(returning: log) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
        let (waiter, log) = self.state.withLock { ($0.waiters.removeValue(forKey: number), $0.log) }
        waiter?.resume(.failure(NukeOrigin.Timeout(log: log, seconds: seconds)))
      }
    }
  }
}
