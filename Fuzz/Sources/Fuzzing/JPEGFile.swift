public import Foundation

/// A complete JPEG from the codecs' test fixtures, into which segments can be inserted.
public struct JPEGFile: Sendable {
  private let bytes: [UInt8]

  /// Reads the fixture with the given name from the checkout.
  public init(fixture: String) {
    let file = URL(filePath: #filePath).appending(
      path: "../../../../Tests/NukeCodecsTests/Fixtures/JPEG/\(fixture)"
    ).standardized
    guard let data = try? Data(contentsOf: file) else { fatalError("\(file.path) cannot be read") }
    bytes = [UInt8](data)
  }

  /// Returns the file with these bytes as its EXIF segment, truncated to the maximum length of a segment.
  public func with(exif: Data) -> Data {
    Data(bytes[..<2] + Self.segment(0xE1, Array("Exif\0\0".utf8) + exif) + bytes[2...])
  }

  /// Returns the file with these bytes as its color profile, in several segments (ICC.1:2010, annex B.4).
  public func with(profile: Data) -> Data {
    let pieceLength = 65_519
    let count = max(1, min(255, (profile.count + pieceLength - 1) / pieceLength))
    var segments: [UInt8] = []
    for index in 0..<count {
      let piece = profile.dropFirst(index * pieceLength).prefix(pieceLength)
      segments += Self.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + piece)
    }
    return Data(bytes[..<2] + segments + bytes[2...])
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let content = content.prefix(65_533)
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }
}
