import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// Lossless rotation: the orientation of a file changes, and the rest of it does not.
@Suite("The orientation of JPEG files")
struct JPEGOrientationTests {
  private static let djpeg = "/usr/bin/djpeg"
  private static let identify = "/usr/bin/identify"
  static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

  private func oriented(_ data: Data, _ orientation: Orientation) throws -> Data {
    try JPEGReader(data: data).data(orientedTo: orientation)
  }

  /// The fixture without its EXIF, and with another block in its place.
  private func file(_ exif: Data?, after prefix: String = "Exif\0\0") throws -> Data {
    let plain = try JPEGFixture.data("s420")
    guard let exif else { return plain }
    let length = 8 + exif.count
    let segment = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array(prefix.utf8)) + exif
    return plain.prefix(2) + segment + plain.dropFirst(2)
  }

  /// A block of one directory. `entries` are in the byte order of `mark`.
  private func exif(_ mark: String, _ entries: [[UInt8]], next: [UInt8] = [0, 0, 0, 0]) -> Data {
    let isLittle = mark == "II"
    let count = UInt8(entries.count)
    return Data(
      Array(mark.utf8) + (isLittle ? [42, 0, 8, 0, 0, 0, count, 0] : [0, 42, 0, 0, 0, 8, 0, count])
        + entries.joined() + next)
  }

  private func entry(_ mark: String, _ value: UInt8, type: UInt8 = 3) -> [UInt8] {
    let wide: [UInt8] = type == 3 ? [0, value, 0, 0] : type == 4 ? [0, 0, 0, value] : [value, 0, 0, 0]
    return mark == "II" ? [0x12, 1, type, 0, 1, 0, 0, 0, value, 0, 0, 0] : [1, 0x12, 0, type, 0, 0, 0, 1] + wide
  }

  /// Everything from the first scan on, which is all of the image.
  private func scans(_ data: Data) throws -> Data {
    let start = try #require(data.range(of: Data([0xFF, 0xDA]))).lowerBound
    return data[start...]
  }

  // MARK: Values

  @Test(
    "An orientation is replaced in its place, in both byte orders and all types", arguments: ["II", "MM"],
    [3, 4, 1] as [UInt8])
  func replaced(_ mark: String, _ type: UInt8) throws {
    for old in 1...8 {
      let data = try file(exif(mark, [entry(mark, UInt8(old), type: type)]))
      for new in Orientation.allCases {
        let result = try oriented(data, new)
        #expect(try JPEGReader(data: result).header.orientation == new)
        let changes = zip(data, result).enumerated().filter { $1.0 != $1.1 }
        #expect(result.count == data.count && changes.count == (old == new.rawValue ? 0 : 1))
      }
    }
  }

  @Test("An entry is added to EXIF without one, and the other values stay in their places", arguments: ["II", "MM"])
  func added(_ mark: String) throws {
    let isLittle = mark == "II"
    // The maker's name is behind the directory, at byte 38, and the last entry has a higher number than the orientation.
    let make: [UInt8] =
      isLittle ? [0x0F, 1, 2, 0, 8, 0, 0, 0, 38, 0, 0, 0] : [1, 0x0F, 0, 2, 0, 0, 0, 8, 0, 0, 0, 38]
    let unit: [UInt8] = isLittle ? [0x28, 1, 3, 0, 1, 0, 0, 0, 2, 0, 0, 0] : [1, 0x28, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0]
    let block = exif(mark, [make, unit]) + Data("Example\0".utf8) + Data([9])
    let result = try oriented(file(block), .left)
    let header = try JPEGReader(data: result).header
    #expect(header.orientation == .left)
    #expect(header.exif?.make == "Example")
    let metadata = try #require(try JPEGReader(data: result).metadata.exif)
    // Only the offset of the first directory differs. The directory that it names begins at an even byte.
    #expect(metadata.prefix(4) == block.prefix(4) && metadata.dropFirst(8).prefix(39) == block.dropFirst(8))
    #expect(metadata.count == 47 + 1 + 2 + 3 * 12 + 4)
    let directory = [UInt8](metadata.dropFirst(48))
    #expect(directory[isLittle ? 0 : 1] == 3)
    #expect(Array(directory[2..<14]) == make)
    #expect(Array(directory[14..<26]) == entry(mark, 8))
    #expect(Array(directory[26..<38]) == unit)
  }

  @Test("The thumbnail and the camera's values of a file survive a new entry", arguments: ["II", "MM"])
  func camera(_ mark: String) throws {
    var block = try Data(contentsOf: Fixtures.file("JPEG/camera-\(mark).tiff"))
    // The third entry becomes an unknown one.
    block[8 + 2 + 2 * 12 + (mark == "II" ? 0 : 1)] = 0x13
    let before = try JPEGReader(data: file(block))
    let after = try JPEGReader(data: before.data(orientedTo: .rightMirrored))
    #expect(before.header.orientation == .up)
    #expect(after.header.orientation == .rightMirrored)
    #expect(after.header.exif?.lensModel == "35mm f/2")
    let thumbnail = try #require(before.embeddedThumbnail)
    #expect(after.embeddedThumbnail == thumbnail)
  }

  @Test("A segment is inserted after the JFIF segments of a file without EXIF")
  func inserted() throws {
    let plain = try file(nil)
    try #require(plain.dropFirst(2).prefix(4) == Data([0xFF, 0xE0, 0, 16]))
    let result = try oriented(plain, .down)
    #expect(try JPEGReader(data: result).header.orientation == .down)
    #expect(result.prefix(20) == plain.prefix(20))
    #expect(result.dropFirst(20).prefix(10) == Data([0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8)))
    #expect(result.dropFirst(20 + 36) == plain.dropFirst(20))
    // Without a JFIF segment, it is the first one.
    let bare = plain.prefix(2) + plain.dropFirst(20)
    #expect(try oriented(bare, .down).dropFirst(2).prefix(2) == Data([0xFF, 0xE1]))
  }

  @Test("XMP gets the same orientation, in the same size")
  func xmp() throws {
    let packet = #"<x:xmpmeta tiff:Orientation="6"><tiff:Orientation>1</tiff:Orientation>place</x:xmpmeta>"#
    var options = EncodeOptions()
    options.metadata = ImageMetadata(xmp: Data(packet.utf8))
    options.keptMetadata = .all
    let data = try ImageWriters.writer(for: .jpeg, options: options).encode(JPEGReader(data: file(nil)).decode())
    let result = try JPEGReader(data: oriented(data, .left))
    #expect(result.header.orientation == .left)
    #expect(
      try #require(result.metadata.xmp)
        == Data(#"<x:xmpmeta tiff:Orientation="8"><tiff:Orientation>8</tiff:Orientation>place</x:xmpmeta>"#.utf8))
  }

  // MARK: Rotation

  @Test("Four rotations are none, and every one turns the image", arguments: Orientation.allCases)
  func rotations(_ start: Orientation) throws {
    let once = start.rotatedClockwise
    #expect(once.rotatedCounterclockwise == start)
    #expect(once.rotatedClockwise.rotatedClockwise.rotatedClockwise == start)
    let data = try JPEGFixture.data("orientation-\(start.rawValue)")
    let before = try JPEGReader(data: data).decode()
    let after = try JPEGReader(data: oriented(data, once)).decode()
    #expect(after.pixelWidth == before.pixelHeight && after.pixelHeight == before.pixelWidth)
    var differences = 0
    before.withUnsafeBytes { old in
      after.withUnsafeBytes { new in
        for y in 0..<after.pixelHeight {
          for x in 0..<after.pixelWidth {
            // A pixel at the left of the rotated image was at the bottom.
            let source = (before.pixelHeight - 1 - x) * before.bytesPerRow + y * 4
            let target = y * after.bytesPerRow + x * 4
            for channel in 0..<4 where old[source + channel] != new[target + channel] { differences += 1 }
          }
        }
      }
    }
    #expect(differences == 0)
  }

  // MARK: Other programs

  private static let files = ["s420", "odd-progressive", "camera-II", "camera-MM", "cmyk", "fill-bytes", "gray"]

  @Test("djpeg gets the same pixels before and after", .enabled(if: isInstalled(djpeg)), arguments: files)
  func pixels(_ name: String) throws {
    func decoded(_ data: Data) throws -> Data {
      try converted(data, by: Self.djpeg) { ["-strict", "-outfile", $1, $0] }
    }
    let data = try JPEGFixture.data(name)
    let pixels = try decoded(data)
    #expect(!pixels.isEmpty)
    for orientation in [Orientation.left, .upMirrored] {
      let result = try oriented(data, orientation)
      #expect(try decoded(result) == pixels)
      #expect(try scans(result) == scans(data))
    }
  }

  @Test(
    "ImageMagick reads the orientation that was written", .enabled(if: isInstalled(identify)), arguments: files,
    Orientation.allCases)
  func orientation(_ name: String, _ orientation: Orientation) throws {
    let result = try oriented(JPEGFixture.data(name), orientation)
    let text = try converted(result, by: "/bin/sh", fileExtension: "jpg") {
      ["-c", #""$0" -format '%[EXIF:Orientation]' "$1" >"$2""#, Self.identify, $0, $1]
    }
    #expect(String(decoding: text, as: UTF8.self) == "\(orientation.rawValue)")
  }

  // MARK: Damage

  @Test("EXIF that cannot be changed without a loss is an error")
  func damaged() throws {
    let long = [UInt8](repeating: 7, count: 65_520)
    let cases: [(String, Data)] = [
      ("no block", Data("something else".utf8)),
      ("a directory outside of the block", Data([0x49, 0x49, 42, 0, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0])),
      ("a directory that is cut off", exif("II", [[0x0F, 1, 2, 0, 2, 0, 0, 0, 65, 0, 0, 0]]).dropLast(6)),
      ("more entries than there are", Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0xFF, 0xFF] + entry("MM", 6))),
      ("an orientation that is text", exif("II", [entry("II", 6, type: 2)])),
      ("a list of orientations elsewhere", exif("II", [[0x12, 1, 3, 0, 9, 0, 0, 0, 2, 0, 0, 0]])),
      ("no room for an entry", exif("II", []) + Data(long.prefix(65_535 - 8 - 14))),
    ]
    for (name, block) in cases {
      let data = try file(block)
      #expect(throws: CodecError.self, "\(name)") { try oriented(data, .left) }
    }
  }

  @Test("A truncated directory whose orientation is there is changed in its place")
  func truncatedDirectory() throws {
    let block = exif("II", [entry("II", 6), [0x0F, 1, 2, 0, 2, 0, 0, 0, 65, 0, 0, 0]]).dropLast(10)
    let result = try oriented(file(block), .left)
    #expect(try JPEGReader(data: result).header.orientation == .left)
    #expect(result.count == (try file(block).count))
  }

  @Test("Every changed byte and every length gives an error, or a file with the orientation and the same scans")
  func hostile() throws {
    let whole = try file(exif("II", [entry("II", 6)]) + Data(count: 40))
    let start = try scans(whole)
    for index in 0..<110 {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[bytes.startIndex + index] = value
        guard let result = try? oriented(bytes, .left) else { continue }
        #expect(try JPEGReader(data: result).header.orientation == .left)
        #expect(result.suffix(start.count) == start)
      }
    }
    for count in 0..<200 { _ = try? oriented(Data(whole.prefix(count)), .left) }
  }
}
