import Foundation

/// Holds whoever comes back until a test opens it, so that the test and nothing else decides what happens first.
///
/// ```swift
/// let gate = Gate()
/// loader.answer(url, with: .data(picture).held(by: gate))
/// let task = pipeline.imageTask(with: url)
/// await loader.requests(count: 1)
/// // The load is certainly under way, and certainly not done.
/// gate.open()
/// ```
///
/// Opened once, it stays open. It may be used from any thread.
public final class Gate: Sendable {
  private struct State: Sendable {
    var isOpen = false
    /// The number of arrivals, including those that did not have to wait.
    var arrivals = 0
    var continuations: [@Sendable () -> Void] = []
  }

  private let state = Watched(State())

  /// A gate that is closed unless told otherwise.
  public init(isOpen: Bool = false) {
    if isOpen { open() }
  }

  /// A Boolean value that indicates whether nobody is held back any more.
  public var isOpen: Bool { state.value.isOpen }

  /// The number of arrivals at the gate so far.
  public var arrivalCount: Int { state.value.arrivals }

  /// Lets everyone through, now and from now on.
  public func open() {
    let continuations = state.change { state in
      state.isOpen = true
      defer { state.continuations = [] }
      return state.continuations
    }
    for resume in continuations { resume() }
  }

  /// Returns once the gate is open, or the waiting task is canceled. Holds no thread.
  public func wait() async {
    state.change { $0.arrivals += 1 }
    _ = await state.wait(until: \.isOpen)
  }

  /// Returns once the gate is open. Holds the calling thread, so it is for closures that cannot wait otherwise, such as
  /// those of processors; hold few at a time, since the pipeline has few threads.
  public func waitBlocking() {
    let opened = DispatchSemaphore(value: 0)
    whenOpen { opened.signal() }
    opened.wait()
  }

  /// Returns once `count` have come to the gate, whether or not it let them through.
  public func arrivals(count: Int) async { _ = await state.wait { $0.arrivals >= count } }

  /// Calls `body` at once where the gate is open, else on the thread that opens it.
  func whenOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.change { state in
      state.arrivals += 1
      if !state.isOpen { state.continuations.append(body) }
      return state.isOpen
    }
    if isOpen { body() }
  }
}
