#if Command
  import Nuke
  import NukeCLI
  import Testing

  @Suite struct ContactSheetTests {
    private func plain(_ pixel: [UInt8], width: Int = 8, height: Int = 8) throws -> Bitmap {
      try #require(
        Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: pixel[3] == 255) { bytes in
          for index in bytes.indices { bytes[index] = pixel[index % 4] }
        })
    }

    private func pixel(_ sheet: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
      sheet.withUnsafeBytes { Array($0[(y * sheet.pixelWidth + x) * 4..<(y * sheet.pixelWidth + x) * 4 + 4]) }
    }

    private let layout = TileLayout(columns: 2, rows: 2, tileWidth: 8, tileHeight: 8, spacing: 4)

    @Test("Images are in a grid, transparent ones over the checkerboard")
    func grid() throws {
      let sheet = try #require(ContactSheet(layout, background: .checkerboard))
      sheet.draw(try plain([255, 0, 0, 255]), at: 0)
      sheet.draw(try plain([0, 0, 0, 0]), at: 1)
      sheet.draw(try plain([0, 128, 0, 128]), at: 2)
      let image = sheet.finished()
      #expect(image.pixelWidth == 28 && image.pixelHeight == 28 && image.isOpaque)
      #expect(pixel(image, 0, 0) == [58, 58, 58, 255])
      #expect(pixel(image, 8, 8) == [255, 0, 0, 255])
      #expect(pixel(image, 20, 8) == [48, 48, 48, 255])
      #expect(pixel(image, 8, 20) == [24, 152, 24, 255])
    }

    @Test("A smaller image is in the center of its tile, and the rest has the color of the background")
    func centered() throws {
      let sheet = try #require(ContactSheet(layout, background: .color(.clear)))
      sheet.draw(try plain([9, 9, 9, 255], width: 2, height: 4), at: 3)
      let image = sheet.finished()
      #expect(!image.isOpaque)
      // The tile begins at 16, so that the image covers 19...20 by 18...21.
      for (x, y, isCovered) in [(18, 18, false), (19, 18, true), (20, 21, true), (21, 21, false), (19, 22, false)] {
        #expect(pixel(image, x, y) == (isCovered ? [9, 9, 9, 255] : [0, 0, 0, 0]), "\(x), \(y)")
      }
    }

    @Test(
      "A grid has the given columns and rows, and otherwise as many as are needed",
      arguments: [
        ("4x", 10, 4, 3), ("4X", 3, 4, 1), ("x3", 10, 4, 3), ("x3", 1, 1, 3), ("4x3", 12, 4, 3), ("4x3", 2, 4, 3),
      ])
    func grids(text: String, count: Int, columns: Int, rows: Int) throws {
      let grid = try #require(TileGrid(argument: text))
      let size = try #require(grid.size(for: count))
      #expect(size.columns == columns && size.rows == rows)
    }

    @Test(
      "Without a grid, a sheet is about as wide as high", arguments: [(1, 1, 1), (3, 2, 2), (10, 4, 3), (16, 4, 4)])
    func square(count: Int, columns: Int, rows: Int) throws {
      let size = try #require(TileGrid.square.size(for: count))
      #expect(size.columns == columns && size.rows == rows)
    }

    @Test(
      "A text that is not a grid is rejected", arguments: ["", "x", "4", "0x", "4x0", "4x3x2", "-1x", "ax", "10001x"])
    func reject(text: String) {
      #expect(TileGrid(argument: text) == nil)
    }

    @Test("A grid with too few tiles has no size")
    func tooSmall() throws {
      let grid = try #require(TileGrid(argument: "4x3"))
      #expect(grid.size(for: 13) == nil)
    }
  }
#endif
