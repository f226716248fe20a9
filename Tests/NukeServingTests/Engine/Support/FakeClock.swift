import NukeBase
import NukeHTTPCaching

@testable import NukeServing

/// A clock that stands still until a test moves it.
final class FakeClock: Sendable {
  private struct State {
    /// Nanoseconds.
    var uptime = 0
    var lastSleeper = 0
    var sleepers: [Int: (due: Int, deferred: Deferred<Bool>)] = [:]
    var watchers: [(count: Int, deferred: Deferred<Void>)] = []
  }

  private let state = Lock(State())

  var clock: ServiceClock {
    ServiceClock(
      now: { self.now }, uptime: { self.state.withLock { $0.uptime } }, sleep: { try await self.sleep(until: $0) })
  }

  var now: Timestamp {
    state.withLock { Timestamp(milliseconds: 1_700_000_000_000 + $0.uptime / 1_000_000) }
  }

  func advance(seconds: Double) {
    let due = state.withLock { state in
      state.uptime += Int(seconds * 1e9)
      let due = state.sleepers.filter { $0.value.due <= state.uptime }
      for key in due.keys { state.sleepers[key] = nil }
      return due.values.map(\.deferred)
    }
    for deferred in due { deferred.complete(true) }
  }

  /// Returns once so many sleep.
  func sleepers(count: Int) async {
    let deferred = Deferred<Void>()
    let isMet = state.withLock { state in
      if state.sleepers.count < count { state.watchers.append((count, deferred)) }
      return state.sleepers.count >= count
    }
    if !isMet { await deferred.value }
  }

  private func sleep(until moment: Int) async throws {
    let deferred = Deferred<Bool>()
    let (number, met) = state.withLock { state in
      state.lastSleeper += 1
      if moment <= state.uptime {
        deferred.complete(true)
      } else {
        state.sleepers[state.lastSleeper] = (moment, deferred)
      }
      let met = state.watchers.filter { $0.count <= state.sleepers.count }
      state.watchers.removeAll { $0.count <= state.sleepers.count }
      return (state.lastSleeper, met)
    }
    for watcher in met { watcher.deferred.complete(()) }
    let isDue = await withTaskCancellationHandler {
      await deferred.value
    } onCancel: {
      // At once, so that whoever counts those that sleep does not count one that is called off.
      state.withLock { $0.sleepers[number] = nil }
      deferred.complete(false)
    }
    if !isDue { throw CancellationError() }
  }
}
