#if Command
  import ArgumentParser

  /// The number of columns and rows of a contact sheet as it is typed: `4x`, `x3`, or `4x3`.
  package struct TileGrid: ExpressibleByArgument, Equatable {
    private let columns: Int?
    private let rows: Int?

    /// The grid that is about as wide as high, in tiles.
    package static let square = TileGrid(columns: nil, rows: nil)

    private init(columns: Int?, rows: Int?) {
      (self.columns, self.rows) = (columns, rows)
    }

    package init?(argument: String) {
      let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, sides != ["", ""] else { return nil }
      for side in sides where !side.isEmpty {
        guard let count = Int(side), (1...10_000).contains(count) else { return nil }
      }
      self.init(columns: Int(sides[0]), rows: Int(sides[1]))
    }

    /// Returns the numbers of columns and rows for a number of images; `nil` if there are not enough tiles.
    package func size(for count: Int) -> (columns: Int, rows: Int)? {
      func quotient(_ divisor: Int) -> Int { max((count + divisor - 1) / divisor, 1) }
      switch (columns, rows) {
      case (let columns?, let rows?): return columns * rows >= count ? (columns, rows) : nil
      case (let columns?, nil): return (columns, quotient(columns))
      case (nil, let rows?): return (quotient(rows), rows)
      case (nil, nil):
        let columns = max(Int(Double(count).squareRoot().rounded(.up)), 1)
        return (columns, quotient(columns))
      }
    }
  }

  /// The places of the tiles of a contact sheet, in pixels.
  package struct TileLayout: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    package let tileWidth: Int
    package let tileHeight: Int
    /// The distance between two tiles, and from the edges.
    package let spacing: Int

    package init(columns: Int, rows: Int, tileWidth: Int, tileHeight: Int, spacing: Int) {
      self.columns = columns
      self.rows = rows
      self.tileWidth = tileWidth
      self.tileHeight = tileHeight
      self.spacing = spacing
    }

    package var width: Int { columns * (tileWidth + spacing) + spacing }
    package var height: Int { rows * (tileHeight + spacing) + spacing }

    /// Returns the upper left corner of a tile, in pixels. Tiles are arranged row by row.
    package func origin(of index: Int) -> (x: Int, y: Int) {
      (spacing + index % columns * (tileWidth + spacing), spacing + index / columns * (tileHeight + spacing))
    }
  }
#endif
