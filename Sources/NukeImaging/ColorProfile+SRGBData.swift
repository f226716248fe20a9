package import Foundation

extension ColorProfile {
  /// An ICC profile of sRGB to embed in files: version 4, three primaries and one curve, 500 bytes.
  ///
  /// The values are those of IEC 61966-2-1, adapted to the profile's white point D50.
  package static let sRGBData: Data = {
    let curve =
      signature("para") + bytes(0) + bytes(3 << 16)
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
      .flatMap(fixed)
    let tags: [(String, [UInt8])] = [
      ("desc", text("sRGB")),
      ("cprt", text("CC0")),
      ("wtpt", xyz(0.9642, 1, 0.8249)),
      ("rXYZ", xyz(0.436066, 0.222488, 0.013916)),
      ("gXYZ", xyz(0.385147, 0.716873, 0.097076)),
      ("bXYZ", xyz(0.143066, 0.060608, 0.714096)),
      ("rTRC", curve),
      ("gTRC", curve),
      ("bTRC", curve),
      // From D65 to D50 with the Bradford method.
      (
        "chad",
        signature("sf32") + bytes(0)
          + [1.047882, 0.022919, -0.050201, 0.029587, 0.990479, -0.017059, -0.009232, 0.015076, 0.751678]
          .flatMap(fixed)
      ),
    ]

    var table: [UInt8] = bytes(UInt32(tags.count))
    var content: [UInt8] = []
    var offsets: [[UInt8]: Int] = [:]
    let start = 128 + 4 + tags.count * 12
    for (name, body) in tags {
      // Equal curves share one entry.
      let offset = offsets[body] ?? start + content.count
      if offsets[body] == nil {
        offsets[body] = offset
        content += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      }
      table += signature(name) + bytes(UInt32(offset)) + bytes(UInt32(body.count))
    }
    return Data(header(byteCount: start + content.count) + table + content)
  }()

  /// Returns the header of the profile (ICC.1:2010, 7.2).
  private static func header(byteCount: Int) -> [UInt8] {
    var header = bytes(UInt32(byteCount)) + bytes(0) + bytes(0x0420_0000)
    header += signature("mntr") + signature("RGB ") + signature("XYZ ")
    // 1 January 2000.
    header += [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + signature("acsp")
    header += [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap(fixed)
    return header + [UInt8](repeating: 0, count: 128 - header.count)
  }

  private static func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
  private static func signature(_ name: String) -> [UInt8] { Array(name.utf8) }
  private static func fixed(_ value: Double) -> [UInt8] {
    bytes(UInt32(bitPattern: Int32((value * 65_536).rounded())))
  }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    signature("XYZ ") + bytes(0) + [x, y, z].flatMap(fixed)
  }

  /// A multi-localized text with one entry, in American English.
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let name = signature("mluc") + bytes(0) + bytes(1) + bytes(12) + Array("enUS".utf8)
    return name + bytes(UInt32(units.count)) + bytes(28) + units
  }
}
