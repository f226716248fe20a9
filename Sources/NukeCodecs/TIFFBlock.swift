import Foundation

/// The tags that are read or written, with their numbers in EXIF 2.32, 4.6.
enum EXIFTag: Int {
  // In the GPS directory (4.6.6).
  case latitudeReference = 1
  case latitude = 2
  case longitudeReference = 3
  case longitude = 4
  case altitudeReference = 5
  case altitude = 6

  case imageDescription = 0x010E
  case make = 0x010F
  case model = 0x0110
  case orientation = 0x0112
  case xResolution = 0x011A
  case yResolution = 0x011B
  case resolutionUnit = 0x0128
  case software = 0x0131
  case dateTime = 0x0132
  case artist = 0x013B
  case thumbnailOffset = 0x0201
  case thumbnailLength = 0x0202
  case copyright = 0x8298
  case exposureTime = 0x829A
  case fNumber = 0x829D
  case exifDirectory = 0x8769
  case isoSpeed = 0x8827
  case gpsDirectory = 0x8825
  case dateTimeOriginal = 0x9003
  case focalLength = 0x920A
  case lensModel = 0xA434

  /// The texts that TIFF has fields for.
  static let ofTIFF: [EXIFTag] = [.imageDescription, .make, .model, .software, .dateTime, .artist, .copyright]
}

/// The bytes of a TIFF file and their byte order.
struct TIFFBlock {
  private let data: Data
  let isLittleEndian: Bool
  let firstDirectory: Int

  init?(_ tiff: Data) {
    var data = tiff
    if data.starts(with: Array("Exif\0".utf8)) { data = data.dropFirst(6) }
    guard data.count >= 8 else { return nil }
    let mark = data.prefix(4)
    if mark.elementsEqual([0x49, 0x49, 0x2A, 0]) {
      isLittleEndian = true
    } else if mark.elementsEqual([0x4D, 0x4D, 0, 0x2A]) {
      isLittleEndian = false
    } else {
      return nil
    }
    self.data = data
    firstDirectory = Self.number(data.dropFirst(4).prefix(4), isLittleEndian)
  }

  private static func number(_ bytes: Data, _ isLittleEndian: Bool) -> Int {
    var value = 0
    if isLittleEndian {
      for byte in bytes.reversed() { value = value << 8 | Int(byte) }
    } else {
      for byte in bytes { value = value << 8 | Int(byte) }
    }
    return value
  }

  /// Returns the bytes of a range relative to the byte order mark; `nil` if it is outside the block.
  func bytes(_ range: Range<Int>) -> Data? {
    guard range.lowerBound >= 0, range.upperBound <= data.count else { return nil }
    return data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
  }

  func number(at offset: Int, size: Int) -> Int? {
    bytes(offset..<offset + size).map { Self.number($0, isLittleEndian) }
  }

  /// Returns the directory at `offset`. A truncated directory has the entries that are available.
  func directory(at offset: Int?) -> TIFFBlockDirectory? {
    // 8 is the first byte after the header; the last directory has 0 as the offset of the next.
    guard let offset, offset >= 8, let count = number(at: offset, size: 2) else { return nil }
    return TIFFBlockDirectory(block: self, offset: offset, count: count)
  }
}

/// A list of tagged values (TIFF 6.0, section 2).
struct TIFFBlockDirectory {
  /// The maximum number of entries that are searched.
  static let entryLimit = 512

  private let block: TIFFBlock
  let offset: Int
  let count: Int

  init(block: TIFFBlock, offset: Int, count: Int) {
    self.block = block
    self.offset = offset
    self.count = count
  }

  var isEmpty: Bool { count == 0 }
  /// `true` if all entries are available.
  var isWhole: Bool { next != nil }

  /// The offset of the next directory.
  var next: Int? { block.number(at: offset + 2 + count * 12, size: 4) }

  /// The index of a tag among the entries.
  func index(of tag: EXIFTag) -> Int? {
    (0..<min(count, Self.entryLimit)).first { block.number(at: offset + 2 + $0 * 12, size: 2) == tag.rawValue }
  }

  /// The known ranges of the entries, and of the values that they point to.
  var ranges: [Range<Int>] {
    (0..<min(count, Self.entryLimit)).reduce(into: [offset..<offset + 2 + min(count, Self.entryLimit) * 12]) {
      ranges, index in
      let start = offset + 2 + index * 12
      guard let type = block.number(at: start + 2, size: 2), let size = Self.size(of: type),
        let count = block.number(at: start + 4, size: 4), count * size > 4,
        let values = block.number(at: start + 8, size: 4)
      else { return }
      ranges.append(values..<values + count * size)
    }
  }

  /// Returns the type, number and offset of a tag's values.
  func entry(_ tag: EXIFTag) -> (type: Int, count: Int, values: Int)? {
    for index in 0..<min(count, Self.entryLimit) {
      let start = offset + 2 + index * 12
      guard let number = block.number(at: start, size: 2) else { return nil }
      guard number == tag.rawValue else { continue }
      guard
        let type = block.number(at: start + 2, size: 2), let size = Self.size(of: type),
        let count = block.number(at: start + 4, size: 4), count > 0
      else { return nil }
      // Up to four bytes are stored in the entry itself.
      if count * size <= 4 { return (type, count, start + 8) }
      guard let values = block.number(at: start + 8, size: 4) else { return nil }
      return (type, count, values)
    }
    return nil
  }

  private static func size(of type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  func integer(_ tag: EXIFTag) -> Int? {
    guard let entry = entry(tag) else { return nil }
    return switch entry.type {
    case 1: block.number(at: entry.values, size: 1)
    case 3: block.number(at: entry.values, size: 2)
    case 4: block.number(at: entry.values, size: 4)
    default: nil
    }
  }

  /// - Parameter index: the position of the number among the values of the tag.
  func rational(_ tag: EXIFTag, at index: Int = 0) -> Double? {
    guard
      let entry = entry(tag), entry.type == 5, index < entry.count,
      let numerator = block.number(at: entry.values + index * 8, size: 4),
      let denominator = block.number(at: entry.values + index * 8 + 4, size: 4), denominator != 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }

  func text(_ tag: EXIFTag) -> String? {
    guard
      let entry = entry(tag), entry.type == 2, entry.count <= 1024,
      let bytes = block.bytes(entry.values..<entry.values + entry.count)
    else { return nil }
    let printable = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
    let text = String(String.UnicodeScalarView(printable)).trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }

  /// Returns the directory that a tag points to.
  func directory(_ tag: EXIFTag) -> TIFFBlockDirectory? {
    guard let target = integer(tag), target != offset else { return nil }
    return block.directory(at: target)
  }
}
