import NukeImaging

extension RenditionService {
  /// Refuses new work from now on, with ``ServingError/shuttingDown(retryAfter:)``, and returns when what runs is done
  /// and stored, or the time is over; then the rest is canceled. What is in memory is sent to the end.
  ///
  /// - Parameter gracePeriod: seconds.
  public func shutdown(gracePeriod: Double) async {
    state.withLock { $0.isShuttingDown = true }
    let end = pending.end()
    let timer = clock.after(gracePeriod) { end.give(false) }
    let isDone = await end.value(whenCancelled: false)
    timer.cancel()
    if isDone { return }
    let (waiting, tasks) = state.withLock { $0.flights.removeAll() }
    for promise in waiting { promise.give(.shutDown) }
    for task in tasks { task.cancel() }
  }
}
