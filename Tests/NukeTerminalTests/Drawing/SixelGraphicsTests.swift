import Foundation
import NukeImaging
import Testing

@testable import NukeTerminal

@Suite struct SixelGraphicsTests {
  private func drawn(_ image: Bitmap) throws -> (pixels: [[FakeTerminal.Color?]], complaints: [String]) {
    var terminal = FakeTerminal(TerminalWindow(columns: 50, rows: 20, pixelWidth: 500, pixelHeight: 400))
    terminal.write(try SixelGraphics.show(image))
    let pixels = (0..<image.pixelHeight).map { y in (0..<image.pixelWidth).map { terminal.pixels[y][$0] } }
    return (pixels, terminal.complaints)
  }

  @Test("Up to 256 colors are kept, with the precision of percents")
  func exact() throws {
    let image = Bitmap.make(37, 29) { x, y in
      [UInt8(x % 16 * 17), UInt8(y % 16 * 17), UInt8((x + y) % 2 * 0), 255]
    }
    let (pixels, complaints) = try drawn(image)
    #expect(complaints == [])
    for (row, wanted) in zip(pixels, image.colors) {
      for (pixel, color) in zip(row, wanted) {
        let (pixel, color) = (try #require(pixel), try #require(color))
        #expect(abs(pixel.red - color.red) <= 2 && abs(pixel.green - color.green) <= 2 && pixel.blue == color.blue)
      }
    }
  }

  @Test("More colors are dithered, which preserves the mean of each part")
  func dithered() throws {
    let image = Bitmap.gradient(240, 120)
    let (pixels, complaints) = try drawn(image)
    #expect(complaints == [])
    for top in stride(from: 0, to: 120, by: 24) {
      for left in stride(from: 0, to: 240, by: 24) {
        func mean(_ rows: [[FakeTerminal.Color?]]) -> [Int] {
          let part = rows[top..<top + 24].flatMap { $0[left..<left + 24].compactMap { $0 } }
          return [\FakeTerminal.Color.red, \.green, \.blue].map { channel in
            part.reduce(0) { $0 + $1[keyPath: channel] } / max(part.count, 1)
          }
        }
        for (one, other) in zip(mean(pixels), mean(image.colors)) { #expect(abs(one - other) <= 8) }
      }
    }
  }

  @Test("Pixels with less than half alpha are not drawn")
  func transparent() throws {
    let image = Bitmap.make(13, 11) { x, y in
      (x + y) % 3 == 0 ? [0, 0, 0, 0] : (x + y) % 3 == 1 ? [60, 60, 60, 120] : [0, 100, 200, 255]
    }
    let (pixels, complaints) = try drawn(image)
    #expect(complaints == [])
    #expect(difference(pixels, image.colors) < 2)
    let none = Bitmap.make(5, 5) { _, _ in [0, 0, 0, 0] }
    #expect(try drawn(none).pixels.joined().allSatisfy { $0 == nil })
  }

  @Test("Heights need not be multiples of six", arguments: [1, 2, 5, 6, 7, 12, 13])
  func sizes(side: Int) throws {
    for (width, height) in [(side, 1), (1, side), (side, side), (40, side)] {
      let image = Bitmap.make(width, height) { x, y in [x % 2 == 0 ? 255 : 0, y % 2 == 0 ? 255 : 0, 0, 255] }
      let (pixels, complaints) = try drawn(image)
      #expect(complaints == [])
      #expect(difference(pixels, image.colors) == 0)
    }
  }

  @Test("Run-length encoding makes plain images small")
  func runs() throws {
    #expect(try SixelGraphics.show(.plain(400, 300, 10, 20, 30)).count < 500)
  }
}
