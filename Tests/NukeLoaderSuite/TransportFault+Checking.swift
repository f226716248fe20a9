package import Nuke
import NukeOrigin
import Testing

extension TransportFault {
  /// What comes of a fault.
  package struct Outcome: Equatable, Sendable {
    /// The error's name; `nil` for a transfer that ends well.
    let error: String?
    /// Requests that the server received.
    let requests: Int
    /// Bytes of the body that were delivered.
    let bytes: Int

    package init(_ error: String?, requests: Int, bytes: Int) {
      self.error = error
      self.requests = requests
      self.bytes = bytes
    }
  }

  /// Has a loader that tries twice again meet the fault.
  ///
  /// - Parameter expected: what has to come of it; what is documented where it is `nil`.
  package func check(
    _ expected: Outcome? = nil, by makeLoader: (DataLoader.Configuration, RetryPolicy?) -> any StreamingDataLoading
  ) async throws {
    let expected = expected ?? Outcome(error, requests: requests, bytes: bytes)
    let calls = CallCounter()
    let origin = try NukeOrigin { request in respond(request, calls.next() - 1) }
    defer { origin.stop() }
    let loader = makeLoader(makeConfiguration(configure), RetryPolicy(maxRetryCount: 2, initialDelay: 0))
    let state = await loader.outcome(of: url?(origin) ?? origin.url("/"))
    let outcome = Outcome(
      state.ends.first.flatMap { $0.map(Self.name) }, requests: origin.log.requests.count, bytes: state.body.count)
    #expect(outcome == expected, "\(name): \(String(describing: state.error))")
    #expect(expected.bytes < 1000 || state.body == Self.body.prefix(expected.bytes))
    #expect(state.heads.count == (expected.bytes > 0 ? 1 : 0))
    #expect(state.ends.count == 1)
  }

  private static func name(_ error: any Error) -> String {
    if let status = error.unacceptableStatus { return "statusCodeUnacceptable(\(status))" }
    if case .timedOut(let phase, _, _)? = error.transferError { return "timedOut(.\(phase))" }
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}
