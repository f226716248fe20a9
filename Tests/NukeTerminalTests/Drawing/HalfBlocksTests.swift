import Foundation
import NukeImaging
import Testing

@testable import NukeTerminal

@Suite struct HalfBlocksTests {
  private func drawn(_ image: Bitmap, _ colors: TerminalCapabilities.Colors = .all) -> FakeTerminal {
    var terminal = FakeTerminal()
    for line in HalfBlocks.lines(image, colors: colors) { terminal.write(line + Data("\n".utf8)) }
    return terminal
  }

  @Test("Both halves of each cell have the colors of their pixels", arguments: [1, 2, 7, 8])
  func halves(height: Int) {
    let image = Bitmap.varied(20, height)
    let terminal = drawn(image)
    #expect(terminal.complaints == [])
    #expect(terminal.halves(columns: 20, halves: height) == image.colors)
    if height % 2 == 1 {
      #expect(terminal.halves(columns: 20, halves: height + 1).last?.allSatisfy { $0 == nil } == true)
    }
    #expect(terminal.cells.joined().count { $0 != FakeTerminal.Cell() } == 20 * ((height + 1) / 2))
  }

  @Test("Transparent pixels show the background of the terminal")
  func transparency() {
    let image = Bitmap.make(16, 8) { x, y in
      switch (x / 2 + y) % 4 {
      case 0: [0, 0, 0, 0]
      case 1: [20, 10, 0, 100]
      case 2: [100, 100, 0, 200]
      default: [9, 99, 199, 255]
      }
    }
    let terminal = drawn(image)
    #expect(terminal.complaints == [])
    #expect(terminal.halves(columns: 16, halves: 8) == image.colors)
  }

  @Test("Lines end with default colors")
  func ends() {
    for line in HalfBlocks.lines(.plain(3, 4, 255, 0, 0), colors: .all) {
      #expect(line.suffix(4) == Data("\u{1B}[0m".utf8))
    }
  }

  @Test("With 256 colors, the nearest one is used")
  func palette() {
    var state: UInt32 = 1
    for _ in 0..<500 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let pixel = TerminalPixel(
        red: UInt8(state >> 24), green: UInt8(state >> 16 & 255), blue: state % 5 == 0 ? UInt8(state >> 24) : 77)
      func distance(_ index: Int) -> Int {
        let color = FakeTerminal.palette(index)
        let differences = [color.red - Int(pixel.red), color.green - Int(pixel.green), color.blue - Int(pixel.blue)]
        return differences.reduce(0) { $0 + $1 * $1 }
      }
      let nearest = (16...255).map(distance).min()
      #expect(distance(pixel.paletteIndex) == nearest)
    }
    let terminal = drawn(.plain(4, 4, 95, 135, 255), .palette)
    #expect(terminal.halves(columns: 4, halves: 4) == Bitmap.plain(4, 4, 95, 135, 255).colors)
    #expect(terminal.complaints == [])
  }
}
