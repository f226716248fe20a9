import NukeImaging

/// The memory for the pixels of all images that the process decodes at one time.
///
/// A decode states from the header what it will take and waits until there is room, so that ten huge images at once
/// do not exhaust the memory. One that is larger than the whole budget is let in when it is alone.
///
/// The most urgent goes first, and of those with one priority the one that came first. Nobody passes one that goes before
/// it, so that a large image gets its turn among small ones.
package final class DecodeBudget: Sendable {
  /// A quarter of the memory that this process may use.
  static let shared = DecodeBudget(limit: MemoryLimit.bytes / 4)

  /// Waits for room; told on whichever thread made it.
  package protocol Waiter: AnyObject, Sendable {
    var wantedBytes: Int { get }
    /// The priority that was asked for last. Read under the budget's lock.
    var currentPriority: ImageRequest.Priority { get }
    func hasRoom()
  }

  private struct State {
    var used = 0
    /// In the order in which they will be let in.
    var waiting: [(waiter: any Waiter, priority: ImageRequest.Priority)] = []

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
  /// Bytes.
  package let limit: Int

  package init(limit: Int) { self.limit = max(1, limit) }

  /// Bytes that are taken now.
  package var usedByteCount: Int { state.withLock { $0.used } }

  /// Takes room at once where there is some and nobody waits who goes first; else the waiter waits for its turn.
  ///
  /// - Returns: `true` if room was taken; `false` if ``Waiter/hasRoom()`` will be called.
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

  /// Gives the bytes of a finished decode back.
  package func leave(_ bytes: Int) {
    change { $0.used -= bytes }
  }

  /// Takes back an application; `false` if the room has been given.
  package func withdraw(_ waiter: any Waiter) -> Bool {
    change { $0.remove(waiter) }
  }

  /// Applies the priority that the waiter has now, if it still waits: it goes behind the others of that priority.
  package func reprioritize(_ waiter: any Waiter) {
    change { state in
      guard state.waiting.contains(where: { $0.waiter === waiter && $0.priority != waiter.currentPriority })
      else { return }
      _ = state.remove(waiter)
      state.append(waiter)
    }
  }

  private func fits(_ bytes: Int, _ state: State) -> Bool { state.used == 0 || state.used + bytes <= limit }

  /// Makes a change, and tells those who may be let in after it.
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
