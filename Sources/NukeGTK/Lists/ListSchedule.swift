#if GTK
  import Foundation

  /// Decides which rows of a list load their images, and which images are prefetched.
  ///
  /// A list binds more rows than are visible. A row loads after it has been visible for ``dwell``, so rows that pass by load
  /// nothing. The caller passes the time, in seconds.
  struct ListSchedule {
    /// The number of a row. Numbers of removed rows are reused.
    typealias Row = Int

    /// The actions to take.
    struct Step: Equatable {
      /// The rows that start to load, from the top.
      var starts: [Row] = []
      /// All rows whose images are prefetched, the nearest first; `nil` if they have not changed.
      var ahead: [Row]?
    }

    private struct State {
      var position: Int?
      /// The time at which the row became visible.
      var mappedAt: TimeInterval?
      var isStarted = false
    }

    /// The time a row is visible before it loads, in seconds.
    var dwell: TimeInterval = 0.1
    /// The number of screens to prefetch.
    var screensAhead = 2
    private var rows: [State] = []
    /// The time of the last change of visibility since the last decision about prefetching.
    private var changedAt: TimeInterval?
    /// The first visible position at the last decision about prefetching.
    private var top = 0
    private var isGoingBack = false

    // MARK: Rows

    mutating func add(_ row: Row) {
      while rows.count <= row { rows.append(State()) }
      rows[row] = State()
    }

    /// Binds a row to a position, and thus to another image.
    mutating func bind(_ row: Row, to position: Int) {
      rows[row].position = position
      rows[row].isStarted = false
    }

    mutating func unbind(_ row: Row) {
      rows[row].position = nil
      rows[row].isStarted = false
    }

    /// Records that a row has become visible.
    mutating func map(_ row: Row, at now: TimeInterval) {
      rows[row].mappedAt = now
      changedAt = now
    }

    mutating func unmap(_ row: Row, at now: TimeInterval) {
      rows[row].mappedAt = nil
      rows[row].isStarted = false
      changedAt = now
    }

    /// Records that a row already shows or loads its image.
    mutating func start(_ row: Row) { rows[row].isStarted = true }

    /// The positions of the visible rows.
    var seen: [Int] { rows.filter { $0.mappedAt != nil }.compactMap(\.position) }

    func isMapped(_ row: Row) -> Bool { rows[row].mappedAt != nil }

    // MARK: Decisions

    /// The time of the next action; `nil` if there is none until rows change.
    var nextChange: TimeInterval? {
      let waiting = rows.lazy.filter { isWaiting($0) }.compactMap(\.mappedAt).min()
      return [waiting, changedAt].compactMap { $0 }.min().map { $0 + dwell }
    }

    mutating func proceed(at now: TimeInterval) -> Step {
      var step = Step()
      for row in rows.indices where isWaiting(rows[row]) && isOver(rows[row].mappedAt, at: now) {
        rows[row].isStarted = true
        step.starts.append(row)
      }
      step.starts.sort { (rows[$0].position ?? 0) < (rows[$1].position ?? 0) }
      if isOver(changedAt, at: now) {
        changedAt = nil
        step.ahead = rowsAhead()
      }
      return step
    }

    private func isWaiting(_ row: State) -> Bool { row.position != nil && row.mappedAt != nil && !row.isStarted }

    private func isOver(_ beginning: TimeInterval?, at now: TimeInterval) -> Bool {
      beginning.map { now - $0 >= dwell } ?? false
    }

    /// Returns the bound, invisible rows in the direction of scrolling.
    private mutating func rowsAhead() -> [Row] {
      let seen = seen
      guard let first = seen.min(), let last = seen.max() else { return [] }
      if first != top { isGoingBack = first < top }
      top = first
      let reach = (last - first + 1) * max(0, screensAhead)
      let wanted = isGoingBack ? (first - reach)..<first : (last + 1)..<(last + 1 + reach)
      return rows.indices
        .filter { row in rows[row].mappedAt == nil && rows[row].position.map(wanted.contains) ?? false }
        .sorted { distance(of: $0, first, last) < distance(of: $1, first, last) }
    }

    private func distance(of row: Row, _ first: Int, _ last: Int) -> Int {
      let position = rows[row].position ?? 0
      return position < first ? first - position : position - last
    }
  }
#endif
