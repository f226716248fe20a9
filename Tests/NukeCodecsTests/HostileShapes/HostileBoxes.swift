#if HEIC && AVIF && JPEGXL && Video
  import Foundation
  import NukeCodecs

  extension HostileShape {
    /// Shapes of formats that consist of boxes.
    static let boxes = stills + films

    private static let stills: [HostileShape] = [
      HostileShape("a grid that is its own tile", .heic, .rejected("HEIC")) {
        var data = try DeepFixture.named("rgb", .heic).data()
        let place = data.range(of: Data("dimg".utf8) + [0, 2, 0, 1])!.upperBound
        data.replaceSubrange(place..<place + 2, with: [0, 2])
        return data
      },
      HostileShape("thousands of references to one image", .heic, DecodeWork.derivedPixels) {
        try rewritten(DeepFixture.named("rgb", .heic).data(), ["meta", "iref"]) { references in
          let place = references.range(of: Data("dimg".utf8) + [0, 2, 0, 1])!
          let item = references[place.upperBound..<place.upperBound + 2]
          let count = 60_000
          let list = box("dimg", Data([0, 2]) + bytes(count, 2) + Data((0..<count).flatMap { _ in item }))
          return references[..<(place.lowerBound - 4)] + list + references[(place.upperBound + 2)...]
        }
      },
      HostileShape("the largest sides", .heic, .rejected("4294967295x4294967295 pixels")) {
        try DeepFixture.named("rgb", .heic).resized(.max, .max)
      },
      HostileShape("the largest sides", .avif, .rejected("AVIF")) {
        try DeepFixture.named("rgb420", .avif).resized(.max, .max)
      },
      HostileShape("a box of the largest size", .avif, .rejected("AVIF")) {
        box("ftyp", Data("avif\0\0\0\0avifmif1".utf8)) + bytes(1, 4) + Data("meta".utf8) + bytes(-1, 8)
          + Data(count: 64)
      },
      HostileShape("thousands of nested boxes", .avif, .rejected("AVIF")) {
        box("ftyp", Data("avif\0\0\0\0avifmif1".utf8)) + nested("meta", levels: 20_000, skipping: 4)
      },
      HostileShape("thousands of nested boxes", .heic, .rejected("HEIC")) {
        box("ftyp", Data("heic\0\0\0\0heicmif1".utf8)) + nested("meta", levels: 20_000, skipping: 4)
      },
      HostileShape("small layers of a large image", .jxl, .blendedPixels) {
        try Data(contentsOf: Fixtures.file("JXL/layers.jxl"))
      },
      HostileShape("a hundred thousand empty boxes", .jxl, .rejected("JPEG XL")) {
        box("JXL ", Data([0x0D, 0x0A, 0x87, 0x0A])) + box("ftyp", Data("jxl \0\0\0\0jxl ".utf8))
          + Data((0..<100_000).flatMap { _ in box("jxlp", bytes(0, 4)) })
      },
    ]

    private static let films: [HostileShape] = [
      HostileShape("thousands of nested boxes", .mp4, .rejected("MP4")) {
        box("ftyp", Data("isom\0\0\0\0isomavc1".utf8)) + nested("moov", levels: 20_000)
      },
      HostileShape("times whose sum is no number", .mp4, .read) {
        var data = try VideoFixture.data("h264.mp4")
        for (type, offset, value) in [
          ("mvhd", 12, 1), ("mdhd", 12, UInt32.max >> 1), ("elst", 8, .max), ("elst", 12, .max),
        ] as [(String, Int, UInt32)] {
          let place = data.range(of: Data(type.utf8))!.upperBound + offset
          data.replaceSubrange(place..<place + 4, with: bytes(Int(value), 4))
        }
        return data
      },
      HostileShape("four billion samples", .mp4, .rejected("samples")) {
        var data = try VideoFixture.data("h264.mp4")
        let place = data.range(of: Data("stsz".utf8))!.upperBound
        data.replaceSubrange(place + 4..<place + 12, with: bytes(1, 4) + bytes(0xFFFF_FF00, 4))
        return data
      },
    ]

    private static func bytes(_ value: Int, _ count: Int) -> Data {
      Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    /// A file with the contents of a box changed, and the sizes of the boxes around it.
    private static func rewritten(
      _ data: Data, _ path: [String], _ change: (Data) throws -> Data
    ) rethrows -> Data {
      guard let type = path.first else { return try change(data) }
      var (result, rest) = (Data(), Data(data))
      while rest.count >= 8 {
        let size = min(max(rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }, 8), rest.count)
        let (header, content) = (Data(rest[4..<8]), Data(rest[8..<size]))
        rest = Data(rest.dropFirst(size))
        guard header == Data(type.utf8) else {
          result += box(String(decoding: header, as: UTF8.self), content)
          continue
        }
        // Version and flags.
        let skipped = type == "meta" ? 4 : 0
        let inner = try rewritten(Data(content.dropFirst(skipped)), Array(path.dropFirst()), change)
        result += box(type, content.prefix(skipped) + inner)
      }
      return result + rest
    }

    private static func box(_ type: String, _ content: Data) -> Data {
      bytes(content.count + 8, 4) + Data(type.utf8) + content
    }

    /// - Parameter skipping: the number of bytes before the contents of a box.
    private static func nested(_ type: String, levels: Int, skipping: Int = 0) -> Data {
      let header = 8 + skipping
      return Data(
        (0..<levels).flatMap { level in
          bytes((levels - level) * header, 4) + Data(type.utf8) + Data(count: skipping)
        })
    }
  }
#endif
