internal import Foundation

/// The size of a terminal's window.
public struct TerminalWindow: Hashable, Sendable {
  /// Cells of a line.
  public let columns: Int
  /// Lines.
  public let rows: Int
  /// Pixels of all columns; 0 where that is not known.
  public let pixelWidth: Int
  /// Pixels of all lines; 0 where that is not known.
  public let pixelHeight: Int

  /// A window of so many cells, and pixels where they are known. Cells are brought into 1...65535, pixels into 0...2^24.
  public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.columns = min(max(columns, 1), 65_535)
    self.rows = min(max(rows, 1), 65_535)
    self.pixelWidth = min(max(pixelWidth, 0), 1 << 24)
    self.pixelHeight = min(max(pixelHeight, 0), 1 << 24)
  }

  /// The default window if none is known: 80 columns and 24 rows.
  public static let standard = TerminalWindow(columns: 80, rows: 24)

  /// The window of the terminal that a file descriptor is; `nil` if it is none, or has no size.
  public init?(descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    self.init(
      columns: Int(size.ws_col), rows: Int(size.ws_row), pixelWidth: Int(size.ws_xpixel),
      pixelHeight: Int(size.ws_ypixel))
  }

  /// A cell in pixels; `nil` if that is not known. Between 1 and 256 a side, whatever the terminal says.
  package var cell: TerminalCell? {
    let (width, height) = (pixelWidth / columns, pixelHeight / rows)
    guard width > 0, height > 0 else { return nil }
    return TerminalCell(width: width, height: height)
  }

  /// The same window with cells of so many pixels.
  package func with(_ cell: TerminalCell) -> TerminalWindow {
    TerminalWindow(
      columns: columns, rows: rows, pixelWidth: columns * cell.width, pixelHeight: rows * cell.height)
  }
}

/// The size of a terminal's cell in pixels.
package struct TerminalCell: Hashable, Sendable {
  package let width: Int
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = min(max(width, 1), 256)
    self.height = min(max(height, 1), 256)
  }

  /// The default cell if none is known. It is small, so that an image does not take more cells than it should.
  package static let assumed = TerminalCell(width: 8, height: 16)
}
