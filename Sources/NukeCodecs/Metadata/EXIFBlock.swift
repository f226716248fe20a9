import Foundation
import NukeImaging

/// EXIF blocks for writing.
enum EXIFBlock {
  /// Returns the block with the orientation set to 1, also for its thumbnail; `nil` if the block is damaged.
  ///
  /// No bytes are moved, because maker notes contain offsets in undocumented formats.
  static func upright(_ data: Data) -> Data? {
    var data = Data(data)
    if data.starts(with: Array("Exif\0".utf8)) { data = Data(data.dropFirst(6)) }
    guard data.count <= ImageMetadata.blockLimit, let block = TIFFBlock(data),
      let main = block.directory(at: block.firstDirectory), main.isWhole
    else { return nil }
    for directory in [main, block.directory(at: main.next)].compactMap({ $0 }) {
      guard let entry = directory.entry(.orientation) else { continue }
      // Any integer type is accepted.
      let sizes = [1: 1, 3: 2, 4: 4]
      guard let size = sizes[entry.type], entry.count == 1, block.bytes(entry.values..<entry.values + size) != nil
      else {
        return nil
      }
      for index in 0..<size {
        let isLast = index == (block.isLittleEndian ? 0 : size - 1)
        data[data.startIndex + entry.values + index] = isLast ? 1 : 0
      }
    }
    return data
  }

  /// Returns the texts of some tags of the first directory, ordered by tag; `nil` if there are none.
  static func texts(in data: Data, _ tags: [EXIFTag]) -> [(EXIFTag, String)]? {
    guard let block = TIFFBlock(data), let main = block.directory(at: block.firstDirectory) else { return nil }
    let texts = tags.compactMap { tag in main.text(tag).map { (tag, $0) } }
    return texts.isEmpty ? nil : texts
  }

  /// Returns a block that contains only texts, which must be ordered by tag.
  static func block(_ texts: [(EXIFTag, String)]) -> Data? {
    guard !texts.isEmpty else { return nil }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    var entries: [UInt8] = []
    var values: [UInt8] = []
    let start = 8 + 2 + texts.count * 12 + 4
    for (tag, text) in texts {
      // Each text ends with a zero.
      let value = Array(text.utf8) + [0]
      entries += bytes(tag.rawValue, 2) + bytes(2, 2) + bytes(value.count, 4)
      if value.count <= 4 {
        entries += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        entries += bytes(start + values.count, 4)
        values += value + [UInt8](repeating: 0, count: value.count % 2)
      }
    }
    return Data(Array("MM\0*".utf8) + bytes(8, 4) + bytes(texts.count, 2) + entries + bytes(0, 4) + values)
  }
}

/// XMP packets for writing.
enum XMPBlock {
  /// Returns the XMP packet with another orientation, in the same size; `nil` if it is too long or not text.
  static func oriented(_ data: Data, to orientation: Orientation) -> Data? {
    guard data.count <= ImageMetadata.blockLimit, let text = String(validating: data, as: UTF8.self) else { return nil }
    // The property may be an attribute or an element. Any other digit is an orientation that has been applied.
    let oriented = text.replacing(#/(tiff:Orientation=["']|<tiff:Orientation>)[1-8]/#) {
      "\($0.output.1)\(orientation.rawValue)"
    }
    return Data(oriented.utf8)
  }
}
