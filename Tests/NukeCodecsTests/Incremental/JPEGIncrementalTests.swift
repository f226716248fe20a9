import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("A JPEG during its download")
struct JPEGIncrementalTests {
  private static let severalScans = JPEGFixture.all.filter { fixture in
    (fixture.progressive == true || fixture.name == "three-scans") && !fixture.name.contains("arithmetic")
  }

  /// How many scans a file has. A marker is never part of the data of a scan, and no fixture hides one elsewhere.
  private func scanCount(_ data: Data) -> Int {
    zip(data, data.dropFirst()).count { $0 == (0xFF, 0xDA) }
  }

  @Test("Each scan is delivered once if the data arrives byte by byte", arguments: severalScans)
  func everyScan(_ fixture: JPEGFixture) throws {
    let data = try fixture.data()
    let feed = IncrementalFeed(data, chunk: 1)
    #expect(feed.error == nil)
    // The end of the last scan is the marker behind it.
    let expected = scanCount(data) - (fixture.name.hasPrefix("no-end") ? 1 : 0)
    #expect(expected > 1)
    #expect(feed.previews.compactMap(\.scanNumber) == Array(1...expected))
    #expect(feed.previews.allSatisfy { $0.rowFraction == 1 && $0.bitmap.isOpaque })
    #expect(feed.reader?.isProgressive == (fixture.progressive == true))
  }

