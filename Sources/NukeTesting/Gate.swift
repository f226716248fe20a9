import Foundation

/// Blocks callers until a test opens it, so that the test determines the order of events.
///
/// ```swift
/// let gate = Gate()
/// loader.answer(url, with: .data(image).held(by: gate))
/// let task = pipeline.imageTask(with: url)
/// await loader.requests(count: 1)
/// // The load is running, and cannot have finished.
/// gate.open()
/// ```
///
/// It stays open. It may be used from any thread.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    /// The number of arrivals, including those that did not wait.
    var arrivals = 0
    var continuations: [@Sendable () -> Void] = []
  }

  private let state = Watched(State())

  /// Creates a gate. The default is closed.
  public init(isOpen: Bool = false) {
    if isOpen { open() }
  }

  /// A Boolean value that indicates whether the gate is open.
  public var isOpen: Bool { state.value.isOpen }

  /// The number of calls that have reached the gate, including those that did not have to wait.
  public var arrivalCount: Int { state.value.arrivals }

  /// Opens the gate.
  public func open() {
    let continuations = state.change { state in
      state.isOpen = true
      defer { state.continuations = [] }
      return state.continuations
    }
    for resume in continuations { resume() }
  }

  /// Waits until the gate is open, or the waiting task is canceled. Blocks no thread.
  public func wait() async {
    state.change { $0.arrivals += 1 }
    _ = await state.wait(until: \.isOpen)
  }

  /// Blocks the calling thread until the gate is open, for synchronous closures such as those of processors. Block only
  /// a few threads, since the pipeline has few.
  public func waitBlocking() {
    let opened = DispatchSemaphore(value: 0)
    whenOpen { opened.signal() }
    opened.wait()
  }

  /// Waits until there have been at least `count` arrivals, or the waiting task is canceled. A caller that finds the
  /// gate open also counts as an arrival.
  public func arrivals(count: Int) async { _ = await state.wait { $0.arrivals >= count } }

  /// Calls `body` immediately if the gate is open, otherwise on the thread that opens it.
  func whenOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.change { state in
      state.arrivals += 1
      if !state.isOpen { state.continuations.append(body) }
      return state.isOpen
    }
    if isOpen { body() }
  }
}
