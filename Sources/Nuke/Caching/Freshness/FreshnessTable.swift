import NukeHTTPCaching
import NukeImaging

/// The freshness records of originals whose images are in memory or loading, one row for each original.
///
/// A row lives as long as something retains it. Images in memory retain their row, so one validation of an original
/// renews all images made from it.
final class FreshnessTable: Sendable {
  /// The record of one original.
  final class Row: Sendable {
    private let state = Lock<FreshnessRecord?>(nil)
    private let identity: Identity

    fileprivate init(_ identity: Identity) { self.identity = identity }

    /// Returns `true` if the row belongs to `table`, which then has no other row for the same original.
    func isOf(_ table: FreshnessTable) -> Bool { identity === table.identity }

    var record: FreshnessRecord? { state.withLock { $0 } }

    func set(_ record: FreshnessRecord?) { state.withLock { $0 = record } }

    /// Adopts the record of a disk cache or another pipeline, unless the current one is newer.
    ///
    /// - Returns: the resulting record.
    @discardableResult
    func merge(_ other: FreshnessRecord?) -> FreshnessRecord? {
      state.withLock { record in
        guard let other else { return record }
        if let known = record, known.response.responseTime >= other.response.responseTime { return known }
        record = other
        return other
      }
    }
  }

  /// Identifies a table. A row can outlive its table, whose address may then be reused.
  fileprivate final class Identity: Sendable {}

  private struct State {
    var rows: [String: Place] = [:]
    /// The number of rows at which released rows are removed.
    var limit = 64
  }

  private struct Place: @unchecked Sendable {
    weak var row: Row?
  }

  private let identity = Identity()
  private let state = Lock(State())

  /// Returns the row of an original, by the key of its data on disk.
  func row(for key: String) -> Row {
    state.withLock { state in
      if let row = state.rows[key]?.row { return row }
      if state.rows.count >= state.limit {
        state.rows = state.rows.filter { $0.value.row != nil }
        state.limit = max(64, state.rows.count * 2)
      }
      let row = Row(identity)
      state.rows[key] = Place(row: row)
      return row
    }
  }

  /// The number of rows, including released ones.
  var count: Int { state.withLock { $0.rows.count } }
}
