import Foundation
import NukeImaging
import Testing

@testable import NukeTerminal

@Suite struct KittyPlaceholdersTests {
  private func canvas(_ window: TerminalWindow, size: TerminalSize? = nil, firstImageID: UInt32 = 7) -> TerminalCanvas {
    TerminalCanvas(
      .doing(.kitty, window: window, environment: ["TMUX": "x"]), method: .kitty, size: size,
      firstImageID: firstImageID)
  }

  /// The parts of an image that the cells of a terminal show, row by row, without the rows that show nothing.
  private func parts(_ terminal: FakeTerminal) -> [[FakeTerminal.Placeholder]] {
    (0..<terminal.window.rows).map { row in
      (0..<terminal.window.columns).compactMap { terminal.placeholder(column: $0, row: row) }
    }.filter { !$0.isEmpty }
  }

  private func all(_ id: Int, columns: Int, rows: Int) -> [[FakeTerminal.Placeholder]] {
    (0..<rows).map { row in (0..<columns).map { FakeTerminal.Placeholder(imageID: id, column: $0, row: row) } }
  }

  @Test("An image in tmux is sent through tmux, and drawn in cells that name their row and column")
  func draw() throws {
    var terminal = FakeTerminal()
    var canvas = canvas(terminal.window)
    let image = Bitmap.varied(30, 20)
    let output = try canvas.draw(image)
    terminal.write(output)
    let drawn = try #require(terminal.images.first)
    #expect(drawn.isInPlaceholders)
    #expect(drawn.bitmap.bytes == image.bytes)
    // Cells of 8 x 16 pixels.
    #expect(drawn.cells == TerminalSize(columns: 4, rows: 2))
    #expect(parts(terminal) == all(drawn.id, columns: 4, rows: 2))
    #expect(terminal.cursor == (0, 2))
    #expect(terminal.envelopeCount == 1)
    // The placeholders are for tmux itself.
    let outside = String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}\\").last
    #expect(outside?.unicodeScalars.contains("\u{10EEEE}") == true)
    #expect(terminal.complaints == [])
  }

  @Test("Previews replace each other's cells, and their data is deleted")
  func previews() throws {
    var terminal = FakeTerminal()
    var canvas = canvas(terminal.window)
    for (width, height) in [(30, 20), (80, 60), (16, 30)] {
      terminal.write(try canvas.draw(.varied(width, height)))
      let id = try #require(terminal.images.first?.id)
      #expect(terminal.images.count == 1)
      #expect(parts(terminal) == all(id, columns: (width + 7) / 8, rows: (height + 15) / 16))
    }
    #expect(terminal.mostImages == 2, "the new one is there before the old one goes")
    terminal.write(canvas.erase())
    #expect(terminal.images.isEmpty)
    #expect(parts(terminal).isEmpty)
    #expect(terminal.complaints == [])
  }

  @Test("Images move with the lines of tmux")
  func scroll() throws {
    var terminal = FakeTerminal()
    var canvas = canvas(terminal.window)
    terminal.write(Data(String(repeating: "line\n", count: 11).utf8))
    terminal.write(try canvas.draw(.varied(30, 20)))
    let id = try #require(terminal.images.first?.id)
    #expect(terminal.placeholder(column: 0, row: 9) == .init(imageID: id, column: 0, row: 0))
    terminal.write(Data("more\n".utf8))
    #expect(terminal.placeholder(column: 0, row: 8) == .init(imageID: id, column: 0, row: 0))
  }

  @Test("An image has at most as many cells per side as placeholders can number")
  func limit() throws {
    let window = TerminalWindow(columns: 400, rows: 400, pixelWidth: 400, pixelHeight: 400)
    var terminal = FakeTerminal(window)
    var canvas = canvas(window)
    terminal.write(try canvas.draw(.plain(380, 390, 1, 2, 3)))
    let drawn = try #require(terminal.images.first)
    #expect(drawn.cells == TerminalSize(columns: 289, rows: 297))
    #expect(parts(terminal) == all(drawn.id, columns: 289, rows: 297))
    #expect(terminal.complaints == [])
  }

  @Test("All characters of the protocol are used, in their order")
  func diacritics() {
    #expect(PlaceholderDiacritics.all.count == 297)
    #expect(KittyPlaceholders.mostCells == 297)
    let size = TerminalSize(columns: 1, rows: 297)
    let rows = KittyPlaceholders.lines(id: 16, size: size).map { line in
      String(decoding: line, as: UTF8.self).unicodeScalars.drop { $0.value != 0x10EEEE }.dropFirst().first
    }
    #expect(rows == PlaceholderDiacritics.all)
  }

  @Test("61,440 images in a row have different numbers, each of which a color and a diacritic can encode")
  func numbers() {
    let ids = (UInt32.max - 61_439...UInt32.max).map { KittyPlaceholders.imageID(for: $0) }
    #expect(Set(ids).count == 61_440)
    #expect(ids.allSatisfy { $0 & 0x00FF_FF00 == 0 && $0 & 255 >= 16 })
  }
}
