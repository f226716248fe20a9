import Foundation
import NukeImaging
import Testing

@testable import NukeTerminal

@Suite struct KittyGraphicsTests {
  private let capabilities = TerminalCapabilities.doing(.kitty)

  @Test("An image in many chunks arrives unchanged, with transparency")
  func chunks() throws {
    var terminal = FakeTerminal(TerminalWindow(columns: 100, rows: 40, pixelWidth: 800, pixelHeight: 640))
    let image = Bitmap.noise(300, 200)
    for command in try KittyGraphics.show(image, id: 4_294_967_295, cells: nil) { terminal.write(command) }
    #expect(terminal.complaints == [])
    let shown = try #require(terminal.images.first)
    // PNG has straight alpha, which loses no more than rounding.
    let worst = zip(shown.bitmap.bytes, image.bytes).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 255 <= 1)
    #expect(shown.id == 4_294_967_295)
    #expect(shown.cells == nil)
    #expect(terminal.longestChunk == 4096)
    #expect(terminal.cursor == (0, 0), "the cursor stays")
  }

  @Test("If the size of a cell is unknown, the terminal scales the image")
  func cells() throws {
    let window = TerminalWindow(columns: 40, rows: 12)
    var canvas = TerminalCanvas(.doing(.kitty, window: window), firstImageID: 1)
    var terminal = FakeTerminal(window)
    terminal.write(try canvas.draw(.varied(80, 32)))
    #expect(terminal.images.first?.cells == TerminalSize(columns: 10, rows: 2))
    #expect(terminal.cursor == (0, 2))
  }

  @Test("In tmux, each sequence is wrapped")
  func tmux() throws {
    var canvas = TerminalCanvas(.doing(.kitty, environment: ["TMUX": "x"]), method: .kitty, firstImageID: 1)
    var terminal = FakeTerminal()
    terminal.write(try canvas.draw(.noise(200, 100)))
    let count = terminal.envelopeCount
    #expect(count > 1)
    terminal.write(try canvas.draw(.noise(200, 100)))
    #expect(terminal.envelopeCount == 2 * count + 1, "with that which deletes the first")
    #expect(terminal.images.count == 1)
    #expect(terminal.complaints == [])
    let text = String(decoding: try canvas.draw(.varied(20, 10)), as: UTF8.self)
    #expect(text.components(separatedBy: "\u{1B}_G").count == text.components(separatedBy: "\u{1B}Ptmux;\u{1B}").count)
  }

  @Test("The numbers of images are never 0")
  func numbers() throws {
    var canvas = TerminalCanvas(capabilities, firstImageID: .max)
    var terminal = FakeTerminal()
    for _ in 0..<3 { terminal.write(try canvas.draw(.plain(4, 4, 1, 2, 3))) }
    #expect(terminal.images.map(\.id) == [2])
  }
}
