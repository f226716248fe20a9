import Foundation

/// Blocks the scripts of responses until it is opened. It stays open.
package final class ScriptGate: Sendable {
  private let state = Locked((isOpen: false, waiting: [ObjectIdentifier: Wakeup]()))

  package init(isOpen: Bool = false) {
    if isOpen { open() }
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  package func open() {
    let waiting = state.withLock { state -> [Wakeup] in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for wakeup in waiting { wakeup.signal() }
  }

  /// Signals `wakeup` when the gate opens.
  func watch(_ wakeup: Wakeup) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting[ObjectIdentifier(wakeup)] = wakeup }
      return state.isOpen
    }
    if isOpen { wakeup.signal() }
  }

  func unwatch(_ wakeup: Wakeup) {
    state.withLock { $0.waiting[ObjectIdentifier(wakeup)] = nil }
  }
}
