import Foundation
import FoundationNetworking
import Nuke
import NukeImaging

/// Downloads that are canceled together when as many are running as the limit allows.
struct Cancellations {
  let downloadCount: Int
  let roundCount: Int
  /// The number of downloads that run at the same time; the others wait.
  let connections: Int
  let transport: Transport

  func run() async throws -> [String] {
    try await transport.withLoaders { try await run($0) }
  }

  private func run(
    _ make: (DataLoader.Configuration, RetryPolicy?) -> any StreamingDataLoading
  ) async throws -> [String] {
    var violations: [String] = []
    let running = min(downloadCount, connections)
    print("\(downloadCount) downloads cancelled, \(running) of them on their way, \(roundCount) rounds")
    var configuration = DataLoader.Configuration()
    configuration.proxy = .none
    configuration.maximumConnectionsPerHost = connections
    configuration.userAgent = "NetworkStress \(connections)"
    let loader = make(configuration, nil)
    let origin = try OriginProcess()
    defer { origin.stop() }
    var early: Holdings?
    var requests = 0
    var closed = 0
    for round in 1...roundCount {
      let root = origin.start(.stalling)
      let outcomes = Lock<[Outcome]>([])
      let (ends, end) = AsyncStream<Void>.makeStream()
      let transfers = (0..<downloadCount).map { number in
        let outcome = Outcome { end.yield() }
        outcomes.withLock { $0.append(outcome) }
        return loader.stream(URLRequest(url: root.appendingPathComponent("\(number)")), limit: nil, observer: outcome)
      }
      origin.waitForRequests(running)
      for transfer in transfers { transfer.cancel() }
      var endCount = 0
      for await _ in ends {
        endCount += 1
        if endCount == downloadCount { break }
      }
      let seen = origin.waitForClosed(running)
      requests += seen.requests
      closed += seen.closed
      if seen.requests != running {
        violations.append("round \(round): \(seen.requests) requests, where \(running) were wanted")
      }
      let strange = outcomes.withLock { $0.filter { $0.ends != 1 || $0.error?.transferError != .cancelled } }
      if !strange.isEmpty { violations.append("round \(round): \(strange.count) did not end once, as cancelled") }
      let holdings = Holdings.now()
      if round == 10 { early = holdings }
      if round % 10 == 0 { print("  round \(round): \(holdings)") }
      if let early, round > 10 { violations += holdings.growth(since: early, of: "round \(round)") }
    }
    print("  \(requests) requests reached the server, \(closed) connections closed by the loader")
    return violations
  }
}
