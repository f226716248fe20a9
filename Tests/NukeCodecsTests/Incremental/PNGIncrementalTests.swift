import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("A PNG during its download")
struct PNGIncrementalTests {
  private static let interlaced = PNGFixture.all.filter(\.interlaced)

  @Test("Each pass of an interlaced image is delivered", arguments: interlaced)
  func passes(_ fixture: PNGFixture) throws {
    let feed = IncrementalFeed(try fixture.data(), chunk: 1)
    #expect(feed.error == nil)
    #expect(feed.reader?.isProgressive == true)
    let passes = feed.previews.compactMap(\.scanNumber)
    // Some passes of a tiny image hold no pixel.
    let isSmall = fixture.width < 5 || fixture.height < 5
    #expect(isSmall ? passes.last == 7 : passes == Array(1...7))
    #expect(feed.previews.allSatisfy { $0.rowFraction == 1 })
  }

  @Test("The rows of other images are delivered from the top", arguments: PNGFixture.all.filter { !$0.interlaced })
  func rows(_ fixture: PNGFixture) throws {
    let feed = IncrementalFeed(try fixture.data(), chunk: 1)
    #expect(feed.error == nil)
    #expect(feed.reader?.isProgressive == false)
    let fractions = feed.previews.map(\.rowFraction)
    #expect(fractions.last == 1)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 })
    #expect(feed.previews.dropLast().allSatisfy { !$0.bitmap.isOpaque })
  }

  /// An orientation behind the image data comes too late for a preview.
  private static let knownInTime = PNGFixture.all.filter { $0.name != "exif-behind" }

  @Test("The last preview is the complete image", arguments: knownInTime, feedChunks)
  func lastPreview(_ fixture: PNGFixture, chunk: Int) throws {
    let data = try fixture.data()
    let feed = IncrementalFeed(data, chunk: chunk)
    let complete = try PNGReader(data: data, limits: .init()).decode(.init())
    #expect(feed.error == nil)
    #expect(feed.previews.last?.bitmap.psnr(against: complete) == .infinity)
    #expect(feed.previews.last?.bitmap.isOpaque == complete.isOpaque)
  }

  @Test("Previews improve", arguments: knownInTime, feedChunks)
  func quality(_ fixture: PNGFixture, chunk: Int) throws {
    let data = try fixture.data()
    let complete = try PNGReader(data: data, limits: .init()).decode(.init())
    let quality = try IncrementalFeed(data, chunk: chunk).previews.map {
      try #require($0.bitmap.psnr(against: complete))
    }
    // The nearest pixel of a pattern as fine as the passes, as images of few shades are, can be worse than one further
    // away.
    let tolerance = !fixture.interlaced ? 0 : fixture.width < 16 ? 10 : fixture.bits < 8 ? 1.5 : 0.1
    for (before, after) in zip(quality, quality.dropFirst()) { #expect(after >= before - tolerance) }
  }

  /// From how many columns and rows one is known after each pass (PNG specification, 8.2).
  private static let spacing = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]

  @Test("Previews contain all pixels of the complete passes", arguments: interlaced)
  func knownPixels(_ fixture: PNGFixture) throws {
    let complete = try PNGReader(data: try fixture.data(), limits: .init()).decode(.init()).pixelBytes
    for preview in IncrementalFeed(try fixture.data(), chunk: 1).previews {
      let (across, down) = Self.spacing[try #require(preview.scanNumber) - 1]
      let bytes = preview.bitmap.pixelBytes
      for y in stride(from: 0, to: fixture.height, by: down) {
        for x in stride(from: 0, to: fixture.width, by: across) {
          let start = (y * fixture.width + x) * 4
          #expect(bytes[start..<start + 4] == complete[start..<start + 4], "pass \(preview.scanNumber!) at \(x), \(y)")
        }
      }
    }
  }

  @Test("Missing pixels are filled with the nearest known one at the upper left")
  func filling() throws {
    let fixture = PNGFixture.named("rgb8-interlaced")
    let complete = try PNGReader(data: try fixture.data(), limits: .init()).decode(.init()).pixelBytes
    let previews = IncrementalFeed(try fixture.data(), chunk: 1).previews
    for (preview, spacing) in zip(previews, Self.spacing) {
      let bytes = preview.bitmap.pixelBytes
      var right = 0
      for y in 0..<fixture.height {
        for x in 0..<fixture.width {
          let known = ((y - y % spacing.1) * fixture.width + x - x % spacing.0) * 4
          let here = (y * fixture.width + x) * 4
          if bytes[here..<here + 4] == complete[known..<known + 4] { right += 1 }
        }
      }
      // The first row of the next pass can have come with the last byte of this one.
      #expect(right >= fixture.width * (fixture.height - spacing.1))
    }
  }

  @Test("An image with 1 MB before its image data has no previews")
  func largeHeader() throws {
    let data = PNGBuilder.inserting(
      "teSt", Data(count: 1 << 20), into: try PNGFixture.named("rgb8-interlaced").data())
    let feed = IncrementalFeed(data, chunk: 1 << 18)
    #expect(feed.reader?.headerIsTooLarge == true)
    #expect(feed.previews.isEmpty)
    #expect(feed.error == nil)
  }
}
