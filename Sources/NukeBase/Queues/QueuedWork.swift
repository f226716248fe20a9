package import Synchronization

/// Work that can be in a queue; see ``_QueuedWork``.
package typealias QueuedWork = _QueuedWork

/// Work that can be in one ``TaskQueue`` at a time. The lock of the queue guards its links.
///
/// It is public, with an underscore because it is not for users: only public classes have subclasses in other modules.
open class _QueuedWork: @unchecked Sendable {
  /// The use of the slot after `run()` has returned.
  public enum Outcome {
    /// The work has finished; the slot is released.
    case done
    /// The work continues without a thread. It calls ``TaskQueue/releaseSlot(of:)`` when it finishes.
    case goesOn
  }

  fileprivate(set) var previous: Unmanaged<QueuedWork>?
  fileprivate(set) var next: Unmanaged<QueuedWork>?
  fileprivate(set) var lane: Int8 = QueuedWork.notWaiting
  fileprivate static let notWaiting: Int8 = -1
  /// The host of waiting work.
  final var waitingHost: HostLoads.Host?
  /// The host of running work.
  final var runningHost: HostLoads.Host?

  public init() {}

  /// The scheme, host and port that the work connects to; `nil` if slots are not counted by host.
  open var hostName: Substring? { nil }

  /// The latest priority. The graph stores it when it decides, and the queue reads it when it applies the change, so
  /// that changes by two threads cannot be applied in the wrong order.
  package let wantedPriority = Atomic<Int>(WorkPriority.normal.rawValue)

  package final func want(_ priority: WorkPriority) { wantedPriority.store(priority.rawValue, ordering: .relaxed) }

  package var currentPriority: WorkPriority {
    WorkPriority(rawValue: wantedPriority.load(ordering: .relaxed)) ?? .normal
  }

  /// Runs the work on a worker thread, with a slot of the queue.
  open func run() -> Outcome { .done }
}

/// A closure that can be in a queue.
package final class WorkItem: QueuedWork, @unchecked Sendable {
  private let body: @Sendable () -> Outcome
  private let host: Substring?

  override package var hostName: Substring? { host }

  package init(host: Substring? = nil, _ body: @escaping @Sendable () -> Outcome) {
    self.host = host
    self.body = body
  }

  override package func run() -> Outcome { body() }
}

/// Waiting work by priority, first in, first out within one. The work itself holds the links of the lists, so that
/// removing and moving take constant time and no memory. A `Heap` of swift-collections cannot remove from its middle.
package struct WorkLanes {
  private struct Lane {
    var head: Unmanaged<QueuedWork>?
    var tail: Unmanaged<QueuedWork>?
  }
  private var lanes = [Lane](repeating: Lane(), count: WorkPriority.allCases.count)
  package private(set) var count = 0
  /// The number of items of normal priority or above.
  package private(set) var urgentCount = 0

  public init() {}

  private static func isUrgent(_ lane: Int) -> Bool { lane >= WorkPriority.normal.rawValue }

  package mutating func append(_ work: QueuedWork) {
    let lane = work.wantedPriority.load(ordering: .relaxed)
    let place = Unmanaged.passRetained(work)
    work.lane = Int8(lane)
    work.previous = lanes[lane].tail
    work.next = nil
    if let tail = lanes[lane].tail {
      tail._withUnsafeGuaranteedRef { $0.next = place }
    } else {
      lanes[lane].head = place
    }
    lanes[lane].tail = place
    count += 1
    if Self.isUrgent(lane) { urgentCount += 1 }
  }

  package mutating func popFirst() -> QueuedWork? {
    guard count > 0 else { return nil }
    for lane in lanes.indices.reversed() {
      if let head = lanes[lane].head {
        let work = head.takeUnretainedValue()
        unlink(work)
        return work
      }
    }
    return nil
  }

  /// Removes the first work that meets a condition, in the same order. The time is linear in the work that does not.
  package mutating func popFirst(where isMet: (QueuedWork) -> Bool) -> QueuedWork? {
    for lane in lanes.indices.reversed() {
      var place = lanes[lane].head
      while let work = place?.takeUnretainedValue() {
        if isMet(work) {
          unlink(work)
          return work
        }
        place = work.next
      }
    }
    return nil
  }

  /// Removes waiting work. Returns `false` if it is not in a lane.
  package mutating func remove(_ work: QueuedWork) -> Bool {
    guard work.lane != QueuedWork.notWaiting else { return false }
    unlink(work)
    return true
  }

  /// Moves waiting work to the end of the lane of its current priority.
  package mutating func move(_ work: QueuedWork) {
    guard work.lane != QueuedWork.notWaiting,
      Int(work.lane) != work.wantedPriority.load(ordering: .relaxed)
    else { return }
    unlink(work)
    append(work)
  }

  private mutating func unlink(_ work: QueuedWork) {
    let lane = Int(work.lane)
    let place = Unmanaged.passUnretained(work)
    if let previous = work.previous {
      previous._withUnsafeGuaranteedRef { $0.next = work.next }
    } else {
      lanes[lane].head = work.next
    }
    if let next = work.next {
      next._withUnsafeGuaranteedRef { $0.previous = work.previous }
    } else {
      lanes[lane].tail = work.previous
    }
    work.previous = nil
    work.next = nil
    work.lane = QueuedWork.notWaiting
    count -= 1
    if Self.isUrgent(lane) { urgentCount -= 1 }
    place.release()
  }
}
