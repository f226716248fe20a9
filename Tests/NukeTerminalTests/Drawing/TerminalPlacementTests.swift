import Testing

@testable import NukeTerminal

@Suite struct TerminalPlacementTests {
  private let window = TerminalWindow(columns: 100, rows: 31, pixelWidth: 1000, pixelHeight: 620)

  private func place(
    _ width: Int, _ height: Int, _ method: TerminalProtocol, in window: TerminalWindow? = nil,
    size: TerminalSize? = nil
  ) -> TerminalPlacement? {
    TerminalPlacement(width: width, height: height, window: window ?? self.window, method: method, size: size)
  }

  @Test("An image has its size in pixels, within the window, above the cursor's line")
  func pixels() throws {
    let small = try #require(place(35, 41, .kitty))
    #expect((small.width, small.height) == (35, 41))
    #expect((small.columns, small.rows) == (4, 3))
    let wide = try #require(place(4000, 1000, .kitty))
    #expect((wide.width, wide.height) == (1000, 250))
    let high = try #require(place(1000, 4000, .kitty))
    #expect((high.width, high.height) == (150, 600))
    #expect(high.rows == 30)
  }

  @Test("A cell has two pixels, and shapes are kept if cells are not twice as high as wide")
  func blocks() throws {
    let small = try #require(place(20, 11, .blocks))
    #expect((small.width, small.height, small.columns, small.rows) == (20, 11, 20, 6))
    let large = try #require(place(1000, 1000, .blocks))
    #expect((large.width, large.height, large.rows) == (60, 60, 30))
    let slim = TerminalWindow(columns: 100, rows: 31, pixelWidth: 600, pixelHeight: 558)
    // Half a cell is 9 pixels high and 6 wide.
    let shaped = try #require(place(900, 900, .blocks, in: slim))
    #expect((shaped.columns, shaped.height) == (90, 60))
  }

  @Test("A size is filled, also by a smaller image, within the window")
  func sizes() throws {
    let enlarged = try #require(place(10, 10, .kitty, size: TerminalSize(columns: 40, rows: 10)))
    #expect((enlarged.width, enlarged.height) == (200, 200))
    #expect((enlarged.columns, enlarged.rows) == (20, 10))
    let blocks = try #require(place(2, 2, .blocks, size: TerminalSize(columns: 40, rows: 10)))
    #expect((blocks.columns, blocks.rows) == (20, 10))
    let huge = try #require(place(10, 10, .kitty, size: TerminalSize(columns: .max, rows: .max)))
    #expect(huge.rows == 30)
  }

  @Test("Sixels never extend into the next row")
  func sixels() throws {
    for height in 1...700 {
      let placed = try #require(place(10, height, .sixel))
      #expect((placed.height + 5) / 6 * 6 <= placed.rows * 20)
      #expect(placed.rows <= 30)
    }
  }

  @Test("An empty image has no placement, and text draws nothing")
  func nothing() {
    #expect(place(0, 10, .kitty) == nil)
    #expect(place(10, 0, .blocks) == nil)
    #expect(place(10, 10, .text) == nil)
  }

  @Test(
    "For any window and image, sides are at least 1 and within bounds",
    arguments: [TerminalProtocol.kitty, .sixel, .blocks, .symbols])
  func extremes(method: TerminalProtocol) throws {
    let windows = [
      TerminalWindow(columns: 1, rows: 1), TerminalWindow(columns: 1, rows: 1, pixelWidth: 1, pixelHeight: 1),
      TerminalWindow(columns: 1, rows: 2, pixelWidth: 10, pixelHeight: 40), TerminalWindow(columns: -5, rows: 0),
      TerminalWindow(columns: 65_535, rows: 65_535, pixelWidth: 65_535, pixelHeight: 65_535),
      TerminalWindow(columns: 65_535, rows: 65_535), TerminalWindow(columns: 65_535, rows: 1),
      TerminalWindow(columns: 2, rows: 2, pixelWidth: 60_000, pixelHeight: 60_000),
      TerminalWindow(columns: .max, rows: .max),
    ]
    for window in windows {
      for (width, height) in [(1, 1), (1, 100_000), (100_000, 1), (3000, 2000), (.max, .max), (1, .max)] {
        for size in [nil, TerminalSize(columns: .max, rows: .max), TerminalSize(columns: 0, rows: -1)] {
          let placed = try #require(place(width, height, method, in: window, size: size))
          #expect(placed.width >= 1 && placed.height >= 1 && placed.columns >= 1 && placed.rows >= 1)
          #expect(placed.width <= 4096 && placed.height <= 4096)
          #expect(placed.columns <= window.columns && placed.rows <= max(1, window.rows - 1))
        }
      }
    }
  }
}
