import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing icons")
struct ICOWriterTests {
  private func image(_ width: Int, _ height: Int) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { pixels in
        for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 3) }
      })
  }

  @Test("An icon has one PNG, and the same pixels", arguments: [(16, 16), (256, 3), (1, 256)])
  func pixels(width: Int, height: Int) throws {
    let image = try image(width, height)
    let file = try ICOWriter().encode(image)
    // ICONDIR and ICONDIRENTRY; a side of 256 is 0.
    #expect(Array(file.prefix(8)) == [0, 0, 1, 0, 1, 0, UInt8(width % 256), UInt8(height % 256)])
    #expect(Array(file[14..<18]).enumerated().reduce(0) { $0 + Int($1.element) << ($1.offset * 8) } == file.count - 22)
    #expect(ImageFormat(sniffing: file.dropFirst(22)) == .png)
    let read = try ImageReaders.reader(for: file)
    #expect(read.header.format == .ico)
    let decoded = try read.decode(DecodeOptions())
    #expect(decoded.withUnsafeBytes(Array.init) == image.withUnsafeBytes(Array.init))
  }

  @Test("A side of more than 256 pixels is an error")
  func tooLarge() throws {
    let image = try image(257, 1)
    #expect(throws: CodecError.encodingFailed(.ico, reason: "257x1 pixels: a side can have at most 256 pixels")) {
      try ICOWriter().encode(image)
    }
  }
}
