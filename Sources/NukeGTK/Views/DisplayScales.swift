#if GTK
  import Foundation

  /// The scales of the displays that views are on. ``DisplayScale/current`` follows the largest, so that sizes in points
  /// are enough for the finest display in use.
  struct DisplayScales {
    /// The number of views on displays of each scale.
    private var counts: [Double: Int] = [:]
    /// The scale that the program itself has set, which is not lowered.
    private var minimum: CGFloat?
    /// The scale that was returned last.
    private var returned: CGFloat?

    /// Notes that a view has appeared, has moved to another display, or has gone.
    ///
    /// - Parameters:
    ///   - old: the scale that was noted for the view before; `nil` for a new one.
    ///   - new: its scale now; `nil` if it has gone.
    ///   - current: the scale of the process.
    /// - Returns: the new scale of the process.
    mutating func replace(_ old: Double?, with new: Double?, current: CGFloat) -> CGFloat {
      if let old, let count = counts[old] { counts[old] = count > 1 ? count - 1 : nil }
      if let new { counts[new, default: 0] += 1 }
      // The program has set another one meanwhile.
      if current != returned { minimum = current }
      let scale = max(minimum ?? current, CGFloat(counts.keys.max() ?? 0))
      returned = scale
      return scale
    }
  }
#endif
