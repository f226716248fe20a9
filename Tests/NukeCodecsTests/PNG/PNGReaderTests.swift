import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading PNG")
struct PNGReaderTests {
  @Test("Every form is decoded to the pixels of other programs", arguments: PNGFixture.all)
  func pixels(_ fixture: PNGFixture) throws {
    let image = try PNGReader(data: fixture.data(), limits: CodecLimits()).decode(DecodeOptions())
    #expect(image.pixelWidth == fixture.width)
    #expect(image.pixelHeight == fixture.height)
    let expected = try fixture.premultiplied()
    #expect(largestDifference(image.pixelBytes, expected) <= fixture.tolerance)
    let isOpaque = stride(from: 3, to: expected.count, by: 4).allSatisfy { expected[$0] == 255 }
    #expect(image.isOpaque == isOpaque)
  }

  @Test("The header describes the file", arguments: PNGFixture.all)
  func header(_ fixture: PNGFixture) throws {
    let header = try PNGReader(data: fixture.data(), limits: CodecLimits()).header
    #expect(header.format == .png)
    #expect(header.pixelWidth == fixture.width)
    #expect(header.pixelHeight == fixture.height)
    #expect(header.bitsPerComponent == fixture.bits)
    #expect(header.colorModel.rawValue == fixture.model)
    #expect(header.hasAlpha == fixture.alpha)
    #expect(header.isProgressive == fixture.interlaced)
    #expect(header.profileName == fixture.profile)
    #expect(header.orientation.rawValue == fixture.orientation)
    #expect(header.frameCount == (fixture.name == "animated" ? 2 : 1))
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

  @Test("A slice whose indices do not start at 0 can be read")
  func slice() throws {
    let fixture = PNGFixture.named("iccp-wide-alpha")
    let data = (Data(repeating: 7, count: 1000) + (try fixture.data())).dropFirst(1000)
    #expect(data.startIndex == 1000)
    let image = try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()) <= fixture.tolerance)
    #expect(try PNGReader.header(ofPrefix: data)?.profileName == fixture.profile)
  }

  @Test("Several threads can use one reader at the same time")
  func concurrently() async throws {
    let fixture = PNGFixture.named("iccp-wide-alpha")
    let reader = try PNGReader(data: fixture.data(), limits: CodecLimits())
    let expected = try reader.decode(DecodeOptions()).pixelBytes
    let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<16 { group.addTask { try reader.decode(DecodeOptions()).pixelBytes } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 16)
    #expect(results.allSatisfy { $0 == expected })
  }

  @Test("Decoding stops on cancellation", arguments: ["rgb8", "rgba8-interlaced"])
  func cancellation(_ name: String) throws {
    let reader = try PNGReader(data: PNGFixture.named(name).data(), limits: CodecLimits())
    #expect(throws: CodecError.cancelled(.png)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
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
