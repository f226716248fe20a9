import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading ICO")
struct ICOReaderTests: DamageSuite {
  static let fixtures = PixelFixture.all(in: "ICO")

  private func data(_ name: String) throws -> Data {
    try #require(Self.fixtures.first { $0.file == "\(name).ico" }).data()
  }

  typealias Reader = ICOReader

  @Test("The best image is read: the largest, then the one with the most bits, then the first", arguments: fixtures)
  func pixels(_ fixture: PixelFixture) throws {
    let reader = try ImageReaders.reader(for: fixture.data())
    #expect(reader is ICOReader)
    try fixture.expectPixels(of: reader.decode(DecodeOptions()))
  }

  @Test("The header is that of the best image", arguments: fixtures)
  func header(_ fixture: PixelFixture) throws {
    fixture.expect(try ICOReader(data: fixture.data(), limits: CodecLimits()).header, is: .ico)
    let known = try #require(try ICOReader.header(ofPrefix: fixture.data()))
    #expect(known.pixelWidth == fixture.width)
    #expect(known.format == .ico)
  }

  @Test("The header is known from the first bytes of the best image, and fewer are not enough")
  func headerOfPrefix() throws {
    let data = try data("bitmap-24")
    for count in 0..<22 + 40 { #expect(try ICOReader.header(ofPrefix: data.prefix(count)) == nil) }
    #expect(try ICOReader.header(ofPrefix: data.prefix(22 + 40))?.pixelHeight == 9)
  }

  @Test("A truncated best image is an error, even if smaller ones are complete")
  func truncated() throws {
    let data = try data("several")
    // The best is the third of four; the last is a header, 9 rows of 13 pixels, and their mask.
    let end = data.count - (40 + 9 * 13 * 4 + 9 * 4)
    #expect(error(data.prefix(end)) == nil)
    #expect(error(data.prefix(end - 1)) == .truncated(.ico, byteCount: end - 1))
    #expect(error(data.prefix(40)) == .truncated(.ico, byteCount: 40))
  }

  @Test("The size in the image is checked, not the one in the directory")
  func sizes() throws {
    #expect(
      error(try data("bitmap-24"), limits: CodecLimits(maximumPixelCount: 100))
        == .tooLarge(.ico, width: 13, height: 9, limit: .pixelCount(100)))
    #expect(
      error(try data("png"), limits: CodecLimits(maximumPixelCount: 100))
        == .tooLarge(.png, width: 13, height: 9, limit: .pixelCount(100)))
    var lying = try data("bitmap-24")
    lying.replaceSubrange(22 + 8..<22 + 12, with: [0, 0, 0, 0x7F])
    #expect(error(lying) == .tooLarge(.ico, width: 13, height: 0x3F80_0000, limit: .side(16_384)))
  }

  @Test("Run-length compression, which icons do not use, is rejected")
  func runs() throws {
    var data = try data("bitmap-8")
    data[22 + 16] = 1
    #expect(error(data) == .unsupported(.ico, feature: "runs"))
  }
}
