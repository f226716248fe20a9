import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading PNG")
struct PNGReaderTests {
  @Test("Every form is decoded to the pixels of other programs", arguments: PNGFixture.all)
  func pixels(_ fixture: PNGFixture) throws {
    let image = try PNGReader(data: fixture.data(), limits: CodecLimits()).decode(DecodeOptions())
    try fixture.expectPixels(of: image)
  }

  @Test("The header describes the file", arguments: PNGFixture.all)
  func header(_ fixture: PNGFixture) throws {
    let header = try PNGReader(data: fixture.data(), limits: CodecLimits()).header
    fixture.expect(header, is: .png, frames: fixture.name == "animated" ? 2 : 1)
    #expect(header.isProgressive == fixture.interlaced)
  }

  @Test("The header is known once the image data begins, and fewer bytes are not enough")
  func headerOfPrefix() throws {
    for fixture in PNGFixture.all where fixture.name != "exif-behind" {
      let data = try fixture.data()
      let start = try #require(data.range(of: Data("IDAT".utf8))).lowerBound
      for count in 0..<start + 4 {
        #expect(try PNGReader.header(ofPrefix: data.prefix(count)) == nil, "\(fixture.name), \(count) bytes")
      }
      let header = try #require(try PNGReader.header(ofPrefix: data.prefix(start + 4)))
      #expect(header.pixelWidth == fixture.width)
      #expect(header.profileName == fixture.profile)
      #expect(header.orientation.rawValue == fixture.orientation)
      #expect(header.hasAlpha == fixture.alpha)
    }
  }

  @Test("Cancellation is checked between batches of rows, and between passes")
  func cancellationIsAskedOften() throws {
    let image = try #require(
      Bitmap(pixelWidth: 1000, pixelHeight: 400) { $0.initializeMemory(as: UInt8.self, repeating: 9) })
    let reader = try PNGReader(data: PNGWriter().encode(image), limits: CodecLimits())
    // 1.6 MB of pixels, and a question about every 64 KiB.
    var questions = CallCounter()
    _ = try reader.decode(DecodeOptions(isCancelled: { [questions] in questions.next() < 0 }))
    #expect(questions.count >= 20)
    questions = CallCounter()
    #expect(throws: CodecError.cancelled(.png)) {
      try reader.decode(DecodeOptions(isCancelled: { [questions] in questions.next() == 3 }))
    }
    #expect(questions.count == 3)

    let interlaced = try PNGReader(data: PNGFixture.named("rgb8-interlaced").data(), limits: CodecLimits())
    questions = CallCounter()
    _ = try interlaced.decode(DecodeOptions(isCancelled: { [questions] in questions.next() < 0 }))
    #expect(questions.count == 7)
  }

  @Test("The header contains basic EXIF")
  func exif() throws {
    let header = try PNGReader(data: PNGFixture.named("exif-6").data(), limits: CodecLimits()).header
    #expect(header.exif?.orientation == .right)
    #expect(header.storedWidth == header.pixelHeight)
  }

  @Test("An image with a large ancillary chunk is read")
  func largeChunk() throws {
    let fixture = PNGFixture.named("rgb8")
    let data = PNGBuilder.inserting("prVt", Data(count: 20 << 20), into: try fixture.data())
    let image = try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
    #expect(image.pixelBytes == (try fixture.premultiplied()))
    // Nor is it waited for: what is known so far is the answer.
    #expect(try PNGReader.header(ofPrefix: data.prefix(4 << 20)) == nil)
    #expect(try PNGReader.header(ofPrefix: data.prefix(4 << 20 + 1))?.pixelWidth == fixture.width)
  }
}
