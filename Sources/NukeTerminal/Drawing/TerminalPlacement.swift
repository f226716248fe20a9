/// The number of cells of an image, and the pixels it is scaled to.
package struct TerminalPlacement: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// Pixels of the terminal, or of ``TerminalProtocol/blocks`` two a cell.
  package let width: Int
  package let height: Int

  /// The longest side that is sent to any terminal, in pixels.
  package static let longestSide = 4096
  /// The most cells a side that are filled with characters.
  package static let mostCells = 1024

  /// The place of an image that keeps its proportions; `nil` for one without pixels, and where nothing is drawn.
  ///
  /// It stays within the window, the last line of which is left to the cursor, and within `size`. It is enlarged only to
  /// fill a `size`.
  ///
  /// - Parameters:
  ///   - width: the image's, in pixels.
  ///   - height: the image's, in pixels.
  package init?(
    width: Int, height: Int, window: TerminalWindow, method: TerminalProtocol, size: TerminalSize? = nil
  ) {
    guard width > 0, height > 0 else { return nil }
    let columns = min(size?.columns ?? .max, window.columns)
    let rows = min(size?.rows ?? .max, max(1, window.rows - 1))
    let cell = window.cell ?? .assumed
    let (image, most) = ((width: Double(width), height: Double(height)), size == nil ? 1 : Double.infinity)
    switch method {
    case .text: return nil
    case .kitty, .sixel:
      let right = min(columns * cell.width, Self.longestSide)
      var bottom = min(rows * cell.height, Self.longestSide)
      // Six lines at a time are drawn, and the last of them may not reach into the next row.
      if method == .sixel { bottom = max(bottom / 6 * 6, 1) }
      let scale = min(Double(right) / image.width, Double(bottom) / image.height, most)
      self.width = Self.scaled(image.width, by: scale, limit: right)
      self.height = Self.scaled(image.height, by: scale, limit: bottom)
      let drawn = method == .sixel ? (self.height + 5) / 6 * 6 : self.height
      self.columns = (self.width + cell.width - 1) / cell.width
      self.rows = min((drawn + cell.height - 1) / cell.height, rows)
    case .blocks, .symbols:
      let (right, bottom) = (min(columns, Self.mostCells), 2 * min(rows, Self.mostCells))
      // How much higher than wide half a cell is.
      let shape = Double(cell.height) / Double(2 * cell.width)
      let scale = min(
        Double(right) / image.width, Double(bottom) * shape / image.height, most * min(1, shape))
      self.width = Self.scaled(image.width, by: scale, limit: right)
      self.height = Self.scaled(image.height, by: scale / shape, limit: bottom)
      self.columns = self.width
      self.rows = (self.height + 1) / 2
    }
  }

  private static func scaled(_ side: Double, by scale: Double, limit: Int) -> Int {
    Int(min(max((side * scale).rounded(), 1), Double(limit)))
  }
}
