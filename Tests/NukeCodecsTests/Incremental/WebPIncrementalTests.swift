import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("A WebP during its download")
struct WebPIncrementalTests {
  @Test("Previews have more and more rows, and end with the complete image", arguments: FrameFixture.webp, feedChunks)
  func rows(_ fixture: FrameFixture, chunk: Int) throws {
    let data = try fixture.data()
    let feed = IncrementalFeed(data, chunk: chunk)
    let complete = try WebPReader(data: data, limits: .init()).decode(.init())
    let quality = try feed.previews.map { try #require($0.bitmap.psnr(against: complete)) }
    #expect(feed.error == nil)
    for (before, after) in zip(quality, quality.dropFirst()) { #expect(after >= before) }
    #expect(quality.last == .infinity)
    #expect(feed.previews.last?.rowFraction == 1)
    #expect(feed.previews.last?.bitmap.isOpaque == complete.isOpaque)
    if fixture.frames > 1 { #expect(feed.previews.count == 1) }
  }

  @Test("Delivered rows do not change later", arguments: ["lossy", "lossless-colors", "lossy-alpha", "profile"])
  func finalRows(_ name: String) throws {
    let data = try FrameFixture.webp(name).data()
    let complete = try WebPReader(data: data, limits: .init()).decode(.init())
    let feed = IncrementalFeed(data, chunk: 1)
    #expect(feed.previews.count > 1)
    for preview in feed.previews {
      let count = Int((preview.rowFraction * Double(complete.pixelHeight)).rounded()) * complete.bytesPerRow
      let bytes = preview.bitmap.pixelBytes
      #expect(bytes[..<count] == complete.pixelBytes[..<count])
      #expect(bytes[count...].allSatisfy { $0 == 0 })
    }
  }

  @Test("The first frame of an animation is delivered before the second one is available")
  func firstFrame() throws {
    let data = try FrameFixture.webp("animated-blend-keep").data()
    let feed = IncrementalFeed(data, chunk: 1)
    let second = try #require(
      data.range(of: Data("ANMF".utf8), in: data.firstRange(of: Data("ANMF".utf8))!.upperBound..<data.endIndex))
    #expect(feed.byteCounts == [second.lowerBound])
  }
}
