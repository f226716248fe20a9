import Nuke

/// A transfer that pauses while the loading budget has no room for more of its bytes.
final class BudgetedTransfer: Transfer {
  /// The reasons why a transfer is paused.
  struct PauseReasons: OptionSet {
    let rawValue: UInt8
    /// Paused by the caller.
    static let caller = PauseReasons(rawValue: 1)
    /// Paused because the budget is used up.
    static let budget = PauseReasons(rawValue: 2)
  }

  private struct State {
    var pauseReasons: PauseReasons = []
    var priority = WorkPriority.normal
    var isCancelled = false
    /// `true` if the transfer was paused for other transfers, so that a timeout may not be the source's fault.
    var wasPausedByBudget = false
    var isAborted = false
    /// The underlying transfer; `nil` before it is attached and after it has ended or was canceled.
    var inner: (any Transfer)?
    var hasEnded = false
  }

  let number: LoadingTable.Number
  private let budget: LoadingBudget
  private let state = Lock(State())

  private init(_ budget: LoadingBudget) {
    self.budget = budget
    number = budget.makeNumber()
  }

  /// - Parameters:
  ///   - firstByte: the first byte of the requested range. The caller already holds the bytes before it.
  ///   - start: starts the underlying transfer with the given observer.
  static func start(
    _ budget: LoadingBudget, firstByte: Int = 0, observer: any StreamObserver,
    _ start: (any StreamObserver) -> any Transfer
  ) -> BudgetedTransfer {
    let transfer = BudgetedTransfer(budget)
    transfer.attach(start(CountingObserver(observer, transfer, budget, firstByte: firstByte)))
    return transfer
  }

  /// Applies the calls that were made before the underlying transfer was attached.
  private func attach(_ inner: any Transfer) {
    let isCancelled = state.withLock { state in
      guard !state.isCancelled, !state.hasEnded else { return state.isCancelled }
      state.inner = inner
      if !state.pauseReasons.isEmpty { inner.pause() }
      if state.priority != .normal { inner.setPriority(state.priority) }
      return false
    }
    if isCancelled { inner.cancel() }
  }

  func cancel() {
    let inner = state.withLock { state in
      state.isCancelled = true
      return state.inner.take()
    }
    inner?.cancel()
    // Some loaders do not report the end of a canceled transfer.
    budget.end(self)
  }

  /// Aborts the transfer in favor of others. Its loader reports the end.
  ///
  /// - Returns: `true` if this call aborted it.
  func abort() -> Bool {
    let (inner, isFirst) = state.withLock { ($0.inner, !exchange(&$0.isAborted, with: true)) }
    if isFirst { inner?.cancel() }
    return isFirst
  }

  /// Returns the error to report. A failure caused by waiting for other transfers is reported as overload, not as a
  /// failure of the source.
  fileprivate func reportedError(_ error: any Error) -> any Error {
    let (wasPausedByBudget, isAborted) = state.withLock { ($0.wasPausedByBudget, $0.isAborted) }
    if isAborted { return ServingError.overloaded(retryAfter: 1) }
    if wasPausedByBudget, case .timedOut(.resource, _, _)? = error.transferError {
      return ServingError.overloaded(retryAfter: 1)
    }
    return error
  }

  fileprivate func end() {
    let inner = state.withLock { state in
      state.hasEnded = true
      return state.inner.take()
    }
    withExtendedLifetime(inner) {}
    budget.end(self)
  }

  func pause() { pause(for: .caller) }

  func resume() { resume(from: .caller) }

  func setPriority(_ priority: WorkPriority) {
    state.withLock { state in
      state.priority = priority
      state.inner?.setPriority(priority)
    }
  }

  func pause(for reason: PauseReasons) {
    state.withLock { state in
      state.pauseReasons.insert(reason)
      if reason == .budget { state.wasPausedByBudget = true }
      // Called under the lock, so that pauses and resumes reach the transfer in order.
      state.inner?.pause()
    }
  }

  func resume(from reason: PauseReasons) {
    state.withLock { state in
      state.pauseReasons.remove(reason)
      if state.pauseReasons.isEmpty { state.inner?.resume() }
    }
  }
}

/// Reports received bytes to a loading budget.
private final class CountingObserver: StreamObserver {
  private let observer: any StreamObserver
  private let transfer: BudgetedTransfer
  private let budget: LoadingBudget
  private let firstByte: Int
  private let total = Lock(0)

  init(_ observer: any StreamObserver, _ transfer: BudgetedTransfer, _ budget: LoadingBudget, firstByte: Int) {
    self.firstByte = firstByte
    self.observer = observer
    self.transfer = transfer
    self.budget = budget
  }

  var isRecording: Bool { observer.isRecording }

  func didReceive(_ head: ResponseHead) {
    if head.status == 206 { total.withLock { $0 = firstByte } }
    observer.didReceive(head)
  }

  func didRefuse(_ head: ResponseHead) { observer.didRefuse(head) }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    let total = total.withLock { total in
      total += bytes.count
      return total
    }
    if total > budget.share { budget.received(total, transfer) }
    observer.didReceive(bytes)
  }

  func didFinish(_ error: (any Error)?) {
    // From here on, the caller accounts for the bytes.
    observer.didFinish(error.map(transfer.reportedError))
    transfer.end()
  }
}
