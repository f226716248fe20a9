internal import Foundation

/// The size of a terminal window.
public struct TerminalWindow: Hashable, Sendable {
  /// The number of cells in a line.
  public let columns: Int
  /// The number of lines.
  public let rows: Int
  /// The width in pixels; 0 if unknown.
  public let pixelWidth: Int
  /// The height in pixels; 0 if unknown.
  public let pixelHeight: Int

  /// Creates a window. Cells are clamped to 1...65535, and pixels to 0...2^24.
  public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.columns = min(max(columns, 1), 65_535)
    self.rows = min(max(rows, 1), 65_535)
    self.pixelWidth = min(max(pixelWidth, 0), 1 << 24)
    self.pixelHeight = min(max(pixelHeight, 0), 1 << 24)
  }

  /// The default window: 80 columns and 24 rows.
  public static let standard = TerminalWindow(columns: 80, rows: 24)

  /// Creates the window of a file descriptor. Returns `nil` if it is not a terminal, or has no size.
  public init?(descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), pixelWidth: Int(size.ws_xpixel),
      pixelHeight: Int(size.ws_ypixel))
  }

  /// The size of a cell in pixels, clamped to 1...256 per side; `nil` if unknown.
  package var cell: TerminalCell? {
    let (width, height) = (pixelWidth / columns, pixelHeight / rows)
    guard width > 0, height > 0 else { return nil }
    return TerminalCell(width: width, height: height)
  }

  /// Returns the same window with another size of cells.
  package func with(_ cell: TerminalCell) -> TerminalWindow {
    TerminalWindow(
      columns: columns, rows: rows, pixelWidth: columns * cell.width, pixelHeight: rows * cell.height)
  }
}

/// The size of a cell in pixels.
package struct TerminalCell: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), 256)
    self.height = min(max(height, 1), 256)
  }

  /// The default cell. It is small, so that an image does not take too many cells.
  package static let assumed = TerminalCell(width: 8, height: 16)
}

/// A number of columns and rows.
public struct TerminalSize: Hashable, Sendable {
  /// The number of columns, at least 1.
  public let columns: Int
  /// The number of rows, at least 1.
  public let rows: Int

  /// Creates a size. Numbers below 1 become 1.
  public init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }
}
