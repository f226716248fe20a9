import Dispatch
public import Foundation
import FoundationNetworking
import Nuke

extension S3DataCache {
  /// Stores data in the background and returns at once. The data can be read back until it is written or dropped.
  public func storeData(_ data: Data, for key: String) {
    guard data.count <= configuration.maximumObjectSize else {
      state.withLock { $0.statistics.dropped += 1 }
      // The data is not stored, so the old object must be removed.
      return add(.remove, for: key)
    }
    add(.store(data), for: key)
  }

  /// Removes data in the background and returns at once.
  public func removeData(for key: String) { add(.remove, for: key) }

  /// Blocks until all pending writes have finished or were dropped.
  public func flush() {
    let done = DispatchSemaphore(value: 0)
    let isEmpty = state.withLock { state in
      if !state.queue.isEmpty { state.waiters.append({ done.signal() }) }
      return state.queue.isEmpty
    }
    if !isEmpty { done.wait() }
  }

  private func add(_ write: PendingWrites.Write, for key: String) {
    state.withLock { state in
      if !state.queue.add(write, for: key) { state.statistics.dropped += 1 }
    }
    fill()
  }

  /// Starts pending writes, up to the maximum number.
  private func fill() {
    while let (key, write) = takeNext() {
      guard let request = request(write, for: key) else {
        finish(key, write, .failure(DataLoader.TransferError.malformedURL(key)))
        continue
      }
      let operation: Operation = if case .remove = write { .delete } else { .put }
      start(operation, request, limit: 1 << 20) { [self] result in
        finish(key, write, result)
        fill()
      }
    }
  }

  private func takeNext() -> (key: String, write: PendingWrites.Write)? {
    let moment = now()
    let (next, waiters) = state.withLock { state -> ((String, PendingWrites.Write)?, [@Sendable () -> Void]) in
      guard state.queue.runningCount < max(1, configuration.maximumConcurrentWrites),
        let next = state.queue.next().first
      else { return (nil, []) }
      guard state.breaker.verdict(at: moment) == .refuse else { return (next, []) }
      // The store is suspended after failures.
      state.queue.finish(next.key)
      state.statistics.dropped += 1 + state.queue.dropWaiting()
      return (nil, takeWaiters(&state))
    }
    for resume in waiters { resume() }
    return next
  }

  /// Drops all pending writes.
  func dropWaiting() {
    let waiters = state.withLock { state in
      state.statistics.dropped += state.queue.dropWaiting()
      return takeWaiters(&state)
    }
    for resume in waiters { resume() }
  }

  private func request(_ write: PendingWrites.Write, for key: String) -> URLRequest? {
    switch write {
    case .remove: return request("DELETE", key)
    case .store(let data, _):
      var request = request("PUT", key)
      request?.httpBody = data
      request?.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
      request?.setValue(EntryNaming.checksum(of: data, key: key), forHTTPHeaderField: Self.checksumField)
      return request
    }
  }

  private func finish(
    _ key: String, _ write: PendingWrites.Write, _ result: Result<S3Exchange.Response, any Swift.Error>
  ) {
    let isStore = if case .store = write { true } else { false }
    switch result {
    case .success: noteSuccess()
    case .failure(let error) where isStore && error.unacceptableStatus == 404: noteMissingBucket(error)
    case .failure(let error): noteFailure(error)
    }
    let waiters = state.withLock { state in
      if case .success = result {
        if isStore {
          state.reported.remove(.missingBucket)
          state.statistics.writes += 1
        } else {
          state.statistics.removals += 1
        }
      }
      state.queue.finish(key)
      return takeWaiters(&state)
    }
    for resume in waiters { resume() }
  }

  private func takeWaiters(_ state: inout State) -> [@Sendable () -> Void] {
    state.queue.isEmpty ? exchange(&state.waiters, with: []) : []
  }
}
