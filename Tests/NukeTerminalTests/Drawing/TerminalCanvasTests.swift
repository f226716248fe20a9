import Foundation
import NukeImaging
import Testing

@testable import NukeTerminal

@Suite struct TerminalCanvasTests {
  private static let graphics: [TerminalProtocol] = [.kitty, .sixel, .blocks]

  private func canvas(_ method: TerminalProtocol, on terminal: FakeTerminal, size: TerminalSize? = nil)
    -> TerminalCanvas
  {
    TerminalCanvas(.doing(method, window: terminal.window), method: method, size: size, firstImageID: 7)
  }

  /// What is left of an image: by whatever way it was drawn, from the upper left of the window on.
  private func shown(_ method: TerminalProtocol, _ terminal: FakeTerminal, _ width: Int, _ height: Int)
    -> [[FakeTerminal.Color?]]
  {
    switch method {
    case .kitty: terminal.images.last?.bitmap.colors ?? []
    case .sixel: (0..<height).map { y in (0..<width).map { terminal.pixels[y][$0] } }
    default: terminal.halves(columns: width, halves: height)
    }
  }

  @Test("An image arrives with every pixel, and the cursor is visible below it", arguments: graphics)
  func image(method: TerminalProtocol) throws {
    var terminal = FakeTerminal()
    var canvas = canvas(method, on: terminal)
    let image = Bitmap.varied(24, 18)
    terminal.write(try canvas.draw(image))
    #expect(terminal.complaints == [])
    // Sixels have percents for colors, and 256 of them.
    #expect(difference(shown(method, terminal, 24, 18), image.colors) < (method == .sixel ? 6 : 0.001))
    let rows = try #require(canvas.placement(of: image)).rows
    #expect(terminal.cursor == (0, rows))
    #expect(terminal.isCursorVisible)
    #expect(!terminal.isUpdating)
  }

  @Test("Previews replace each other in the same place, whatever their size", arguments: graphics)
  func previews(method: TerminalProtocol) throws {
    var terminal = FakeTerminal()
    var canvas = canvas(method, on: terminal)
    let steps = [
      Bitmap.plain(16, 12, 200, 0, 0), .plain(16, 12, 0, 200, 0), .plain(20, 20, 0, 0, 200), .plain(12, 6, 90, 90, 0),
    ]
    for step in steps {
      terminal.write(try canvas.draw(step))
      #expect(difference(shown(method, terminal, step.pixelWidth, step.pixelHeight), step.colors) < 2)
      #expect(terminal.cursor == (0, try #require(canvas.placement(of: step)).rows))
    }
    #expect(terminal.complaints == [])
    // Nothing is left of the larger one before.
    switch method {
    case .kitty:
      #expect(terminal.images.map { [$0.column, $0.row] } == [[0, 0]])
      #expect(terminal.mostImages == 2, "the new one is there before the old one goes")
    case .sixel: #expect(terminal.pixels.joined().count { $0 != nil } == 12 * 6)
    default: #expect(terminal.cells.joined().count { $0 != FakeTerminal.Cell() } == 12 * 3)
    }
  }

  @Test("Transparent pixels do not show the previous image", arguments: graphics)
  func transparency(method: TerminalProtocol) throws {
    var terminal = FakeTerminal()
    var canvas = canvas(method, on: terminal)
    terminal.write(try canvas.draw(.plain(16, 12, 200, 0, 0)))
    let ring = Bitmap.make(16, 12) { x, y in
      (4..<12).contains(x) && (3..<9).contains(y) ? [0, 0, 0, 0] : [0, 120, 240, 255]
    }
    terminal.write(try canvas.draw(ring))
    #expect(difference(shown(method, terminal, 16, 12), ring.colors) < 2)
    #expect(terminal.complaints == [])
  }

  @Test("At the bottom of the window, lines scroll before drawing", arguments: graphics)
  func bottom(method: TerminalProtocol) throws {
    var terminal = FakeTerminal()
    var canvas = canvas(method, on: terminal)
    let lines = (1...11).map { "line \($0)" }
    terminal.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    for image in [Bitmap.plain(16, 12, 200, 0, 0), .plain(16, 12, 0, 0, 200)] {
      terminal.write(try canvas.draw(image))
    }
    #expect(terminal.complaints == [])
    let rows = try #require(canvas.placement(of: .plain(16, 12, 0, 0, 0))).rows
    #expect(terminal.cursor == (0, 11))
    #expect(terminal.line(11 - rows - 1) == "line 11")
    switch method {
    case .kitty: #expect(terminal.images.map(\.row) == [11 - rows])
    case .sixel: #expect(terminal.pixels[(11 - rows) * 16][0]?.blue ?? 0 > 190)
    default: #expect(terminal.cells[11 - rows][0].background?.blue == 200)
    }
  }

