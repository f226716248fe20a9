import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

/// What `NetworkStress` does at length, in small.
@Suite("Many transfers at once", .timeLimit(.minutes(2)))
struct TransportStressTests {
  @Test("Each transfer ends once with the right bytes, despite random faults", arguments: [0, 2])
  func randomFaults(retryCount: Int) async throws {
    let origin = try NukeOrigin { RandomBehavior.response(to: $0) }
    defer { origin.stop() }
    let configuration = makeConfiguration {
      $0.userAgent = UUID().uuidString
      $0.maximumConnectionsPerHost = 24
    }
    let policy = retryCount > 0 ? RetryPolicy(maxRetryCount: retryCount, initialDelay: 0) : nil
    let loader = DataLoader(configuration: configuration, retryPolicy: policy)
    let started = (0..<400).map { number in
      (number, loader.record(URLRequest(url: origin.url("/\(number)"))))
    }
    // Some are canceled at once. What stalls is canceled too, since nothing here waits for time to pass.
    for (number, (recorder, transfer)) in started {
      if number % 11 == 1 { transfer.cancel() }
      guard RandomBehavior.kind(of: number) == .stalled else { continue }
      await recorder.waitUntil { $0.isFinished || $0.body.count == 1000 }
      transfer.cancel()
    }
    for (number, (recorder, _)) in started {
      let state = await recorder.finished()
      let (kind, body) = (RandomBehavior.kind(of: number), RandomBehavior.body(of: number))
      #expect(body.prefix(state.body.count) == state.body)
      if !state.hasError { #expect(state.body == body) }
      if number % 11 != 1, kind.isFine || kind == .resumable && retryCount > 0 {
        #expect(state.hasError == false, "\(number) is \(kind)")
      }
    }
    #expect(started.allSatisfy { $0.1.recorder.state.ends.count == 1 })
  }

  @Test("Canceling everything closes the connections and starts nothing, repeatedly", arguments: [6, 50])
  func cancellations(connections: Int) async throws {
    let loader = makeOwnLoader { $0.maximumConnectionsPerHost = connections }
    for _ in 0..<5 {
      let origin = try NukeOrigin { _ in .data(noise(1000)).scripted(.head, .bytes(10), .stall) }
      defer { origin.stop() }
      let started = (0..<50).map { loader.record(URLRequest(url: origin.url("/\($0)"))) }
      try await origin.waitUntil { $0.requests.count == connections }
      // Those that wait first: whoever runs would give its place to one of them.
      for (_, transfer) in started.reversed() { transfer.cancel() }
      for (recorder, _) in started { #expect(await recorder.finished().error == .cancelled) }
      let log = try await origin.waitUntil { $0.connectionsOpen == 0 && $0.closedEarly == connections }
      #expect(log.requests.count == connections)
      #expect(started.allSatisfy { $0.recorder.state.ends.count == 1 })
    }
  }
}
