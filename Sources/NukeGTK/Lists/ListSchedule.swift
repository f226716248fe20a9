#if GTK
  import Foundation

  /// Decides which rows of a list load their image, and for which it is fetched ahead.
  ///
  /// A list binds many more rows than are seen. One loads when it has been seen for ``dwell``, so that rows that fly past
  /// load nothing. A plain value: time is handed in, in seconds since some moment.
  struct ListSchedule {
    /// A row is a number from 0 on; numbers of rows that are gone are used again.
    typealias Row = Int

    /// What is to be done now.
    struct Step: Equatable {
      /// Rows that have been seen for long enough, from the top.
      var starts: [Row] = []
      /// All rows whose images are to be fetched ahead, the nearest first; `nil` if that has not changed.
      var ahead: [Row]?
    }

    private struct State {
      var position: Int?
      /// When it came into sight.
      var mappedAt: TimeInterval?
      var isStarted = false
    }

    /// Seconds a row is seen before it loads.
    var dwell: TimeInterval = 0.1
    /// How much is fetched ahead, in heights of what is seen.
    var screensAhead = 2
    private var rows: [State] = []
    /// When rows came into sight or left it, unless what is ahead was decided after that.
    private var changedAt: TimeInterval?
    /// The first position that was seen when what is ahead was last decided.
    private var top = 0
    private var isGoingBack = false

    // MARK: Rows

    mutating func add(_ row: Row) {
      while rows.count <= row { rows.append(State()) }
      rows[row] = State()
    }

    /// Gives a row a place in the list, and with it another image.
    mutating func bind(_ row: Row, to position: Int) {
      rows[row].position = position
      rows[row].isStarted = false
    }

    mutating func unbind(_ row: Row) {
      rows[row].position = nil
      rows[row].isStarted = false
    }

    /// Notes that a row has come into sight.
    mutating func map(_ row: Row, at now: TimeInterval) {
      rows[row].mappedAt = now
      changedAt = now
    }

    mutating func unmap(_ row: Row, at now: TimeInterval) {
      rows[row].mappedAt = nil
      rows[row].isStarted = false
      changedAt = now
    }

    /// Notes that a row shows its image, or loads it, already.
    mutating func start(_ row: Row) { rows[row].isStarted = true }

    /// Positions of the rows that are seen.
    var seen: [Int] { rows.filter { $0.mappedAt != nil }.compactMap(\.position) }

    func isMapped(_ row: Row) -> Bool { rows[row].mappedAt != nil }

    // MARK: Deciding

    /// When there is something to be done; `nil` if nothing will be unless rows move.
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

    /// Rows that are bound and not seen, in the direction in which the list has moved.
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
