#if TIFF
  import Foundation
  import NukeCodecs

  extension HostileShape {
    /// Shapes of TIFF.
    static let directories: [HostileShape] = [
      HostileShape("a directory that follows itself", .tiff, .read) { tiff(next: 8) },
      HostileShape("as many entries as can be", .tiff, .rejected("a directory of 65535 entries")) {
        let entry = bytes(256, 2) + bytes(3, 2) + bytes(1, 4) + bytes(1, 4)
        return Data("II*\0".utf8) + bytes(8, 4) + bytes(0xFFFF, 2) + Data((0..<0xFFFF).flatMap { _ in entry })
          + bytes(0, 4)
      },
      HostileShape("two billion strips", .tiff, .rejected("truncated TIFF")) {
        tiff([273: (4, Int(Int32.max), 200), 279: (4, Int(Int32.max), 200)])
      },
      HostileShape("thousands of strips, all of which are the same bytes", .tiff, .read) {
        let rows = 10_000
        let offset = 8 + 2 + 9 * 12 + 4
        var fields: [Int: (type: Int, count: Int, value: Int)] = [257: (4, 1, rows), 278: (4, 1, 1)]
        fields[273] = (4, rows, offset + 1)
        fields[279] = (4, rows, offset + 1 + 4 * rows)
        let places = Data((0..<rows).flatMap { _ in bytes(offset, 4) })
        return tiff(fields) + places + Data((0..<rows).flatMap { _ in bytes(1, 4) })
      },
      HostileShape("the largest tiles", .tiff, .rejected("TIFF")) {
        tiff([322: (4, 1, 0xFFFF_FFF0), 323: (4, 1, 0xFFFF_FFF0), 324: (4, 1, 130), 325: (4, 1, 1)])
      },
      HostileShape("tiles that are far wider than the image", .tiff, DecodeWork.tileBytes) {
        let rows = 16_384
        return tiff([
          257: (4, 1, rows), 258: (3, 1, 1), 322: (4, 1, 1 << 29), 323: (4, 1, 1), 324: (4, rows, 8), 325: (4, rows, 8),
        ]) + Data(count: 4 * rows)
      },
      HostileShape("the largest sides", .tiff, .rejected("damaged TIFF")) {
        tiff([256: (4, 1, 0xFFFF_FFFF), 257: (4, 1, 0xFFFF_FFFF)])
      },
    ]

    private static func bytes(_ value: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// A gray image of one pixel, with other fields.
    private static func tiff(_ changes: [Int: (type: Int, count: Int, value: Int)] = [:], next: Int = 0) -> Data {
      var fields: [Int: (type: Int, count: Int, value: Int)] = [
        256: (4, 1, 1), 257: (4, 1, 1), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1), 273: (4, 1, 0), 277: (3, 1, 1),
        278: (4, 1, 1), 279: (4, 1, 1),
      ]
      fields.merge(changes) { $1 }
      let end = 8 + 2 + fields.count * 12 + 4
      if changes[273] == nil { fields[273] = (4, 1, end) }
      var data = Data("II*\0".utf8) + bytes(8, 4) + bytes(fields.count, 2)
      for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
        data += bytes(tag, 2) + bytes(field.type, 2) + bytes(field.count, 4) + bytes(field.value, 4)
      }
      return data + bytes(next, 4) + [7]
    }
  }
#endif
