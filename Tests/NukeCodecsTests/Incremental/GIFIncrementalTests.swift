import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("A GIF during its download")
struct GIFIncrementalTests {
  @Test("The first frame is delivered once, when it is complete", arguments: FrameFixture.gif, feedChunks)
  func firstFrame(_ fixture: FrameFixture, chunk: Int) throws {
    let data = try fixture.data()
    // Byte by byte takes a while for the large ones.
    let feed = IncrementalFeed(data, chunk: data.count > 20_000 ? max(chunk, 500) : chunk)
    let complete = try GIFReader(data: data, limits: .init()).decode(.init())
    #expect(feed.error == nil)
    #expect(feed.previews.count == 1)
    #expect(feed.previews.first?.bitmap.psnr(against: complete) == .infinity)
    #expect(feed.previews.first?.rowFraction == 1)
  }

  @Test("The first frame is delivered before the second one is available")
  func early() throws {
    let data = try FrameFixture.gif("disposal-1").data()
    let feed = IncrementalFeed(data, chunk: 1)
    let count = try #require(feed.byteCounts.first)
    #expect(count < data.count / 2)
    #expect(throws: CodecError.truncated(.gif, byteCount: count - 10)) {
      try GIFReader(data: data.prefix(count - 10), limits: .init()).decode(.init())
    }
  }

  @Test("There is no preview if 1 MB precedes the first frame")
  func largeHeader() throws {
    var data = try FrameFixture.gif("stripes").data()
    let frame = try #require(data.firstIndex(of: 0x2C))
    let block = [255] + [UInt8](repeating: 0x20, count: 255)
    let comment: [UInt8] = [0x21, 0xFE] + Array(repeatElement(block, count: 4200).joined()) + [0]
    data.insert(contentsOf: comment, at: frame)
    let feed = IncrementalFeed(data, chunk: 1 << 17)
    #expect(feed.reader?.headerIsTooLarge == true)
    #expect(feed.previews.isEmpty)
    #expect(feed.error == nil)
  }
}
