/// The number of cells of an image, and the pixels it is scaled to.
package struct TerminalPlacement: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The size in pixels of the terminal, or in half cells for ``TerminalProtocol/blocks``.
  package let width: Int
  package let height: Int

  /// The maximum side of an image, in pixels.
  package static let longestSide = 4096
  /// The maximum number of cells per side for characters.
  package static let mostCells = 1024

  /// Creates a placement that keeps the aspect ratio. Returns `nil` for an empty image, or if nothing is drawn.
  ///
  /// The image fits into `size` and the window, without its last line, which is for the cursor. It is enlarged only to fill
  /// a `size`.
  ///
  /// - Parameters:
  ///   - width: the width of the image, in pixels.
  ///   - height: the height of the image, in pixels.
  ///   - mostCells: the maximum number of cells per side.
  package init?(
    width: Int, height: Int, window: TerminalWindow, method: TerminalProtocol, size: TerminalSize? = nil,
    mostCells: Int = .max
  ) {
    guard width > 0, height > 0 else { return nil }
    let columns = min(size?.columns ?? .max, window.columns, mostCells)
    let rows = min(size?.rows ?? .max, max(1, window.rows - 1), mostCells)
    let cell = window.cell ?? .assumed
    let (image, most) = ((width: Double(width), height: Double(height)), size == nil ? 1 : Double.infinity)
    switch method {
    case .text: return nil
    case .kitty, .sixel:
      let right = min(columns * cell.width, Self.longestSide)
      var bottom = min(rows * cell.height, Self.longestSide)
      // Sixels have six lines, of which the last must not extend into the next row.
      if method == .sixel { bottom = max(bottom / 6 * 6, 1) }
      let scale = min(Double(right) / image.width, Double(bottom) / image.height, most)
      self.width = Self.scaled(image.width, by: scale, limit: right)
      self.height = Self.scaled(image.height, by: scale, limit: bottom)
      let drawn = method == .sixel ? (self.height + 5) / 6 * 6 : self.height
      self.columns = (self.width + cell.width - 1) / cell.width
      self.rows = min((drawn + cell.height - 1) / cell.height, rows)
    case .blocks, .symbols:
      let (right, bottom) = (min(columns, Self.mostCells), 2 * min(rows, Self.mostCells))
      // The aspect ratio of half a cell.
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
