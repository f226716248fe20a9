import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading BMP")
struct BMPReaderTests {
  static let fixtures = PixelFixture.all(in: "BMP")

  private func reader(_ name: String) throws -> BMPReader {
    let fixture = try #require(Self.fixtures.first { $0.file == name })
    return try BMPReader(data: fixture.data(), limits: CodecLimits())
  }

  @Test("Every header, depth and compression is decoded", arguments: fixtures)
  func pixels(_ fixture: PixelFixture) throws {
    let reader = try ImageReaders.reader(for: fixture.data())
    #expect(reader is BMPReader)
    try fixture.expectPixels(of: reader.decode(DecodeOptions()))
  }

  @Test("The header describes the file", arguments: fixtures)
  func header(_ fixture: PixelFixture) throws {
    fixture.expect(try BMPReader(data: fixture.data(), limits: CodecLimits()).header, is: .bmp)
  }

  @Test("The header is known from the first bytes, and fewer are not enough")
  func headerOfPrefix() throws {
    let data = try #require(Self.fixtures.first { $0.file == "masks-bgra-40.bmp" }).data()
    for count in 0..<14 + 40 + 16 { #expect(try BMPReader.header(ofPrefix: data.prefix(count)) == nil) }
    let header = try #require(try BMPReader.header(ofPrefix: data.prefix(14 + 40 + 16)))
    #expect(header.pixelWidth == 13)
    #expect(header.hasAlpha)
  }

  @Test("A requested orientation is applied")
  func orientation() throws {
    let upright = try reader("header-40-24.bmp").decode(DecodeOptions())
    let turned = try reader("header-40-24.bmp").decode(DecodeOptions(orientation: .right))
    #expect((turned.pixelWidth, turned.pixelHeight) == (upright.pixelHeight, upright.pixelWidth))
    #expect(Array(turned.pixelBytes.suffix(4)) == Array(upright.pixelBytes[13 * 4 - 4..<13 * 4]))
  }

  @Test("Decoding stops on cancellation also in runs without pixels")
  func cancellation() throws {
    // The headers and 16 colors, then jumps by nothing.
    let head = try #require(Self.fixtures.first { $0.file == "runs-8.bmp" }).data().prefix(14 + 40 + 64)
    let data = (0..<5000).reduce(into: head) { data, _ in data.append(contentsOf: [0, 2, 0, 0]) }
    let runs = try BMPReader(data: data, limits: CodecLimits())
    #expect(throws: CodecError.cancelled(.bmp)) { try runs.decode(DecodeOptions(isCancelled: { true })) }
    #expect(throws: CodecError.truncated(.bmp, byteCount: data.count)) { try runs.decode(DecodeOptions()) }
  }
}
