import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("EXIF")
struct EXIFTests {
  private func block(_ order: String) throws -> Data {
    try Data(contentsOf: Fixtures.file("JPEG/camera-\(order).tiff"))
  }

  @Test("Camera metadata is read in both byte orders", arguments: ["II", "MM"])
  func values(_ order: String) throws {
    let exif = try #require(try EXIF(tiff: block(order)))
    #expect(exif.orientation == .up)
    #expect(exif.make == "Example")
    #expect(exif.model == "Box 1")
    #expect(exif.lensModel == "35mm f/2")
    #expect(exif.dateTimeOriginal == "2024:05:06 07:08:09")
    #expect(exif.exposureTime == 0.004)
    #expect(exif.fNumber == 2.8)
    #expect(exif.isoSpeed == 400)
    #expect(exif.focalLength == 35)
    #expect(exif.hasLocation)
  }

  @Test("The prefix that JPEG writes before the block is skipped")
  func prefix() throws {
    #expect(try EXIF(tiff: Data("Exif\0\0".utf8) + block("MM")) == EXIF(tiff: block("MM")))
    #expect(try EXIF(tiff: block("II")) == EXIF(tiff: block("MM")))
  }

  @Test("Other data is not EXIF", arguments: ["", "II", "Exif\0\0", "MM\0*\0\0\0\u{7F}", "something else entirely"])
  func nothing(_ text: String) {
    #expect(EXIF(tiff: Data(text.utf8)) == nil)
    #expect(EXIF.embeddedThumbnail(tiff: Data(text.utf8)) == nil)
  }

  /// A little-endian block of one directory with entries of twelve bytes.
  private func tiff(_ entries: [[UInt8]], next: UInt8 = 0) -> Data {
    Data([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, UInt8(entries.count), 0] + entries.joined() + [next, 0, 0, 0])
  }

  @Test("Values outside of the block are ignored")
  func hostileOffsets() throws {
    let exif = try #require(
      EXIF(
        tiff: tiff([
          // Make: 16 characters at the end of the address space.
          [0x0F, 0x01, 2, 0, 16, 0, 0, 0, 0xF8, 0xFF, 0xFF, 0xFF],
          // Model: four thousand million characters.
          [0x10, 0x01, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0],
          [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0],
        ])))
    #expect(exif.make == nil)
    #expect(exif.model == nil)
    #expect(exif.orientation == .right)
  }

  @Test("Directories that refer to each other end the search")
  func loops() throws {
    // The camera's directory is the main one, and the next one too.
    let block = tiff([[0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]], next: 8)
    #expect(try #require(EXIF(tiff: block)) == EXIF())
    #expect(EXIF.embeddedThumbnail(tiff: block) == nil)
  }

  @Test("An invalid orientation is ignored", arguments: [0, 9, 255] as [UInt8])
  func orientation(_ value: UInt8) throws {
    let exif = try #require(EXIF(tiff: tiff([[0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0]])))
    #expect(exif.orientation == nil)
  }

  @Test("A fraction with the denominator 0 is ignored")
  func division() throws {
    let camera =
      tiff([
        [0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0]
      ]) + [1, 0, 0x9D, 0x82, 5, 0, 1, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    #expect(try #require(EXIF(tiff: camera)).fNumber == nil)
  }

  @Test("Damaged blocks do not crash the reader")
  func damage() throws {
    let whole = try [UInt8](block("II"))
    for count in 0..<whole.count { _ = EXIF(tiff: Data(whole.prefix(count))) }
    for index in 0..<min(whole.count, 320) {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        _ = EXIF(tiff: Data(bytes))
        if let thumbnail = EXIF.embeddedThumbnail(tiff: Data(bytes)) { #expect(thumbnail.count <= bytes.count) }
      }
    }
  }
}
