import Foundation
import NukeImaging
import Testing

@Suite("A bitmap")
struct BitmapTests {
  private struct Refused: Error {}

  private func make(_ width: Int, _ height: Int, scale: CGFloat = 1) -> Bitmap? {
    Bitmap(pixelWidth: width, pixelHeight: height, scale: scale) { bytes in
      for place in bytes.indices { bytes[place] = UInt8(truncatingIfNeeded: place) }
    }
  }

  @Test("It contains the pixels that were written, row by row without gaps")
  func pixels() throws {
    let bitmap = try #require(make(3, 2))
    #expect((bitmap.pixelWidth, bitmap.pixelHeight) == (3, 2))
    #expect(bitmap.bytesPerRow == 12)
    #expect(bitmap.byteCount == 24)
    #expect(bitmap.withUnsafeBytes { Array($0) } == Array(0..<24))
  }

  @Test("Its pixels are transparent before they are written")
  func cleared() throws {
    let bitmap = try #require(Bitmap(pixelWidth: 5, pixelHeight: 5) { _ in })
    #expect(bitmap.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
    #expect(bitmap.isOpaque == false)
  }

  @Test("Its size in points depends on its scale")
  func size() throws {
    let bitmap = try #require(make(30, 20, scale: 2))
    #expect(bitmap.size == CGSize(width: 15, height: 10))
    #expect(bitmap.scale == 2)
  }

  @Test("An invalid scale counts as 1", arguments: [0, -1, .nan, .infinity] as [CGFloat])
  func senselessScale(scale: CGFloat) throws {
    let bitmap = try #require(make(3, 2, scale: scale))
    #expect(bitmap.scale == 1)
    #expect(bitmap.withScale(scale) === bitmap)
  }

  @Test("Copies with another scale share the pixels")
  func withScale() throws {
    let bitmap = try #require(make(30, 20))
    let scaled = bitmap.withScale(3)
    #expect(scaled.scale == 3)
    #expect(scaled.pixelWidth == 30)
    #expect(scaled.buffer === bitmap.buffer)
    #expect(bitmap.withScale(1) === bitmap)
  }

  @Test("A bitmap equals only itself, and not another with the same pixels")
  func identity() throws {
    let (first, second) = (try #require(make(3, 2)), try #require(make(3, 2)))
    #expect(first.withUnsafeBytes { Array($0) } == second.withUnsafeBytes { Array($0) })
    #expect(first == first)
    #expect(first != second)
    #expect(first != first.withScale(2))
    #expect(Set([first, second, first]).count == 2)
  }

  @Test("A default bitmap is empty")
  func empty() {
    let bitmap = Bitmap()
    #expect((bitmap.pixelWidth, bitmap.pixelHeight, bitmap.byteCount) == (0, 0, 0))
    #expect(bitmap.size == .zero)
    #expect(bitmap.withUnsafeBytes { $0.count } == 0)
  }

  @Test(
    "A side that is not positive, or a size that overflows, is rejected",
    arguments: [(0, 1), (1, 0), (-1, 5), (Int.max, 2), (Int.max, Int.max), (1 << 31, 1 << 31)])
  func impossible(width: Int, height: Int) {
    var isCalled = false
    #expect(Bitmap(pixelWidth: width, pixelHeight: height) { _ in isCalled = true } == nil)
    #expect(isCalled == false)
  }

  @Test("An error of the closure that writes the pixels is passed on")
  func failing() {
    #expect(throws: Refused.self) {
      try Bitmap(pixelWidth: 2, pixelHeight: 2) { (_) throws(Refused) in throw Refused() }
    }
  }

  @Test("Its description is one line")
  func description() throws {
    #expect("\(try #require(make(3, 2, scale: 2)))" == "Bitmap(3x2 px, scale 2.0, with alpha)")
    #expect("\(Bitmap(pixelWidth: 1, pixelHeight: 1, isOpaque: true) { _ in }!)" == "Bitmap(1x1 px, scale 1.0, opaque)")
  }
}
