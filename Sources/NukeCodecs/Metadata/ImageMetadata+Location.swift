import Foundation

extension ImageMetadata {
  /// The metadata without the location: EXIF without its GPS directory, and no XMP that contains a location. Damaged
  /// metadata is removed, because its contents are unknown.
  package var withoutLocation: ImageMetadata {
    var result = self
    result.exif = exif.flatMap(EXIFBlock.withoutLocation)
    if let xmp, Self.placeWords.contains(where: { xmp.range(of: Data($0.utf8)) != nil }) { result.xmp = nil }
    return result
  }

  /// Substrings of the names of properties that contain locations: of EXIF's GPS, the IPTC core and extension, and
  /// Photoshop.
  private static let placeWords = ["GPS", "Location", "photoshop:City", "photoshop:State", "photoshop:Country"]
}

extension EXIFBlock {
  /// Returns the block without its GPS directories, whose bytes become zero; `nil` if the block is damaged.
  ///
  /// Only the entries after the removed one are moved, because other data contains undocumented offsets.
  static func withoutLocation(_ data: Data) -> Data? {
    var bytes = [UInt8](data)
    // What TIFFBlock skips once, as often as it is there, so that offsets are those of the bytes.
    while bytes.starts(with: Array("Exif\0".utf8)) { bytes = Array(bytes.dropFirst(6)) }
    guard bytes.count <= ImageMetadata.blockLimit, let block = TIFFBlock(Data(bytes)),
      let main = block.directory(at: block.firstDirectory), main.isWhole
    else { return nil }
    for directory in [main, block.directory(at: main.next)].compactMap({ $0 }) {
      guard let index = directory.index(of: .gpsDirectory) else { continue }
      guard directory.isWhole else { return nil }
      for range in directory.directory(.gpsDirectory)?.ranges ?? [] where range.upperBound <= bytes.count {
        for offset in range { bytes[offset] = 0 }
      }
      // The following entries and the offset of the next directory move up.
      let (start, end) = (directory.offset + 2 + index * 12, directory.offset + 6 + directory.count * 12)
      bytes.replaceSubrange(start..<end, with: bytes[start + 12..<end] + [UInt8](repeating: 0, count: 12))
      let count = directory.count - 1
      bytes[directory.offset] = UInt8(truncatingIfNeeded: block.isLittleEndian ? count : count >> 8)
      bytes[directory.offset + 1] = UInt8(truncatingIfNeeded: block.isLittleEndian ? count >> 8 : count)
    }
    return Data(bytes)
  }
}
