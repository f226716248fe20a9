public import Dispatch
import Nuke

/// Starts work at a limited rate, with bursts: a token bucket.
///
/// ```swift
/// let limiter = RateLimiter(rate: 30, burst: 15)
/// limiter.execute(token: source.token) { task.resume() }
/// ```
///
/// It may be used from any thread. Pipelines have their own rate limiters.
public final class RateLimiter: Sendable {
  private let base: Nuke.RateLimiter
  private let queue: DispatchQueue

  /// Creates a rate limiter with a full bucket.
  ///
  /// - Parameters:
  ///   - rate: the number of starts per second in the long run, at least 1.
  ///   - burst: the number of immediate starts after a pause, at least 1.
  ///   - queue: the queue that calls the closures. A concurrent queue does not keep their order.
  public convenience init(
    rate: Int = 80, burst: Int = 25, queue: DispatchQueue = DispatchQueue(label: "nuke.legacy.rate-limiter")
  ) {
    self.init(Nuke.RateLimiter(rate: rate, burst: burst), queue: queue)
  }

  /// Creates a rate limiter with a custom clock.
  package init(_ base: Nuke.RateLimiter, queue: DispatchQueue) {
    self.base = base
    self.queue = queue
  }

  /// Calls `closure` on the queue when the rate permits, in the order of these calls.
  ///
  /// - Parameters:
  ///   - token: if canceled before, the closure is not called and does not count.
  ///   - closure: called once.
  public func execute(token: CancellationToken? = nil, _ closure: @escaping @Sendable () -> Void) {
    let work = Work(token: token, queue: queue, closure: closure)
    if base.take(work) { work.hasToken() }
  }

  private final class Work: Nuke.RateLimiter.Waiter {
    private let token: CancellationToken?
    private let queue: DispatchQueue
    private let closure: @Sendable () -> Void

    init(token: CancellationToken?, queue: DispatchQueue, closure: @escaping @Sendable () -> Void) {
      self.token = token
      self.queue = queue
      self.closure = closure
    }

    var wantsToken: Bool { token?.isCancelling != true }

    func hasToken() {
      queue.async { [self] in
        if wantsToken { closure() }
      }
    }
  }
}
