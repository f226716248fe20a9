public import Dispatch
import Nuke
import NukeImaging

/// Lets work begin at a limited rate, and quick bursts of it at once: a token bucket.
///
/// ```swift
/// let limiter = RateLimiter(rate: 30, burst: 15)
/// limiter.execute(token: source.token) { task.resume() }
/// ```
///
/// It may be used from any thread. Pipelines have one of their own.
public final class RateLimiter: Sendable {
  private let base: Nuke.RateLimiter
  private let queue: DispatchQueue

  /// A limiter whose bucket is full.
  ///
  /// - Parameters:
  ///   - rate: how often work begins in a second, in the long run; at least 1.
  ///   - burst: how much begins at once after a pause; at least 1.
  ///   - queue: where the closures are called. A concurrent one does not keep their order.
  public convenience init(
    rate: Int = 80, burst: Int = 25, queue: DispatchQueue = DispatchQueue(label: "nuke.legacy.rate-limiter")
  ) {
    self.init(Nuke.RateLimiter(rate: rate, burst: burst), queue: queue)
  }

  /// A limiter with the time handed in.
  package init(_ base: Nuke.RateLimiter, queue: DispatchQueue) {
    self.base = base
    self.queue = queue
  }

  /// Calls `closure` on the queue as soon as its turn has come, in the order of these calls.
  ///
  /// - Parameters:
  ///   - token: canceled before that, the closure is not called, and takes no one's turn.
  ///   - closure: is called once.
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
