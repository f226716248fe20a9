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
  package protocol Applicant: AnyObject, Sendable {
    var wantedBytes: Int { get }
    /// The priority that was asked for last. Read under the budget's lock.
    var currentPriority: ImageRequest.Priority { get }
    func hasRoom()
  }

  private struct State {
    var used = 0
    /// In the order in which they will be let in.
    var waiting: [(applicant: any Applicant, priority: ImageRequest.Priority)] = []

    mutating func append(_ applicant: any Applicant) {
      let priority = applicant.currentPriority
      let index = waiting.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
      waiting.insert((applicant, priority), at: index)
    }

    mutating func remove(_ applicant: any Applicant) -> Bool {
      guard let index = waiting.firstIndex(where: { $0.applicant === applicant }) else { return false }
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

  /// Takes room at once where there is some and nobody waits who goes first; else the applicant waits for its turn.
  ///
  /// - Returns: `true` if room was taken; `false` if ``Applicant/hasRoom()`` will be called.
  package func enter(_ applicant: any Applicant) -> Bool {
    state.withLock { state in
      let goesFirst = state.waiting.first.map { $0.priority < applicant.currentPriority } ?? true
      guard goesFirst, fits(applicant.wantedBytes, state) else {
        state.append(applicant)
        return false
      }
      state.used += applicant.wantedBytes
      return true
    }
  }

  /// Gives the bytes of a finished decode back.
  package func leave(_ bytes: Int) {
    change { $0.used -= bytes }
  }

  /// Takes back an application; `false` if the room has been given.
  package func withdraw(_ applicant: any Applicant) -> Bool {
    change { $0.remove(applicant) }
  }

  /// Applies the priority that the applicant has now, if it still waits: it goes behind the others of that priority.
  package func reprioritize(_ applicant: any Applicant) {
    change { state in
      guard state.waiting.contains(where: { $0.applicant === applicant && $0.priority != applicant.currentPriority })
      else { return }
      _ = state.remove(applicant)
      state.append(applicant)
    }
  }

  private func fits(_ bytes: Int, _ state: State) -> Bool { state.used == 0 || state.used + bytes <= limit }

  /// Makes a change, and tells those who may be let in after it.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, admitted) = state.withLock { state in (body(&state), admit(&state)) }
    for applicant in admitted { applicant.hasRoom() }
    return result
  }

  private func admit(_ state: inout State) -> [any Applicant] {
    var admitted: [any Applicant] = []
    while let first = state.waiting.first?.applicant, fits(first.wantedBytes, state) {
      state.used += first.wantedBytes
      admitted.append(first)
      state.waiting.removeFirst()
    }
    return admitted
  }
}
