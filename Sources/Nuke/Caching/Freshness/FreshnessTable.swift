import NukeBase
import NukeHTTPCaching

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

  private let identity = Identity()
  private let rows = Lock(WeakTable<String, Row>())

  /// Returns the row of an original, by the key of its data on disk.
  func row(for key: String) -> Row {
    var others: [Row] = []
    defer { withExtendedLifetime(others) {} }
    return rows.withLock { $0.object(for: key, others: &others) { Row(identity) } }
  }

  /// The number of rows, including released ones.
  var count: Int { rows.withLock { $0.count } }
}