  @Test("A window with one cell is supported", arguments: graphics)
  func oneCell(method: TerminalProtocol) throws {
    var terminal = FakeTerminal(TerminalWindow(columns: 1, rows: 1, pixelWidth: 10, pixelHeight: 20))
    var canvas = canvas(method, on: terminal)
    terminal.write(try canvas.draw(.varied(640, 480)))
    terminal.write(try canvas.draw(.varied(640, 480)))
    #expect(terminal.complaints == [])
    #expect(terminal.isCursorVisible)
    #expect(terminal.images.count == (method == .kitty ? 1 : 0))
  }

  @Test("A huge window does not enlarge an image, and a size is filled within bounds", arguments: graphics)
  func hugeWindow(method: TerminalProtocol) throws {
    let window = TerminalWindow(columns: 65_535, rows: 65_535)
    var natural = TerminalCanvas(.doing(method, window: window), method: method, firstImageID: 1)
    #expect(try natural.draw(.varied(8, 6)).count < 4000)
    var filled = TerminalCanvas(
      .doing(method, window: window), method: method, size: TerminalSize(columns: 65_535, rows: 3), firstImageID: 1)
    #expect(try filled.draw(.plain(3000, 1, 9, 9, 9)).count < 200_000)
  }

  @Test("A resized window is cleared, and drawn from its top", arguments: graphics)
  func resize(method: TerminalProtocol) throws {
    var terminal = FakeTerminal()
    var canvas = canvas(method, on: terminal)
    terminal.write(Data("above\n".utf8))
    terminal.write(try canvas.draw(.plain(320, 160, 200, 0, 0)))
    // The cells are as large as before, and fewer.
    let window = TerminalWindow(columns: 20, rows: 6, pixelWidth: 160, pixelHeight: 96)
    terminal.write(canvas.resize(to: window))
    #expect(terminal.images.isEmpty)
    #expect(terminal.pixels.joined().allSatisfy { $0 == nil })
    #expect(terminal.cells.joined().allSatisfy { $0 == FakeTerminal.Cell() })
    terminal.write(try canvas.draw(.plain(320, 160, 0, 0, 200)))
    let placement = try #require(canvas.placement(of: .plain(320, 160, 0, 0, 0)))
    #expect(placement.columns <= 20 && placement.rows <= 5)
    #expect(terminal.cursor == (0, placement.rows))
    #expect(
      difference(
        shown(method, terminal, placement.width, placement.height),
        Bitmap.plain(placement.width, placement.height, 0, 0, 200).colors) < 2)
    #expect(terminal.complaints == [])
  }

  @Test("An image is removed completely, or stays above the next one", arguments: graphics)
  func eraseAndRelease(method: TerminalProtocol) throws {
    var terminal = FakeTerminal(TerminalWindow(columns: 40, rows: 20, pixelWidth: 320, pixelHeight: 320))
    var canvas = canvas(method, on: terminal)
    terminal.write(try canvas.draw(.plain(16, 12, 200, 0, 0)))
    terminal.write(canvas.erase())
    #expect(terminal.cursor == (0, 0))
    #expect(terminal.images.isEmpty)
    #expect(terminal.pixels.joined().allSatisfy { $0 == nil })
    #expect(terminal.cells.joined().allSatisfy { $0 == FakeTerminal.Cell() })
    #expect(canvas.erase().isEmpty)

    terminal.write(try canvas.draw(.plain(16, 12, 200, 0, 0)))
    let rows = terminal.cursor.row
    canvas.release()
    terminal.write(try canvas.draw(.plain(16, 12, 0, 0, 200)))
    #expect(terminal.cursor == (0, rows * 2))
    #expect(terminal.images.map(\.row) == (method == .kitty ? [0, rows] : []))
    #expect(Set(terminal.images.map(\.id)).count == terminal.images.count)
    #expect(terminal.complaints == [])
  }

  @Test("Output that is interrupted anywhere can be completed", arguments: graphics)
  func restoration(method: TerminalProtocol) throws {
    var canvas = canvas(method, on: FakeTerminal())
    let output = try canvas.draw(.varied(30, 20))
    for count in stride(from: 0, to: output.count, by: max(1, output.count / 97)) {
      var terminal = FakeTerminal()
      terminal.write(output.prefix(count) + TerminalCanvas.restoration)
      #expect(terminal.isCursorVisible)
      #expect(!terminal.isUpdating)
      terminal.write(Data("\nabc".utf8))
      #expect(terminal.line(terminal.cursor.row) == "abc")
      #expect(terminal.cells[terminal.cursor.row][0] == .init(character: "a"))
    }
  }

  @Test("An empty image draws nothing")
  func empty() throws {
    var canvas = canvas(.kitty, on: FakeTerminal())
    #expect(try canvas.draw(Bitmap()).isEmpty)
  }
}
