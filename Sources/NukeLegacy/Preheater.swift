import Nuke

/// Loads images into the memory cache before they are needed.
///
/// ```swift
/// let preheater = Preheater()
/// preheater.startPreheating(for: requests)
/// preheater.stopPreheating(for: requests)
/// ```
///
/// It may be used from any thread. Its loads are canceled when it is deinitialized.
public final class Preheater: Sendable {
  private typealias Schedule = PrefetchSchedule<AnyHashable, Request, CancellationTokenSource>

  private struct State: ~Copyable {
    var schedule = Schedule()
    /// `true` if a thread is starting loads. It does so in a loop, since loads of cached images end immediately.
    var isStarting = false
  }

  /// The state that loads use when they end, perhaps after the preheater was deinitialized.
  private final class Runner: Sendable {
    let loader: any Loading
    let limit: Int
    let state = Lock(State())

    init(loader: any Loading, limit: Int) {
      self.loader = loader
      self.limit = limit
    }

    /// Makes a change, and starts the loads that are due, unless another thread is doing that and will see the change.
    ///
    /// - Parameter change: returns what is released outside the lock.
    func update<Released>(_ change: (inout Schedule) -> Released) {
      let (isFirst, released) = state.withLock { state in
        let released = change(&state.schedule)
        return (!exchange(&state.isStarting, with: true), released)
      }
      withExtendedLifetime(released) {}
      guard isFirst else { return }
      while let (id, request, source) = takeNext() {
        load(request, token: source.token).observe { [self] _ in update { $0.end(id) } }
      }
    }

    private func takeNext() -> (Schedule.ID, Request, CancellationTokenSource)? {
      let source = CancellationTokenSource()
      return state.withLock { state in
        guard let (id, request) = state.schedule.startNext(limit: limit) else {
          state.isStarting = false
          return nil
        }
        _ = state.schedule.note(source, of: id)
        return (id, request, source)
      }
    }

    private func load(_ request: Request, token: CancellationToken) -> Promise<Image> {
      if let loader = loader as? Loader { return loader.loadImage(with: request, token: token, priority: .low) }
      return loader.loadImage(with: request, token: token)
    }

    func cancel(_ removed: Schedule.Removed) {
      // In reverse order: the first loads hold slots, which would otherwise pass to loads that are canceled next.
      for source in removed.tasks.reversed() { source.cancel() }
      update { _ in }
    }
  }

  private let runner: Runner

  /// Creates a preheater.
  ///
  /// - Parameters:
  ///   - loader: loads the images. A ``Loader`` uses low priority.
  ///   - maxConcurrentRequestCount: the number of concurrent loads, at least one. Others wait in order.
  public init(loader: any Loading = Loader.shared, maxConcurrentRequestCount: Int = 2) {
    runner = Runner(loader: loader, limit: max(1, maxConcurrentRequestCount))
  }

  deinit { stopPreheating() }

  /// Starts to load images in order, and returns immediately. Requests that are being preheated are ignored.
  public func startPreheating(for requests: [Request]) {
    let keys = requests.map(\.joinKey)
    runner.update { schedule in
      schedule.reserve(requests.count)
      for (request, key) in zip(requests, keys) { schedule.add(request, key: key) }
    }
  }

  /// Cancels the loads of equal requests. Loads that others wait for continue.
  public func stopPreheating(for requests: [Request]) {
    let keys = requests.map(\.joinKey)
    runner.cancel(runner.state.withLock { $0.schedule.remove(keys) })
  }

  /// Cancels all loads.
  public func stopPreheating() { runner.cancel(runner.state.withLock { $0.schedule.removeAll() }) }
}
