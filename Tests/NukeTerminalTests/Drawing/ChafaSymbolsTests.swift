#if Terminal
  import Foundation
  import NukeImaging
  import Testing

  @testable import NukeTerminal

  @Suite struct ChafaSymbolsTests {
    private func drawn(
      _ image: Bitmap, _ size: TerminalSize, _ colors: TerminalCapabilities.Colors = .all
    ) throws -> (terminal: FakeTerminal, lineCount: Int) {
      let lines = try #require(ChafaSymbols.lines(image, size: size, colors: colors))
      var terminal = FakeTerminal()
      for line in lines { terminal.write(line + Data("\n".utf8)) }
      return (terminal, lines.count)
    }

    @Test("A plain image fills exactly its cells with its color", arguments: [1, 5, 11])
    func plain(rows: Int) throws {
      let (terminal, lineCount) = try drawn(.plain(64, 64, 200, 100, 50), TerminalSize(columns: 12, rows: rows))
      #expect(lineCount == rows)
      #expect(terminal.complaints == [])
      // As `chafa -f symbols -c full` prints it: 200, 100, 50 in version 1.12, and 199, 100, 50 in version 1.14.
      let colors = [200, 199].map { FakeTerminal.Color(red: $0, green: 100, blue: 50) }
      for row in 0..<rows {
        for column in 0..<40 {
          let cell = terminal.cells[row][column]
          if column < 12 {
            #expect([cell.background, cell.foreground].contains { $0.map(colors.contains) == true }, "\(cell)")
          } else {
            #expect(cell == FakeTerminal.Cell())
          }
        }
      }
    }

    @Test("A cell shows finer shapes than half blocks")
    func shapes() throws {
      // The left half of each cell is red, the right half blue.
      let image = Bitmap.make(32, 32) { x, _ in x % 8 < 4 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
      let (terminal, _) = try drawn(image, TerminalSize(columns: 4, rows: 2))
      let cell = terminal.cells[0][1]
      #expect(["▌", "▐"].contains(cell.character), "\(cell)")
      let colors = [cell.foreground, cell.background].compactMap { $0 }
      #expect(colors.contains { $0.red > 200 && $0.blue < 60 } && colors.contains { $0.blue > 200 && $0.red < 60 })
    }

    @Test("With 256 colors, only those of xterm are used")
    func palette() throws {
      let (terminal, _) = try drawn(.varied(80, 80), TerminalSize(columns: 10, rows: 5), .palette)
      #expect(terminal.complaints == [])
      let known = Set((16...255).map(FakeTerminal.palette))
      for cell in terminal.cells.joined() {
        for color in [cell.foreground, cell.background].compactMap({ $0 }) { #expect(known.contains(color)) }
      }
    }

    @Test("Transparent pixels show the background of the terminal")
    func transparent() throws {
      let image = Bitmap.make(32, 32) { x, _ in x < 16 ? [0, 0, 0, 0] : [10, 200, 10, 255] }
      let (terminal, _) = try drawn(image, TerminalSize(columns: 4, rows: 2))
      #expect(terminal.cells[0][0].character == " " && terminal.cells[0][0].background == nil)
      #expect(terminal.cells[0][3] != FakeTerminal.Cell())
    }

    @Test("It is the best protocol without graphics, and replaces previews")
    func best() throws {
      let capabilities = TerminalCapabilities.doing(.blocks)
      #expect(capabilities.best == .symbols)
      var canvas = TerminalCanvas(capabilities, firstImageID: 1)
      var terminal = FakeTerminal()
      for color in [[UInt8(200), 0], [0, 200]] {
        terminal.write(try canvas.draw(.plain(16, 12, color[0], color[1], 0)))
      }
      #expect(terminal.complaints == [])
      #expect(terminal.cursor == (0, 6))
      let cell = terminal.cells[5][15]
      #expect([cell.background, cell.foreground].contains { [199, 200].contains($0?.green) }, "\(cell)")
    }
  }
#else
  import NukeImaging
  import Testing

  @testable import NukeTerminal

  @Suite struct ChafaSymbolsTests {
    @Test("A build without the trait cannot draw symbols")
    func notBuilt() {
      #expect(!TerminalCapabilities.doing(.blocks).protocols.contains(.symbols))
      var canvas = TerminalCanvas(.doing(.blocks), method: .symbols, firstImageID: 1)
      let error = #expect(throws: TerminalImageError.self) { try canvas.draw(.plain(2, 2, 1, 2, 3)) }
      #expect(error?.description == "this build cannot draw symbols: it needs the trait Terminal")
    }
  }
#endif
