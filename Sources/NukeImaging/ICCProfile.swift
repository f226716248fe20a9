import Foundation

/// The parts of an ICC profile (ICC.1:2010, 7) that are needed for images. Every offset is checked against the length
/// of the data.
struct ICCProfile {
  private let bytes: [UInt8]
  private let tags: [String: Range<Int>]
  private let colorSpace: String
  private let connectionSpace: String

  /// Returns `nil` if the header or the tag table is damaged.
  init?(_ data: Data) {
    guard data.count >= 132 else { return nil }
    bytes = [UInt8](data)
    guard bytes[36..<40].elementsEqual("acsp".utf8) else { return nil }
    let count = Self.uint32(bytes, 128)
    // No profile has more tags; reading them would only cost time.
    guard count <= 256, 132 + count * 12 <= bytes.count else { return nil }
    var tags: [String: Range<Int>] = [:]
    for index in 0..<count {
      let entry = 132 + index * 12
      let (offset, size) = (Self.uint32(bytes, entry + 4), Self.uint32(bytes, entry + 8))
      guard offset <= bytes.count, size >= 8, size <= bytes.count - offset else { continue }
      tags[Self.signature(bytes, entry)] = offset..<offset + size
    }
    self.tags = tags
    colorSpace = Self.signature(bytes, 16)
    connectionSpace = Self.signature(bytes, 20)
  }

  var model: ColorProfile.Model? {
    switch colorSpace {
    case "GRAY": .gray
    case "RGB ": .rgb
    case "CMYK": .cmyk
    default: nil
    }
  }

  var connectsThroughXYZ: Bool { connectionSpace == "XYZ " }

  /// `true` if colors are converted by a table, which takes precedence over curves and a matrix.
  var hasColorTable: Bool { !connectsThroughXYZ || tags["A2B0"] != nil || tags["A2B1"] != nil }

  /// `true` for the two table-based sRGB profiles that the ICC publishes, by their profile IDs.
  var isKnownSRGB: Bool {
    let known: [[UInt8]] = [
      [0xFC, 0x66, 0x33, 0x78, 0x37, 0xE2, 0x88, 0x6B, 0xFD, 0x72, 0xE9, 0x83, 0x82, 0x28, 0xF1, 0xB8],
      [0x34, 0x56, 0x2A, 0xBF, 0x99, 0x4C, 0xCD, 0x06, 0x6D, 0x2C, 0x57, 0x21, 0xD0, 0xD6, 0x8C, 0x5D],
    ]
    return known.contains { bytes[84..<100].elementsEqual($0) }
  }

  /// The description in the first language of the profile.
  var name: String? {
    guard let tag = tags["desc"], tag.count >= 12 else { return nil }
    let text: String
    switch Self.signature(bytes, tag.lowerBound) {
    case "desc":
      let length = min(Self.uint32(bytes, tag.lowerBound + 8), tag.count - 12)
      let ascii = bytes[tag.lowerBound + 12..<tag.lowerBound + 12 + length].prefix { $0 != 0 }
      text = String(decoding: ascii, as: UTF8.self)
    case "mluc":
      guard tag.count >= 28 else { return nil }
      let length = Self.uint32(bytes, tag.lowerBound + 20)
      let offset = Self.uint32(bytes, tag.lowerBound + 24)
      guard offset <= tag.count, length <= tag.count - offset else { return nil }
      let start = tag.lowerBound + offset
      let units = (0..<length / 2).map { UInt16(bytes[start + $0 * 2]) << 8 | UInt16(bytes[start + $0 * 2 + 1]) }
      text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default:
      return nil
    }
    let clean = String(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
      .trimmingCharacters(in: .whitespaces)
    return clean.isEmpty ? nil : String(clean.prefix(200))
  }

  /// The primaries and curves; `nil` if the profile does not have all of them.
  var matrixSource: (ColorMatrix, ToneCurve, ToneCurve, ToneCurve)? {
    guard
      let red = xyz("rXYZ"), let green = xyz("gXYZ"), let blue = xyz("bXYZ"),
      let redCurve = curve("rTRC"), let greenCurve = curve("gTRC"), let blueCurve = curve("bTRC")
    else { return nil }
    let matrix = ColorMatrix(columns: red, green, blue)
    return matrix.inverse == nil ? nil : (matrix, redCurve, greenCurve, blueCurve)
  }

  private func xyz(_ tag: String) -> SIMD3<Double>? {
    guard let tag = tags[tag], tag.count >= 20, Self.signature(bytes, tag.lowerBound) == "XYZ " else { return nil }
    return SIMD3(fixed(tag.lowerBound + 8), fixed(tag.lowerBound + 12), fixed(tag.lowerBound + 16))
  }

  /// Returns a curve of type `curv` or `para` (10.6 and 10.18).
  func curve(_ tag: String) -> ToneCurve? {
    guard let tag = tags[tag], tag.count >= 12 else { return nil }
    let start = tag.lowerBound
    switch Self.signature(bytes, start) {
    case "curv":
      let count = Self.uint32(bytes, start + 8)
      guard count <= (tag.count - 12) / 2 else { return nil }
      let values = (0..<count).map { Self.uint16(bytes, start + 12 + $0 * 2) }
      return switch count {
      case 0: .gamma(1)
      case 1: values[0] == 0 ? nil : .gamma(Double(values[0]) / 256)
      default: .table(values.map { Float($0) / 65535 })
      }
    case "para":
      let type = Self.uint16(bytes, start + 8)
      let counts = [1, 3, 4, 5, 7]
      guard type < counts.count, tag.count >= 12 + counts[type] * 4 else { return nil }
      var values = (0..<counts[type]).map { fixed(start + 12 + $0 * 4) }
      guard values[0] > 0 else { return nil }
      // All five types, converted to the most general one: (aX + b)^g + e if X ≥ d, otherwise cX + f.
      switch type {
      case 0: return .gamma(values[0])
      case 1, 2:
        guard values[1] != 0 else { return nil }
        let offset = type == 2 ? values[3] : 0
        values = [values[0], values[1], values[2], 0, -values[2] / values[1], offset, offset]
      case 3: values += [0, 0]
      default: break
      }
      return .parametric(
        gamma: values[0], a: values[1], b: values[2], c: values[3], d: values[4], e: values[5], f: values[6])
    default:
      return nil
    }
  }

  /// Returns a signed fixed-point number with 16 fractional bits.
  private func fixed(_ offset: Int) -> Double {
    Double(Int32(bitPattern: UInt32(Self.uint32(bytes, offset)))) / 65536
  }

  private static func uint16(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  private static func uint32(_ bytes: [UInt8], _ offset: Int) -> Int {
    uint16(bytes, offset) << 16 | uint16(bytes, offset + 2)
  }

  private static func signature(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }
}
