import NukeBase

/// The memory budget for the pixels of all images that the process decodes at a time.
///
/// A decode requests the bytes that the header of the image implies, and waits until they are available. Several huge
/// images at once therefore do not exhaust the memory. An image that exceeds the whole budget is decoded while no other
/// image is.
///
/// Waiters are served by priority, and in order of arrival within a priority. No waiter overtakes the first one, so
/// that small images do not starve a large one.
package final class DecodeBudget: Sendable {
  /// A quarter of the memory that this process may use.
  static let shared = DecodeBudget(limit: MemoryLimit.bytes / 4)

  /// An object that waits for a share of the budget. It is called on the thread that released the bytes.
  package protocol Waiter: AnyObject, Sendable {
    var wantedBytes: Int { get }
    /// The latest priority. Read under the lock of the budget.
    var currentPriority: WorkPriority { get }
    func hasRoom()
  }

  private struct State {
    var used = 0
    /// The waiters in the order in which they are served.
    var waiting: [(waiter: any Waiter, priority: WorkPriority)] = []

    mutating func append(_ waiter: any Waiter) {
      let priority = waiter.currentPriority
      let index = waiting.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
      waiting.insert((waiter, priority), at: index)
    }

    mutating func remove(_ waiter: any Waiter) -> Bool {
      guard let index = waiting.firstIndex(where: { $0.waiter === waiter }) else { return false }
      waiting.remove(at: index)
      return true
    }
  }

  private let state = Lock(State())
  /// The size of the budget, in bytes.
  package let limit: Int

  package init(limit: Int) { self.limit = max(1, limit) }

  /// The bytes in use.
  package var usedByteCount: Int { state.withLock { $0.used } }
  /// The number of waiters.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Takes the bytes at once if they are available and no other waiter comes first. Otherwise adds the waiter.
  ///
  /// - Returns: `true` if the bytes were taken; `false` if ``Waiter/hasRoom()`` will be called.
  package func enter(_ waiter: any Waiter) -> Bool {
    state.withLock { state in
      let goesFirst = state.waiting.first.map { $0.priority < waiter.currentPriority } ?? true
      guard goesFirst, fits(waiter.wantedBytes, state) else {
        state.append(waiter)
        return false
      }
      state.used += waiter.wantedBytes
      return true
    }
  }

  /// Releases the bytes of a finished decode.
  package func leave(_ bytes: Int) {
    change { $0.used -= bytes }
  }

  /// Removes a waiter. Returns `false` if it has already received its bytes.
  package func withdraw(_ waiter: any Waiter) -> Bool {
    change { $0.remove(waiter) }
  }

  /// Moves a waiter to the end of its current priority.
  package func reprioritize(_ waiter: any Waiter) {
    change { state in
      guard state.waiting.contains(where: { $0.waiter === waiter && $0.priority != waiter.currentPriority })
      else { return }
      _ = state.remove(waiter)
      state.append(waiter)
    }
  }

  private func fits(_ bytes: Int, _ state: State) -> Bool { state.used == 0 || state.used + bytes <= limit }

  /// Makes a change, and calls the waiters that receive their bytes because of it.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, admitted) = state.withLock { state in (body(&state), admit(&state)) }
    for waiter in admitted { waiter.hasRoom() }
    return result
  }

  private func admit(_ state: inout State) -> [any Waiter] {
    var admitted: [any Waiter] = []
    while let first = state.waiting.first?.waiter, fits(first.wantedBytes, state) {
      state.used += first.wantedBytes
      admitted.append(first)
      state.waiting.removeFirst()
    }
    return admitted
  }
}
