import Dispatch
import Foundation
import Nuke

extension S3CredentialProvider {
  /// A time on two clocks.
  struct ClockReading: Sendable {
    /// The date, which expirations refer to.
    var date: Date
    /// A monotonic time in seconds, for the delays between attempts. The date may be set back meanwhile.
    var uptime: TimeInterval

    static var now: ClockReading {
      ClockReading(date: Date(), uptime: TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9)
    }
  }

  /// The fetched credentials, and the requests that wait for others. A value type that decides when to fetch.
  struct State {
    typealias Outcome = Result<S3Credentials, S3CredentialProvider.Error>
    typealias Waiter = @Sendable (Outcome) -> Void

    private struct Current {
      let fetched: ExpiringCredentials
      /// The date from which others may be fetched. Services return the same credentials until shortly before they
      /// expire.
      let renewalDate: Date
      /// `true` if the store has rejected the credentials, until the fetch that follows has ended.
      var isRejected = false

      func isDue(at date: Date) -> Bool { isRejected || date >= max(fetched.expiration - 300, renewalDate) }
    }

    private var current: Current?
    private var isFetching = false
    private var waiters: [Waiter] = []
    /// The last failure.
    private var failure = S3CredentialProvider.Error.noSource
    private var breaker = CircuitBreaker(threshold: 1, pauses: 1...60)

    /// Returns the result of a request, or `nil` if `waiter` receives it in ``finish(_:at:)``. The caller must start a
    /// fetch if `startsFetch` is `true`.
    mutating func ask(at time: ClockReading, _ waiter: @escaping Waiter) -> (outcome: Outcome?, startsFetch: Bool) {
      let valid = valid(at: time)
      let isDue = valid?.isDue(at: time.date) ?? true
      let startsFetch = isDue && !isFetching && breaker.verdict(at: time.uptime) != .refuse
      if startsFetch { isFetching = true }
      if let valid, !(valid.isRejected && isFetching) { return (.success(valid.fetched.credentials), startsFetch) }
      guard isFetching else { return (.failure(failure), false) }
      waiters.append(waiter)
      return (nil, startsFetch)
    }

    /// Ends a fetch. Returns the waiters, and their result.
    mutating func finish(
      _ result: Result<ExpiringCredentials, S3CredentialProvider.Error>, at time: ClockReading
    ) -> (outcome: Outcome, waiters: [Waiter]) {
      isFetching = false
      current?.isRejected = false
      switch result {
      case .success(let new):
        breaker.succeeded()
        current = Current(fetched: new, renewalDate: time.date + 60)
      case .failure(let error):
        failure = error
        if breaker.isTrying { breaker.trialFailed(at: time.uptime) } else { breaker.failed(at: time.uptime) }
      }
      defer { waiters = [] }
      return (valid(at: time).map { .success($0.fetched.credentials) } ?? .failure(failure), waiters)
    }

    /// Makes the next request fetch other credentials, if these are the current ones. Has no effect on new credentials:
    /// the reason may be a request that a client sends again and again.
    mutating func reject(_ credentials: S3Credentials, at time: ClockReading) {
      guard let current, current.fetched.credentials == credentials, time.date >= current.renewalDate else { return }
      self.current?.isRejected = true
    }

    private func valid(at time: ClockReading) -> Current? {
      current.flatMap { time.date < $0.fetched.expiration ? $0 : nil }
    }
  }
}
