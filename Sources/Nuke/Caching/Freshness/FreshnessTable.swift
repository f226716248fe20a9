import NukeHTTPCaching
import NukeImaging

/// The freshness records of originals whose images are in memory or are being loaded, one row each.
///
/// A row lives as long as somebody holds it. Images in memory do, so that whoever validates an original renews all that
/// was made of it.
final class FreshnessTable: Sendable {
  /// The record of one original.
  final class Row: Sendable {
    private let state = Lock<FreshnessRecord?>(nil)
    private let identity: Identity

    fileprivate init(_ identity: Identity) { self.identity = identity }

    /// Returns `true` if the row is one of `table`, which then has no other one for the same original.
    func isOf(_ table: FreshnessTable) -> Bool { identity === table.identity }

    var record: FreshnessRecord? { state.withLock { $0 } }

    func set(_ record: FreshnessRecord?) { state.withLock { $0 = record } }

    /// Takes over what a disk or another pipeline knows, unless what is here is newer.
    ///
    /// - Returns: what is known now.
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

  /// Identifies a table. Rows may outlive their table, whose address may then be used again.
  fileprivate final class Identity: Sendable {}

  private struct State {
    var rows: [String: Place] = [:]
    /// Places at which those are looked for that are held by nobody.
    var limit = 64
  }

  private struct Place: @unchecked Sendable {
    weak var row: Row?
  }

  private let identity = Identity()
  private let state = Lock(State())

  /// The row of an original, by the key of its data on disk.
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

  /// Places that are taken, also by rows that are gone.
  var count: Int { state.withLock { $0.rows.count } }
}
