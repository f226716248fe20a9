/// A number of columns and rows.
public struct TerminalSize: Hashable, Sendable {
  /// Cells of a line; at least 1.
  public let columns: Int
  /// Lines; at least 1.
  public let rows: Int

  /// So many columns and rows; what is below 1 is raised to it.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
