import Foundation
import NukeImaging

/// EXIF blocks with another orientation.
enum EXIFOrientation {
  /// Returns a block with only an orientation.
  static func block(with orientation: Orientation) -> Data {
    let entry = entry(orientation, isLittleEndian: false)
    return Data(Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0])
  }

  /// Returns the block with another orientation. The bytes of the block keep their places.
  ///
  /// - Parameter data: the block without its prefix, beginning with the byte order mark.
  static func block(_ data: Data, changedTo orientation: Orientation) throws(CodecError) -> Data {
    guard !data.starts(with: Array("Exif\0".utf8)), let block = TIFFBlock(data),
      let main = block.directory(at: block.firstDirectory)
    else { throw damaged }
    guard let index = main.index(of: .orientation) else {
      return try adding(orientation, to: data, block, main)
    }
    // A list of values may be anywhere in the block, so only a single one is changed.
    let sizes = [1: 1, 3: 2, 4: 4]
    guard let entry = main.entry(.orientation), entry.count == 1, let size = sizes[entry.type],
      entry.values == main.offset + 2 + index * 12 + 8, block.bytes(entry.values..<entry.values + size) != nil
    else { throw damaged }
    return replacing(entry.values, with: bytes(orientation.rawValue, size, block.isLittleEndian), in: data)
  }

  private static let damaged = CodecError.malformed(
    .jpeg, reason: "the directory of the EXIF data cannot be changed", offset: nil)

  /// Appends a copy of the main directory that also has an orientation, and makes it the first directory. The values of
  /// the other entries stay where they are.
  private static func adding(
    _ orientation: Orientation, to data: Data, _ block: TIFFBlock, _ main: TIFFBlockDirectory
  ) throws(CodecError) -> Data {
    guard main.isWhole, main.count <= TIFFBlockDirectory.entryLimit,
      let old = block.bytes(main.offset + 2..<main.offset + 2 + main.count * 12),
      let next = block.bytes(main.offset + 2 + main.count * 12..<main.offset + 6 + main.count * 12)
    else { throw damaged }
    // Entries are ordered by tag.
    let position =
      (0..<main.count).first { index in
        block.number(at: main.offset + 2 + index * 12, size: 2).map { $0 > EXIFTag.orientation.rawValue } ?? false
      } ?? main.count
    let isLittle = block.isLittleEndian
    // Directories begin at even offsets.
    let padding = Data(count: data.count % 2)
    let directory = Data(joining: [
      Data(bytes(main.count + 1, 2, isLittle)), old.prefix(position * 12),
      Data(entry(orientation, isLittleEndian: isLittle)), old.dropFirst(position * 12), next,
    ])
    let linked = replacing(4, with: bytes(data.count + padding.count, 4, isLittle), in: data)
    return Data(joining: [linked, padding, directory])
  }

  /// One SHORT.
  private static func entry(_ orientation: Orientation, isLittleEndian: Bool) -> [UInt8] {
    bytes(EXIFTag.orientation.rawValue, 2, isLittleEndian) + bytes(3, 2, isLittleEndian)
      + bytes(1, 4, isLittleEndian) + bytes(orientation.rawValue, 2, isLittleEndian) + [0, 0]
  }

  private static func bytes(_ value: Int, _ count: Int, _ isLittleEndian: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  private static func replacing(_ offset: Int, with bytes: [UInt8], in data: Data) -> Data {
    Data(joining: [
      data.slice(0..<offset), Data(bytes), data.slice(offset + bytes.count..<data.count),
    ])
  }
}
