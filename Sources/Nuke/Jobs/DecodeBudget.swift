import NukeImaging

/// Room for the bytes of all pictures that the process decodes at one time.
///
/// A decode states from the header what it will take and waits until there is room, so that ten huge pictures at once
/// do not exhaust the memory. One that is larger than the whole budget is let in when it is alone.
package final class DecodeBudget: Sendable {
  /// A quarter of the memory that this process may use.
  static let shared = DecodeBudget(limit: MemoryLimit.bytes / 4)

  /// Waits for room; told on whichever thread made it.
  package protocol Applicant: AnyObject, Sendable {
    var wantedBytes: Int { get }
    func hasRoom()
  }

  private struct State {
    var used = 0
    var waiting: [any Applicant] = []
  }

  private let state = Lock(State())
  /// Bytes.
  package let limit: Int

  package init(limit: Int) { self.limit = max(1, limit) }

  /// Bytes that are taken now.
  package var usedByteCount: Int { state.withLock { $0.used } }

  /// Takes room at once where there is some and nobody came before; else the applicant waits for its turn.
  ///
  /// - Returns: whether room was taken; false where ``Applicant/hasRoom()`` will be called.
  package func enter(_ applicant: any Applicant) -> Bool {
    state.withLock { state in
      guard state.waiting.isEmpty, fits(applicant.wantedBytes, state) else {
        state.waiting.append(applicant)
        return false
      }
      state.used += applicant.wantedBytes
      return true
    }
  }

  /// Gives the bytes of a finished decode back.
  package func leave(_ bytes: Int) {
    let admitted = state.withLock { state in
      state.used -= bytes
      return admit(&state)
    }
    for applicant in admitted { applicant.hasRoom() }
  }

  /// Takes back an application; false where the room has been given.
  package func withdraw(_ applicant: any Applicant) -> Bool {
    let (withdrawn, admitted) = state.withLock { state -> (Bool, [any Applicant]) in
      guard let index = state.waiting.firstIndex(where: { $0 === applicant }) else { return (false, []) }
      state.waiting.remove(at: index)
      return (true, admit(&state))
    }
    for applicant in admitted { applicant.hasRoom() }
    return withdrawn
  }

  private func fits(_ bytes: Int, _ state: State) -> Bool { state.used == 0 || state.used + bytes <= limit }

  private func admit(_ state: inout State) -> [any Applicant] {
    var admitted: [any Applicant] = []
    while let first = state.waiting.first, fits(first.wantedBytes, state) {
      state.used += first.wantedBytes
      admitted.append(state.waiting.removeFirst())
    }
    return admitted
  }
}
