import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import NukeOrigin

/// Requests to a server that fails at random. Some of them are canceled or paused while they run. One loader retries,
/// and one does not.
struct RandomFaults {
  let requestCount: Int
  let transport: Transport

  private static let atOnce = 64
  private static let roundCount = 10

  func run() async throws -> [String] {
    try await transport.withLoaders { try await run($0) }
  }

  private func run(
    _ make: (DataLoader.Configuration, RetryPolicy?) -> any StreamingDataLoading
  ) async throws -> [String] {
    var violations: [String] = []
    var counts: [String: Int] = [:]
    print("\(requestCount) requests through faults, \(Self.atOnce) at a time")
    let origin = try OriginProcess()
    defer { origin.stop() }
    await warmUp(origin.start(.random), make)
    let start = Holdings.now()
    var afterSecond: Holdings?
    do {
      let loaders = [make(Self.configuration, nil), make(Self.configuration, Self.policy)]
      let inRound = requestCount / Self.roundCount
      for round in 0..<Self.roundCount {
        let root = origin.start(.random)
        let numbers = (round * inRound)..<((round + 1) * inRound)
        for (number, outcome) in await load(numbers, from: root, with: loaders) {
          violations += check(outcome, number)
          counts[outcome.error.map(Self.name) ?? "complete", default: 0] += 1
        }
        let holdings = Holdings.now()
        print("  round \(round + 1): \(holdings)")
        if round == 1 { afterSecond = holdings }
        if let afterSecond, round > 1 { violations += holdings.growth(since: afterSecond, of: "round \(round + 1)") }
      }
    }
    print("  ends: " + counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    let ends = counts.values.reduce(0, +)
    if ends != requestCount { violations.append("\(ends) ends of \(requestCount) requests") }
    let left = await descriptors(backTo: start.descriptors)
    print("  loaders gone: \(left) descriptors, \(start.descriptors) before")
    if left > start.descriptors { violations.append("\(left - start.descriptors) descriptors were not given back") }
    return violations
  }

  /// Loads until the number of open descriptors no longer grows. Descriptors that the process opens once and keeps,
  /// such as those of Dispatch's timers, are not counted.
  private func warmUp(
    _ root: URL, _ make: (DataLoader.Configuration, RetryPolicy?) -> any StreamingDataLoading
  ) async {
    var count = 0
    for _ in 0..<10 {
      _ = await load(0..<100, from: root, with: [make(Self.configuration, Self.policy)])
      let left = await descriptors(backTo: 0)
      if left == count { return }
      count = left
    }
  }

  private static let policy = RetryPolicy(maxRetryCount: 2, initialDelay: 0.005)

  private static var configuration: DataLoader.Configuration {
    var configuration = DataLoader.Configuration()
    configuration.proxy = .none
    configuration.idleTimeout = 0.5
    configuration.maximumConnectionsPerHost = 24
    configuration.userAgent = "NetworkStress"
    return configuration
  }

  private func load(
    _ numbers: Range<Int>, from root: URL, with loaders: [any StreamingDataLoading]
  ) async -> [(Int, Outcome)] {
    await withTaskGroup(of: (Int, Outcome).self) { group in
      var outcomes: [(Int, Outcome)] = []
      for number in numbers {
        if number - numbers.lowerBound >= Self.atOnce, let outcome = await group.next() { outcomes.append(outcome) }
        group.addTask { (number, await load(number, from: root, with: loaders[number / 7 % loaders.count])) }
      }
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }

  private func load(_ number: Int, from root: URL, with loader: any StreamingDataLoading) async -> Outcome {
    let running = Lock<(any Transfer)?>(nil)
    return await withCheckedContinuation { continuation in
      let ended = Lock<(outcome: Outcome?, isTold: Bool)>((nil, false))
      let outcome = Outcome {
        if number % 11 == 0 { running.withLock { $0 }?.pause() }
      } didEnd: {
        let outcome = ended.withLock { ended -> Outcome? in
          // Removed, because the outcome retains this closure.
          defer { ended = (nil, true) }
          return ended.isTold ? nil : ended.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
      ended.withLock { $0.outcome = outcome }
      let transfer = loader.stream(
        URLRequest(url: root.appendingPathComponent("\(resource(number))")), limit: nil, observer: outcome)
      running.withLock { $0 = transfer }
      switch number % 11 {
      case 0:
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
          running.withLock { $0 = nil }
          transfer.resume()
        }
      case 1: transfer.cancel()
      case 2: DispatchQueue.global().asyncAfter(deadline: .now() + 0.003) { transfer.cancel() }
      default: break
      }
    }
  }

  /// The resource of a request. With a cache, several requests get the same resource, concurrently and later.
  private func resource(_ number: Int) -> Int { transport == .cache ? number / 4 : number }

  private func check(_ outcome: Outcome, _ number: Int) -> [String] {
    if outcome.ends != 1 { return ["request \(number) ended \(outcome.ends) times"] }
    let resource = resource(number)
    let body = RandomBehavior.body(of: resource)
    guard body.prefix(outcome.body.count) == outcome.body else {
      return ["request \(number) was given bytes of another"]
    }
    if outcome.error == nil, outcome.body != body {
      let seen = "\(outcome.body.count) bytes, heads \(outcome.statuses)"
      return ["request \(number) (\(RandomBehavior.kind(of: resource))) ended well without all of its body: \(seen)"]
    }
    if let error = outcome.error, RandomBehavior.kind(of: resource).isFine, !(1...2).contains(number % 11) {
      return ["request \(number) should be fine, and ended with: \(error)"]
    }
    return []
  }

  private static func name(_ error: any Error) -> String {
    Mirror(reflecting: error).children.first?.label ?? "cancelled"
  }

  /// Returns the number of open descriptors when it has fallen to the limit, or after five seconds, because other
  /// threads close connections.
  private func descriptors(backTo wanted: Int) async -> Int {
    var count = Holdings.now().descriptors
    for _ in 0..<100 where count > wanted {
      try? await Task.sleep(for: .milliseconds(50))
      count = Holdings.now().descriptors
    }
    return count
  }
}
