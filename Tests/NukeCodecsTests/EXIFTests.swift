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

  /// A block with a GPS directory at byte 26, whose numbers are unsigned fractions of 32 bits.
  private func located(
    _ references: (String, String), _ latitude: [(UInt32, UInt32)], _ longitude: [(UInt32, UInt32)],
    altitude: (reference: UInt8, UInt32, UInt32)? = nil
  ) -> Data {
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let count = altitude == nil ? 4 : 6
    let values = UInt32(26 + 2 + count * 12 + 4)
    let second = values + UInt32(latitude.count * 8)
    let third = second + UInt32(longitude.count * 8)
    func text(_ tag: UInt8, _ text: String) -> [UInt8] {
      [tag, 0, 2, 0, 2, 0, 0, 0, text.utf8.first ?? 0, 0, 0, 0]
    }
    func fractions(_ tag: UInt8, _ count: Int, at offset: UInt32) -> [UInt8] {
      [tag, 0, 5, 0] + bytes(UInt32(count)) + bytes(offset)
    }
    var entries = [
      text(1, references.0), fractions(2, latitude.count, at: values), text(3, references.1),
      fractions(4, longitude.count, at: second),
    ]
    if let altitude { entries += [[5, 0, 1, 0, 1, 0, 0, 0, altitude.reference, 0, 0, 0], fractions(6, 1, at: third)] }
    let numbers = latitude + longitude + (altitude.map { [($0.1, $0.2)] } ?? [])
    return tiff([[0x25, 0x88, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0]]) + [UInt8(count), 0] + entries.joined() + bytes(0)
      + numbers.flatMap { bytes($0.0) + bytes($0.1) }
  }

  @Test("A location is read in degrees, minutes and seconds, and in each quarter of the earth")
  func location() throws {
    let paris = located(
      ("N", "E"), [(48, 1), (51, 1), (2988, 100)], [(2, 1), (17, 1), (402, 10)], altitude: (0, 35, 1))
    let location = try #require(EXIF(tiff: paris)?.location)
    #expect(abs(location.latitude - 48.8583) < 1e-9)
    #expect(abs(location.longitude - 2.2945) < 1e-9)
    #expect(location.altitude == 35)
    let south = located(("S", "W"), [(33, 1), (30, 1)], [(70, 1), (0, 1), (0, 0)], altitude: (1, 25, 2))
    #expect(EXIF(tiff: south)?.location == EXIF.Location(latitude: -33.5, longitude: -70, altitude: -12.5))
    #expect(EXIF(tiff: located(("N", "E"), [(1, 2)], [(180, 1)]))?.location?.altitude == nil)
  }

  @Test("A location that is not on the earth is ignored, and still counts as recorded")
  func noLocation() throws {
    let blocks = [
      located(("N", "E"), [(91, 1)], [(2, 1)]), located(("N", "E"), [(48, 1)], [(180, 1), (1, 1)]),
      located(("X", "E"), [(48, 1)], [(2, 1)]), located(("N", ""), [(48, 1)], [(2, 1)]),
      located(("N", "E"), [(48, 0)], [(2, 1)]), located(("N", "E"), [(48, 1)], [(.max, 1)]),
      // The longitude is cut off.
      Data(located(("N", "E"), [(48, 1)], [(2, 1)]).dropLast(1)),
    ]
    for (index, block) in blocks.enumerated() {
      let exif = try #require(EXIF(tiff: block))
      #expect(exif.location == nil, "block \(index)")
      #expect(exif.hasLocation)
    }
  }

  @Test("Damaged blocks do not crash the reader")
  func damage() throws {
    let whole = try [UInt8](block("II"))
    damage(whole)
    damage([UInt8](located(("N", "E"), [(48, 1), (51, 1), (30, 1)], [(2, 1)], altitude: (0, 35, 1))))
  }

  private func damage(_ whole: [UInt8]) {
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
