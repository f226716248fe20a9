/// The priority of work in a queue. Work of a higher priority begins first.
package enum WorkPriority: Int, Comparable, Sendable, CaseIterable {
  case veryLow, low, normal, high, veryHigh

  package static func < (lhs: WorkPriority, rhs: WorkPriority) -> Bool { lhs.rawValue < rhs.rawValue }
}
