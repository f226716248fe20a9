#if Server
  import Foundation
  import NukeImaging
  import NukeTesting

  @testable import NukeCodecs

  /// A small file that says of itself, or is, much more than it looks like.
  struct Bomb: Sendable {
    let name: String
    /// What it may be answered with.
    let statuses: Set<Int>
    let options: String
    let fields: [(name: String, value: String)]
    let make: @Sendable () throws -> Data

    init(
      _ name: String, _ statuses: Set<Int>, options: String = "w:10", fields: [(name: String, value: String)] = [],
      _ make: @escaping @Sendable () throws -> Data
    ) {
      self.name = name
      self.statuses = statuses
      self.options = options
      self.fields = fields
      self.make = make
    }

    /// The files that bombs are made of are not as they are thought to be.
    private struct Misread: Error {}

    static let all = packed + lying + moving + drawings + traited

    private static func encoded(_ format: ImageFormat, side: Int = 16) throws -> Data {
      try ImageWriters.writer(for: format, options: EncodeOptions(isLossless: true))
        .encode(SampleImage.bitmap(width: side, height: side))
    }

    private static func littleEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
    private static func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    // MARK: What grows when it is unpacked

    private static let packed: [Self] = [
      Bomb("A PNG of 30,000 x 30,000 black pixels", [422]) { blackPNG(side: 30_000) },
      Bomb("A PNG whose pixels exceed the limit of memory, decoded in bands", [200]) { blackPNG(side: 9_000) },
      Bomb("The same PNG, turned, which needs all pixels", [422], options: "rot:90/w:10") { blackPNG(side: 9_000) },
      Bomb("A PNG of 3,000 x 3,000 black pixels", [200]) { blackPNG(side: 3_000) },
      Bomb("A PNG whose comment is a gigabyte", [200, 422]) {
        try inserted("zTXt", Data("Comment\0\0".utf8) + Deflated.zlib([0], zeros: 1 << 30))
      },
      Bomb("A PNG whose text of many languages is a gigabyte", [200, 422]) {
        try inserted("iTXt", Data("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + Deflated.zlib([0], zeros: 1 << 30))
      },
      Bomb("A PNG whose color profile is a gigabyte", [200, 422]) {
        try inserted("iCCP", Data("icc\0\0".utf8) + Deflated.zlib([0], zeros: 1 << 30))
      },
      Bomb("A PNG of 100,000 empty chunks", [200, 422]) {
        let chunk = PNGChunks.encoded("IDAT", Data())
        let png = try encoded(.png)
        return try cut(png, before: "IDAT").start
          + (0..<100_000).reduce(into: Data()) { data, _ in data += chunk } + cut(png, before: "IDAT").end
      },
      Bomb("A gigabyte behind Content-Encoding", [422], fields: [("Content-Encoding", "gzip")]) {
        Deflated.gzip([0], repeats: 1 << 30)
      },
    ]

    private static func blackPNG(side: UInt32) -> Data {
      let header = bigEndian(side) + bigEndian(side) + Data([1, 0, 0, 0, 0])
      let rows = (Int(side + 7) / 8 + 1) * Int(side)
      return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + PNGChunks.encoded("IHDR", header)
        + PNGChunks.encoded("IDAT", Deflated.zlib([0], zeros: rows)) + PNGChunks.encoded("IEND", Data())
    }

    private static func cut(_ png: Data, before type: String) throws -> (start: Data, end: Data) {
      guard let found = png.range(of: Data(type.utf8)) else { throw Misread() }
      return (Data(png[..<(found.lowerBound - 4)]), Data(png[(found.lowerBound - 4)...]))
    }

    private static func inserted(_ type: String, _ content: Data) throws -> Data {
      let (start, end) = try cut(encoded(.png), before: "IDAT")
      return start + PNGChunks.encoded(type, content) + end
    }

    // MARK: What lies about its size

    private static let lying: [Self] = [
      Bomb("A JPEG that says 65,500 x 65,500", [422]) { try lyingJPEG(side: 65_500) },
      Bomb("A JPEG that says 9,000 x 9,000", [200, 422]) { try lyingJPEG(side: 9_000) },
      Bomb("A JPEG of 5,000 scans", [200, 422], options: "w:600") {
        let bitmap = SampleImage.bitmap(width: 600, height: 600)
        let jpeg = try JPEGWriter(isProgressive: true).encode(bitmap)
        guard let scan = jpeg.range(of: Data([0xFF, 0xDA]), options: .backwards) else {
          throw Misread()
        }
        // A short one, so that the file stays small.
        let head = jpeg[scan.lowerBound..<scan.lowerBound + 10] + Data([0, 0])
        return jpeg.dropLast(2) + (0..<5000).reduce(into: Data()) { data, _ in data += head } + Data([0xFF, 0xD9])
      },
      Bomb("A WebP that says 16,383 x 16,383", [422]) {
        var webp = try encoded(.webp)
        guard let start = webp.range(of: Data("VP8L".utf8))?.upperBound else { throw Misread() }
        webp.replaceSubrange(start + 5..<start + 9, with: littleEndian(16_382 | 16_382 << 14))
        return webp
      },
      Bomb("A BMP that says 30,000 x 30,000", [422]) {
        var bmp = try encoded(.bmp)
        bmp.replaceSubrange(18..<26, with: littleEndian(30_000) + littleEndian(30_000))
        return bmp
      },
    ]

    private static func lyingJPEG(side: UInt32) throws -> Data {
      var jpeg = SampleImage.jpeg(width: 16, height: 16)
      guard let frame = jpeg.range(of: Data([0xFF, 0xC0]))?.lowerBound else { throw Misread() }
      jpeg.replaceSubrange(frame + 5..<frame + 9, with: bigEndian(side << 16 | side))
      return jpeg
    }

    // MARK: What moves

    private static let moving: [Self] = [
      Bomb("A GIF whose canvas is 65,535 x 65,535", [422]) {
        var gif = try encoded(.gif)
        gif.replaceSubrange(6..<10, with: Data(repeating: 0xFF, count: 4))
        return gif
      },
      Bomb("A GIF of 100,000 frames", [422]) { try repeatedGIF(side: 1, count: 100_000) },
      Bomb("A GIF of 400 frames of a megapixel", [200], options: "w:10/f:gif") {
        try repeatedGIF(side: 1000, count: 400)
      },
    ]

    private static func repeatedGIF(side: Int, count: Int) throws -> Data {
      let black = Bitmap(pixelWidth: side, pixelHeight: side, isOpaque: true) { bytes in
        for place in stride(from: 3, to: bytes.count, by: 4) { bytes[place] = 255 }
      }
      guard let black else { throw Misread() }
      let gif = try GIFWriter(EncodeOptions()).encode(black)
      let flags = Int(gif[10])
      let start = 13 + (flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1))
      let frame = gif[start..<gif.count - 1]
      return gif[..<start] + (0..<count).reduce(into: Data()) { data, _ in data += frame } + Data([0x3B])
    }

    // MARK: What is drawn

    private static func svg(_ content: String, start: String = "") -> Data {
      let names = #"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#
      return Data((start + "<svg \(names) width=\"100\" height=\"100\">\(content)</svg>").utf8)
    }

    // Without the trait they are images that cannot be read.
    private static let drawings: [Self] = [
      Bomb("An SVG that uses itself ten times, ten times over", [422]) {
        let levels = (1...10).map { level in
          let uses = String(repeating: "<use xlink:href=\"#g\(level - 1)\"/>", count: 10)
          return "<g id=\"g\(level)\">\(uses)</g>"
        }
        return svg("<g id=\"g0\"><rect width=\"9\" height=\"9\"/></g>" + levels.joined())
      },
      Bomb("An SVG of entities of entities", [422]) {
        let entities = (1...9).map { level in
          "<!ENTITY e\(level) \"" + String(repeating: "&e\(level - 1);", count: 10) + "\">"
        }
        return svg("<text>&e9;</text>", start: "<!DOCTYPE svg [<!ENTITY e0 \"aaaaaaaaaa\">\(entities.joined())]>")
      },
      Bomb("An SVG of 50,000 elements within each other", [422]) {
        svg(String(repeating: "<g>", count: 50_000) + String(repeating: "</g>", count: 50_000))
      },
      Bomb("An SVG whose pattern is drawn in itself", [200, 422]) {
        svg(
          #"<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern>"#
            + #"<rect width="100" height="100" fill="url(#p)"/>"#)
      },
      Bomb("An SVG with a file of the server's in it", [200, 422]) {
        svg(#"<image xlink:href="file:///etc/passwd" width="100" height="100"/>"#)
      },
      Bomb("An SVG that is packed, of a gigabyte", [422]) {
        Deflated.gzip(Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"> "#.utf8), repeats: 1 << 30)
      },
    ]

    // MARK: Formats behind traits

    private static var traited: [Self] {
      var bombs: [Self] = []
      // Without a trait nothing else is added.
      bombs.reserveCapacity(4)
      #if TIFF
        bombs.append(
          Bomb("A TIFF that says 65,500 x 65,500", [422]) {
            var tiff = try encoded(.tiff)
            let isLittle = tiff[0] == 0x49
            func number(_ place: Int, _ count: Int) -> Int {
              let bytes = tiff[place..<place + count]
              return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
            }
            let directory = number(4, 4)
            for entry in 0..<number(directory, 2) {
              let place = directory + 2 + entry * 12
              guard [256, 257].contains(number(place, 2)) else { continue }
              // As numbers of 32 bits.
              let type = isLittle ? Data([4, 0]) : Data([0, 4])
              tiff.replaceSubrange(place + 2..<place + 4, with: type)
              tiff.replaceSubrange(place + 8..<place + 12, with: isLittle ? littleEndian(65_500) : bigEndian(65_500))
            }
            return tiff
          })
      #endif
      #if AVIF
        bombs.append(Bomb("An AVIF that says 30,000 x 30,000", [422]) { try lyingISO(encoded(.avif)) })
      #endif
      #if HEIC
        bombs.append(
          Bomb("A HEIC that says 30,000 x 30,000", [422]) {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            let file = folder.appendingPathComponent("../../NukeCodecsTests/Fixtures/HEIC/lossless.heic")
            return try lyingISO(Data(contentsOf: file))
          })
      #endif
      #if JPEGXL
        bombs.append(
          Bomb("A JPEG XL that says a billion pixels a side", [422]) {
            // A bare codestream: 30 bits of the height less one, and a square (ISO 18181-1, D.2).
            let size = UInt64(3) << 1 | UInt64((1 << 30) - 1) << 3 | UInt64(1) << 33
            return Data([0xFF, 0x0A]) + withUnsafeBytes(of: size.littleEndian) { Data($0) } + Data(count: 64)
          })
      #endif
      return bombs
    }

    /// All that the boxes of an image say of its size changed.
    private static func lyingISO(_ data: Data) throws -> Data {
      var data = data
      var place = data.startIndex
      while let box = data.range(of: Data("ispe".utf8), in: place..<data.endIndex) {
        data.replaceSubrange(box.upperBound + 4..<box.upperBound + 12, with: bigEndian(30_000) + bigEndian(30_000))
        place = box.upperBound
      }
      guard place > data.startIndex else { throw Misread() }
      return data
    }
  }
#endif
