#if GTK
  import Foundation

  /// The display scales of all views. ``DisplayScale/current`` is the largest, so that sizes in points are sufficient for
  /// every display in use.
  struct DisplayScales {
    /// The number of views on displays of each scale.
    private var counts: [Double: Int] = [:]
    /// The scale that the program has set, which is the minimum.
    private var minimum: CGFloat?
    /// The scale that was returned last.
    private var returned: CGFloat?

    /// Records that a view has appeared, moved to another display, or disappeared.
    ///
    /// - Parameters:
    ///   - old: the previous scale of the view; `nil` for a new view.
    ///   - new: the new scale; `nil` if the view has disappeared.
    ///   - current: the scale of the process.
    /// - Returns: the new scale of the process.
    mutating func replace(_ old: Double?, with new: Double?, current: CGFloat) -> CGFloat {
      if let old, let count = counts[old] { counts[old] = count > 1 ? count - 1 : nil }
      if let new { counts[new, default: 0] += 1 }
      // The program has set another scale in the meantime.
      if current != returned { minimum = current }
      let scale = max(minimum ?? current, CGFloat(counts.keys.max() ?? 0))
      returned = scale
      return scale
    }
  }
#endif
