import Nuke
import NukeImaging

/// Loads images into the memory cache before they are needed.
///
/// ```swift
/// let preheater = Preheater()
/// preheater.startPreheating(for: requests)
/// preheater.stopPreheating(for: requests)
/// ```
///
/// It may be used from any thread, and all it preheats is given up when it is released.
public final class Preheater: Sendable {
  private typealias Schedule = PrefetchSchedule<AnyHashable, Request, CancellationTokenSource>

  private struct State {
    var schedule = Schedule()
    /// `true` if a thread is starting what is due. It does so in a loop, since what is in the cache ends at once.
    var isStarting = false
  }

  /// What the loads use when they end, perhaps after the preheater is gone.
  private final class Runner: Sendable {
    let loader: any Loading
    let limit: Int
    let state = Lock(State())

    init(loader: any Loading, limit: Int) {
      self.loader = loader
      self.limit = limit
    }

    /// Makes a change and starts what is due after it, unless another thread is at that: it will see the change.
    func update(_ change: (inout Schedule) -> Void) {
      let isFirst = state.withLock { state in
        change(&state.schedule)
        defer { state.isStarting = true }
        return !state.isStarting
      }
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
      // The last first: those before it hold the slots, which would else go to loads that are canceled next.
      for source in removed.tasks.reversed() { source.cancel() }
      update { _ in }
    }
  }

  private let runner: Runner

  /// A preheater.
  ///
  /// - Parameters:
  ///   - loader: loads the images. A ``Loader`` does so behind what is wanted more.
  ///   - maxConcurrentRequestCount: how many it gets at a time, at least one; the others wait in the order in which they
  ///     were asked for.
  public init(loader: any Loading = Loader.shared, maxConcurrentRequestCount: Int = 2) {
    runner = Runner(loader: loader, limit: max(1, maxConcurrentRequestCount))
  }

  deinit { stopPreheating() }

  /// Loads what `requests` ask for, one after the other, and returns at once. What is being preheated already is not asked
  /// for again.
  public func startPreheating(for requests: [Request]) {
    let keys = requests.map(\.joinKey)
    runner.update { schedule in
      schedule.reserve(requests.count)
      for (request, key) in zip(requests, keys) { schedule.add(request, key: key) }
    }
  }

  /// Gives up what was to be preheated for equal requests. Loads that others wait for as well go on for them.
  public func stopPreheating(for requests: [Request]) {
    let keys = requests.map(\.joinKey)
    runner.cancel(runner.state.withLock { $0.schedule.remove(keys) })
  }

  /// Gives up everything.
  public func stopPreheating() { runner.cancel(runner.state.withLock { $0.schedule.removeAll() }) }
}
