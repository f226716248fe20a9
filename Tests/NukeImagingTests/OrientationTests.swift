import NukeImaging
import Testing

@Suite("Orientation")
struct OrientationTests {
  /// An image whose pixels are all different.
  private func numbered(_ width: Int, _ height: Int) throws -> PixelBuffer {
    let buffer = try #require(PixelBuffer(width: width, height: height))
    for (index, _) in (0..<width * height).enumerated() {
      for byte in 0..<4 { buffer.base[index * 4 + byte] = UInt8(truncatingIfNeeded: index >> (byte * 8)) }
    }
    return buffer
  }

  private func number(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> Int {
    let pixel = buffer.row(y) + x * 4
    return (0..<4).reduce(0) { $0 | Int(pixel[$1]) << ($1 * 8) }
  }

  /// Where the pixel at `x`, `y` of the upright image stands in the stored one, by EXIF 2.32, 4.6.4 A.
  private func source(_ orientation: Orientation, _ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int) {
    switch orientation {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (y, height - 1 - x)
    case .rightMirrored: (width - 1 - y, height - 1 - x)
    case .left: (width - 1 - y, x)
    }
  }

  @Test(
    "Every pixel is moved to its place", arguments: Orientation.allCases,
    [(1, 1), (1, 9), (9, 1), (3, 5), (4, 4), (16, 16), (17, 31), (33, 20), (64, 48), (7, 530)])
  func apply(_ orientation: Orientation, _ size: (Int, Int)) throws {
    let (width, height) = size
    let stored = try numbered(width, height)
    let upright = try #require(orientation.apply(to: stored))
    #expect(upright.width == (orientation.swapsAxes ? height : width))
    #expect(upright.height == (orientation.swapsAxes ? width : height))
    var wrong = 0
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let (fromX, fromY) = source(orientation, x, y, width, height)
        if number(upright, x, y) != fromY * width + fromX { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test("The stored pixels do not change", arguments: Orientation.allCases)
  func unchanged(_ orientation: Orientation) throws {
    let stored = try numbered(19, 7)
    _ = orientation.apply(to: stored)
    #expect((0..<7).allSatisfy { y in (0..<19).allSatisfy { x in number(stored, x, y) == y * 19 + x } })
  }

  @Test("An upright image is not copied")
  func upright() throws {
    let stored = try numbered(3, 2)
    #expect(Orientation.up.apply(to: stored) === stored)
  }
}
