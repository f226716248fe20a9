import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged data during its download")
struct IncrementalDamageTests {
  private static let folders = ["JPEG", "PNG", "WebP", "GIF"]
  private static let limits = CodecLimits(maximumPixelCount: 1 << 18, maximumSide: 2048, maximumFrameCount: 64)

  private func files(_ folder: String) throws -> [Data] {
    let urls = try FileManager.default.contentsOfDirectory(
      at: Fixtures.file(folder), includingPropertiesForKeys: nil)
    let extensions = Set(["jpg", "png", "webp", "gif"])
    return
      try urls.filter { extensions.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
      .map { try Data(contentsOf: $0) }
      .filter { $0.count < 20_000 }
  }

  @Test("Damaged data has previews within the limits, or fails with an error", arguments: folders)
  func corruption(_ folder: String) throws {
    let files = try files(folder)
    var random = SplitMix64(state: 7)
    var (errors, previews) = (0, 0)
    for index in 0..<2000 {
      var bytes = [UInt8](files[index % files.count])
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      }
      let chunk = Int.random(in: 50...3000, using: &random)
      let feed = IncrementalFeed(Data(bytes), chunk: chunk, limits: Self.limits)
      if feed.error != nil { errors += 1 }
      previews += feed.previews.count
      for preview in feed.previews {
        #expect(preview.bitmap.byteCount <= Self.limits.maximumPixelCount * 4)
        #expect(preview.rowFraction > 0 && preview.rowFraction <= 1)
        // Reads every byte, and premultiplied colors are never above their alpha.
        #expect(preview.bitmap.hasPossiblePixels)
      }
    }
    #expect(errors > 0 && previews > 0)
  }

  @Test("The same error is reported again, and no more data is accepted", arguments: folders)
  func errorStays(_ folder: String) throws {
    var seen = 0
    for data in try files(folder) {
      var bytes = [UInt8](data)
      for index in bytes.indices.dropFirst(60) where index % 3 == 0 { bytes[index] = 0x55 }
      let feed = IncrementalFeed(Data(bytes), chunk: 100)
      guard let error = feed.error, let reader = feed.reader else { continue }
      seen += 1
      reader.update(data)
      #expect(throws: error) { try reader.nextPreview() }
    }
    #expect(seen > 0)
  }

  @Test("A download that stops is not an error", arguments: folders)
  func truncation(_ folder: String) throws {
    for data in try files(folder) {
      for part in 1..<4 {
        let feed = IncrementalFeed(data.prefix(data.count * part / 4), chunk: 200)
        #expect(feed.error == nil)
      }
    }
  }

  static let samples: [(ImageFormat, @Sendable () throws -> Data)] = [
    (.gif, { try FrameFixture.gif("noise").data() }), (.jpeg, { try JPEGFixture.data("s420-progressive") }),
    (.png, { try PNGFixture.named("rgb8-interlaced").data() }), (.webp, { try FrameFixture.webp("lossy").data() }),
  ]

  @Test("An image above the limits is rejected before any preview", arguments: samples)
  func limits(_ format: ImageFormat, _ data: @Sendable () throws -> Data) throws {
    let feed = IncrementalFeed(try data(), chunk: 7, limits: .init(maximumPixelCount: 100))
    let error = try #require(feed.error)
    guard case .tooLarge(format, _, _, .pixelCount(100)) = error else { throw error }
    #expect(feed.previews.isEmpty)
  }

  @Test("Data that becomes shorter or is repeated has no effect")
  func shrinking() throws {
    let data = try JPEGFixture.data("s420-progressive")
    let feed = IncrementalFeed(data.prefix(data.count / 2), chunk: 100)
    let reader = try #require(feed.reader)
    reader.update(data.prefix(50))
    reader.update(data.prefix(data.count / 2))
    #expect(try reader.nextPreview() == nil)
    reader.update(data)
    #expect(try reader.nextPreview() != nil)
  }

  @Test("An unknown format is rejected after 16 bytes")
  func unrecognized() throws {
    #expect(try IncrementalReaders.reader(forPrefix: Data("<html>".utf8)) == nil)
    #expect(throws: CodecError.unrecognizedFormat(looksLike: "HTML")) {
      try IncrementalReaders.reader(forPrefix: Data("<html><body>Not found</body>".utf8))
    }
  }
}

extension Bitmap {
  fileprivate var hasPossiblePixels: Bool {
    withUnsafeBytes { bytes in
      bytes.bindMemory(to: UInt32.self).allSatisfy { pixel in
        let pixel = UInt32(littleEndian: pixel)
        let alpha = pixel >> 24
        if alpha == 255 { return true }
        return !isOpaque && pixel & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel >> 16 & 255 <= alpha
      }
    }
  }
}
