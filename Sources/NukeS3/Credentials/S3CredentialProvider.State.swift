import Dispatch
import Foundation
import Nuke

extension S3CredentialProvider {
  /// A time on two clocks.
  struct Moment: Sendable {
    /// The date, which expirations refer to.
    var date: Date
    /// A monotonic time in seconds, for the delays between attempts. The date may be set back meanwhile.
    var uptime: TimeInterval

    static var now: Moment {
      Moment(date: Date(), uptime: TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9)
    }
  }

  /// The fetched credentials, and the requests that wait for others. A value type that decides when to fetch.
  struct State {
    typealias Answer = Result<S3Credentials, S3CredentialProvider.Error>
    typealias Waiter = @Sendable (Answer) -> Void

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

    /// Returns the answer to a request, or `nil` if `waiter` receives it in ``finish(_:at:)``. The caller must start a
    /// fetch if `startsFetch` is `true`.
    mutating func ask(at moment: Moment, _ waiter: @escaping Waiter) -> (answer: Answer?, startsFetch: Bool) {
      let valid = valid(at: moment)
      let isDue = valid?.isDue(at: moment.date) ?? true
      let startsFetch = isDue && !isFetching && breaker.verdict(at: moment.uptime) != .refuse
      if startsFetch { isFetching = true }
      if let valid, !(valid.isRejected && isFetching) { return (.success(valid.fetched.credentials), startsFetch) }
      guard isFetching else { return (.failure(failure), false) }
      waiters.append(waiter)
      return (nil, startsFetch)
    }

    /// Ends a fetch. Returns the waiters, and the answer for them.
    mutating func finish(
      _ result: Result<ExpiringCredentials, S3CredentialProvider.Error>, at moment: Moment
    ) -> (answer: Answer, waiters: [Waiter]) {
      isFetching = false
      current?.isRejected = false
      switch result {
      case .success(let new):
        breaker.succeeded()
        current = Current(fetched: new, renewalDate: moment.date + 60)
      case .failure(let error):
        failure = error
        if breaker.isTrying { breaker.trialFailed(at: moment.uptime) } else { breaker.failed(at: moment.uptime) }
      }
      defer { waiters = [] }
      return (valid(at: moment).map { .success($0.fetched.credentials) } ?? .failure(failure), waiters)
    }

    /// Makes the next request fetch other credentials, if these are the current ones. Has no effect on new credentials:
    /// the reason may be a request that a client sends again and again.
    mutating func reject(_ credentials: S3Credentials, at moment: Moment) {
      guard let current, current.fetched.credentials == credentials, moment.date >= current.renewalDate else { return }
      self.current?.isRejected = true
    }

    private func valid(at moment: Moment) -> Current? {
      current.flatMap { moment.date < $0.fetched.expiration ? $0 : nil }
    }
  }
}
