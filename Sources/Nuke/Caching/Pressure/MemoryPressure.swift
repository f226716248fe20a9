import Foundation
import NukeBase
import NukeImaging

/// Notifies the owners of reloadable data when memory runs short.
///
/// Its thread starts with the first registration. Handlers run on the thread of the source, one after the other, never
/// under a lock.
package final class MemoryPressure: Sendable {
  package enum Level: Int, Comparable, Sendable {
    /// Programs occasionally wait for memory.
    case moderate
    /// Programs wait for memory all the time, or the limit is near.
    case critical

    /// The fraction of its contents that a cache keeps.
    package var keptPart: Double { self == .moderate ? 0.5 : 0.1 }

    package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Starts to report memory pressure, on a dedicated thread.
  package typealias Source = @Sendable (_ report: @escaping @Sendable (Level) -> Void) -> Void

  /// The memory pressure of the process; see ``MemoryWatch`` for its source.
  package static let shared = MemoryPressure(source: MemoryWatch.start) {
    MemoryPool.shared.drain()
    trimHeap()
  }

  /// Returns freed memory to the system, if the C library supports that.
  private static func trimHeap() {
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  private struct State {
    var handlers: [(id: Int, body: @Sendable (Level) -> Void)] = []
    var lastID = 0
    var isWatching = false
  }

  private let state = Lock(State())
  private let source: Source
  private let giveBack: @Sendable () -> Void

  /// - Parameters:
  ///   - source: called once, at the first registration.
  ///   - giveBack: called after all handlers, to return freed memory to the system.
  package init(source: @escaping Source, giveBack: @escaping @Sendable () -> Void = {}) {
    self.source = source
    self.giveBack = giveBack
  }

  /// A registration. The handler stays registered as long as this object exists.
  package final class Registration: Sendable {
    private let pressure: MemoryPressure
    private let id: Int

    fileprivate init(_ pressure: MemoryPressure, id: Int) {
      self.pressure = pressure
      self.id = id
    }

    deinit { pressure.unregister(id) }
  }

  /// Registers a handler for memory pressure. A call may still be running when the registration ends.
  package func register(_ body: @escaping @Sendable (Level) -> Void) -> Registration {
    let (id, isFirst) = state.withLock { state in
      state.lastID += 1
      state.handlers.append((state.lastID, body))
      return (state.lastID, !exchange(&state.isWatching, with: true))
    }
    if isFirst { source { self.report($0) } }
    return Registration(self, id: id)
  }

  private func unregister(_ id: Int) {
    let removed = state.withLock { state in
      state.handlers.firstIndex { $0.id == id }.map { state.handlers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  private func report(_ level: Level) {
    let handlers = state.withLock { $0.handlers }
    for handler in handlers { handler.body(level) }
    giveBack()
  }
}