  @Test("Previews improve, and end with the complete image", arguments: severalScans, feedChunks)
  func quality(_ fixture: JPEGFixture, chunk: Int) throws {
    let data = try fixture.data()
    let feed = IncrementalFeed(data, chunk: chunk)
    let complete = try JPEGReader(data: data).decode()
    let quality = try feed.previews.map { try #require($0.bitmap.psnr(against: complete)) }
    #expect(feed.error == nil)
    for (before, after) in zip(quality, quality.dropFirst()) { #expect(after >= before - 0.1) }
    #expect(fixture.name.hasPrefix("no-end") || quality.last == .infinity)
  }

  @Test("If several scans arrive at once, only the newest is delivered")
  func newestScan() throws {
    let data = try JPEGFixture.data("s420-progressive")
    let feed = IncrementalFeed(data, chunk: data.count)
    #expect(feed.previews.map(\.scanNumber) == [scanCount(data)])
    #expect(try feed.reader?.nextPreview() == nil)
  }

  @Test(
    "Previews are reduced to the pixel limit by a power of two, the same for all scans, and rows do not change later",
    arguments: ["odd-progressive", "s420"], [1, 2, 4, 8])
  func reduction(_ name: String, _ denominator: Int) throws {
    let data = try JPEGFixture.data(name)
    let reader = try JPEGReader(data: data)
    let size = reader.pixelSize(scaleDenominator: denominator)
    let feed = IncrementalFeed(data, chunk: 64, previewPixelLimit: size.width * size.height)
    #expect(feed.previews.count > (name == "s420" ? 1 : 2))
    #expect(feed.previews.allSatisfy { $0.bitmap.pixelWidth == size.width && $0.bitmap.pixelHeight == size.height })
    let reduced = try reader.decode(.init(scaleDenominator: denominator))
    #expect(feed.previews.last?.bitmap.psnr(against: reduced) == .infinity)
    // Of an image with one scan the first has some of the rows.
    if name == "s420" { #expect(feed.previews.first?.bitmap.isOpaque == false) }
  }

  @Test("Previews are reduced to 1/8, even if that is above the limit")
  func smallestReduction() throws {
    let data = try JPEGFixture.data("s420-progressive")
    let size = try JPEGReader(data: data).pixelSize(scaleDenominator: 8)
    let feed = IncrementalFeed(data, chunk: 64, previewPixelLimit: 1)
    #expect(feed.previews.last?.bitmap.pixelWidth == size.width)
  }

  @Test("Previews have the right orientation", arguments: 1...8)
  func orientation(_ orientation: Int) throws {
    let block: [UInt8] = [
      0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
    ]
    let data = try JPEGFixture.data("odd-progressive").inserting(segment: 0xE1, Array("Exif\0\0".utf8) + block)
    let feed = IncrementalFeed(data, chunk: 64)
    let complete = try JPEGReader(data: data).decode()
    #expect(feed.reader?.header?.orientation.rawValue == orientation)
    #expect(feed.previews.count > 2)
    #expect(feed.previews.allSatisfy { $0.bitmap.pixelWidth == complete.pixelWidth })
    #expect(feed.previews.last?.bitmap.psnr(against: complete) == .infinity)
  }

  @Test("Previews have the colors of the embedded profile")
  func profile() throws {
    let plain = try JPEGFixture.data("s444-progressive")
    let source = try JPEGFixture.data("profile-wide")
    let start = try #require(source.range(of: Data("ICC_PROFILE\0".utf8))).lowerBound
    let length = Int(source[start - 2]) << 8 | Int(source[start - 1])
    let data = plain.inserting(segment: 0xE2, [UInt8](source[start..<start + length - 2]))
    let complete = try JPEGReader(data: data).decode()
    #expect(try JPEGReader(data: plain).decode().rgb != complete.rgb)
    #expect(IncrementalFeed(data, chunk: 64).previews.last?.bitmap.psnr(against: complete) == .infinity)
  }

  private static let oneScan = JPEGFixture.all.filter { fixture in
    fixture.progressive != true && fixture.name != "three-scans" && !fixture.name.contains("arithmetic")
  }

  @Test("The rows of an image with one scan equal those of the complete image", arguments: oneScan, feedChunks)
  func rows(_ fixture: JPEGFixture, chunk: Int) throws {
    let data = try fixture.data()
    let complete = try JPEGReader(data: data).decode()
    let orientation = try JPEGReader(data: data).header.orientation
    let feed = IncrementalFeed(data, chunk: chunk)
    #expect(feed.error == nil)
    #expect(feed.reader?.isProgressive == false)
    let fractions = feed.previews.map(\.rowFraction)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 })
    // The last bits may be needed to be sure of the last rows.
    let isWhole = fractions.last == 1
    #expect(isWhole || fixture.name.hasPrefix("no-end"))
    if isWhole { #expect(feed.previews.last?.bitmap.psnr(against: complete) == .infinity) }
    #expect(feed.previews.allSatisfy { $0.scanNumber == nil && $0.bitmap.isOpaque == ($0.rowFraction == 1) })
    guard orientation == .up else { return }
    for preview in feed.previews {
      let count = Int((preview.rowFraction * Double(complete.pixelHeight)).rounded()) * complete.bytesPerRow
      preview.bitmap.withUnsafeBytes { bytes in
        complete.withUnsafeBytes { all in
          #expect(bytes[..<count].elementsEqual(all[..<count]))
          #expect(bytes[count...].allSatisfy { $0 == 0 })
        }
      }
    }
  }

  @Test("If an image with one scan is interrupted, its rows are delivered without an error")
  func truncatedRows() throws {
    let data = try JPEGFixture.data("s420")
    let feed = IncrementalFeed(data.prefix(data.count * 9 / 10), chunk: 10)
    #expect(feed.error == nil)
    let fraction = try #require(feed.previews.last).rowFraction
    #expect(fraction > 0.2 && fraction < 1)
  }

  @Test("An image with arithmetic coding has no previews and no error", arguments: ["arithmetic-progressive"])
  func noPreviews(_ name: String) throws {
    let feed = IncrementalFeed(try JPEGFixture.data(name), chunk: 64)
    #expect(feed.previews.isEmpty)
    #expect(feed.error == nil)
    #expect(feed.reader?.header != nil)
    #expect(feed.reader?.isProgressive == true)
  }

  @Test("An image with 256 KB before its first scan has no previews, but its thumbnail", arguments: [1000, 1 << 20])
  func largeHeader(_ chunk: Int) throws {
    let exif = try #require(JPEGFixture.data("camera-II").segment(0xE1))
    var data = try JPEGFixture.data("s420-progressive")
    for _ in 0..<5 { data = data.inserting(segment: 0xEB, [UInt8](repeating: 7, count: 60_000)) }
    data = data.inserting(segment: 0xE1, exif)
    let feed = IncrementalFeed(data, chunk: chunk)
    #expect(feed.reader?.headerIsTooLarge == true)
    #expect(feed.previews.isEmpty)
    #expect(feed.error == nil)
    #expect(feed.reader?.embeddedThumbnail() != nil)
    let early = IncrementalFeed(data.prefix(66_000), chunk: chunk)
    #expect(early.reader?.headerIsTooLarge == false)
    #expect(early.reader?.embeddedThumbnail() != nil)
    // A little less is read as usual.
    var shorter = try JPEGFixture.data("s420-progressive")
    for _ in 0..<4 { shorter = shorter.inserting(segment: 0xEB, [UInt8](repeating: 7, count: 60_000)) }
    #expect(IncrementalFeed(shorter, chunk: chunk).previews.isEmpty == false)
  }

  @Test("The thumbnail is delivered upright, once it is complete")
  func thumbnail() throws {
    let data = try JPEGFixture.data("camera-II")
    let reader = try JPEGReader(data: data)
    let file = try #require(reader.embeddedThumbnail)
    let stored = try #require(try JPEGReader(data: file).decode().buffer)
    let upright = try #require(reader.header.orientation.apply(to: stored))
    #expect(IncrementalFeed(data.prefix(100), chunk: 7).reader?.embeddedThumbnail() == nil)
    let thumbnail = try #require(IncrementalFeed(data, chunk: 64).reader?.embeddedThumbnail())
    #expect(thumbnail.pixelWidth == upright.width)
    #expect(thumbnail.psnr(against: Bitmap(upright, isOpaque: true)) == .infinity)
    let none = IncrementalFeed(try JPEGFixture.data("s420"), chunk: 64)
    #expect(none.reader?.embeddedThumbnail() == nil)
  }

  @Test("An image with hundreds of scans is rejected")
  func scanBomb() throws {
    let data = try JPEGFixture.data("three-scans")
    let last = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).lowerBound
    let scan = data[last..<data.count - 2]
    let bomb = data.prefix(last) + (0..<600).flatMap { _ in scan } + [0xFF, 0xD9]
    let error = IncrementalFeed(Data(bomb), chunk: 10_000).error
    expectMalformed(error, .jpeg, "more scans than an image of this size can need")
  }
}

extension Data {
  /// The JPEG with one more segment behind its start.
  fileprivate func inserting(segment marker: UInt8, _ content: [UInt8]) -> Data {
    let length = content.count + 2
    var data = self
    data.insert(contentsOf: [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content, at: startIndex + 2)
    return data
  }

  /// The content of the first segment of a kind.
  fileprivate func segment(_ marker: UInt8) -> [UInt8]? {
    guard let start = range(of: Data([0xFF, marker]))?.upperBound else { return nil }
    return [UInt8](self[start + 2..<start + Int(self[start]) << 8 + Int(self[start + 1])])
  }
}
