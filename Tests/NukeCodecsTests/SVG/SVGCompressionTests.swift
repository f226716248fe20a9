#if SVG
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Compressed SVG")
  struct SVGCompressionTests: DamageSuite {
    typealias Reader = SVGReader

    /// `gzip.compress` of Python gives this for a drawing of 20 by 10 pixels in #00ff00.
    static let green = Data(
      base64Encoded: """
        H4sIAAAAAAACA3XMyQ2AMAwF0VYic48/cENJmgGySGERWJjygQI4z9O480rmXup6esoi+8CsqlZ7ux2JOwD8CjJaJsmeOpDJc0lZPLWg4I55lJ9oYqnV\
        UwPECBAH963CA2pWSyxyAAAA
        """)!

    @Test("A drawing that is compressed is recognized by its content, and drawn")
    func drawn() throws {
      for data in [Self.green, (Data([1, 2]) + Self.green).dropFirst(2)] {
        #expect(ImageFormat(sniffing: data) == .svg)
        let reader = try ImageReaders.reader(for: data)
        #expect((reader.header.format, reader.header.pixelWidth, reader.header.pixelHeight) == (.svg, 20, 10))
        let image = try reader.decode(DecodeOptions(targetSize: .init(width: 40, height: 20)))
        #expect(image.pixelBytes == (0..<800).flatMap { _ in [0, 255, 0, 255] as [UInt8] })
      }
    }

    @Test("The header is known when the data is complete, and more data is needed before")
    func prefix() throws {
      // Longer than the part that is searched for the first element.
      let long = SVGReaderTests.drawing(#"width="20" height="10""#, "<!-- \(String(repeating: "a", count: 3000)) -->")
      // With the marks of UTF-8 and UTF-16, of which only a part may have arrived.
      let text = "\u{FEFF}" + String(decoding: SVGReaderTests.drawing(#"width="20" height="10""#, ""), as: UTF8.self)
      let marked = try [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian].map { encoding in
        GzipText.stored(try #require(text.data(using: encoding)))
      }
      for data in [Self.green, GzipText.stored(long)] + marked {
        for count in 0..<data.count { #expect(try ImageReaders.header(ofPrefix: data.prefix(count)) == nil) }
        #expect(try ImageReaders.header(ofPrefix: data)?.pixelWidth == 20)
      }
    }

    @Test("Data that is damaged, truncated, or followed by other bytes is an error")
    func damaged() {
      // The first element is in the first 50 bytes.
      for count in stride(from: 50, to: Self.green.count, by: 5) {
        #expect(error(Self.green.prefix(count)) == .truncated(.svg, byteCount: count))
      }
      var changed = Self.green
      changed[changed.count - 6] ^= 1
      expectMalformed(error(changed), .svg, "compressed text is damaged")
      changed = Self.green
      changed[changed.count - 1] ^= 1
      expectMalformed(error(changed), .svg, "compressed text is damaged")
      expectMalformed(error(Self.green + Self.green), .svg, "other bytes follow")
      expectMalformed(error(Self.green + Data([0])), .svg, "other bytes follow")
    }

    @Test("A text of more than 8 MB is rejected, however small its data is")
    func length() {
      let start = Array(SVGReaderTests.drawing("", "<g/>").dropLast(6)) + [0x20]
      let data = GzipText.repeating(start, count: 9 << 20)
      #expect(data.count < 64 << 10)
      #expect(ImageFormat(sniffing: data) == .svg)
      #expect(error(data) == .tooComplex(.svg, .markup))
      // Below the limit, only the end is missing.
      let short = GzipText.repeating(start, count: 1 << 20)
      #expect(error(short) == .truncated(.svg, byteCount: short.count))
    }

    @Test("The memory to open a drawing is that of its text")
    func memory() {
      let text = SVGReaderTests.drawing("", String(repeating: "<g/>", count: 10_000))
      #expect(ImageReaders.openingByteCount(of: text) == 40 * text.count)
      #expect(ImageReaders.openingByteCount(of: GzipText.stored(text)) == 40 * text.count)
      #expect(ImageReaders.openingByteCount(of: Self.green) == 40 * 114)
    }

    @Test(
      "Other compressed data is no image",
      arguments: [
        "", "<html><body><svg/></body></html>", "a text", "\u{1}\u{2}", "<?xml version='1.0'?>",
        "<!-- \(String(repeating: "a", count: 17_000)) --><svg/>",
      ])
    func others(text: String) {
      for data in [GzipText.stored(Data(text.utf8)), GzipText.stored(Self.green)] {
        #expect(ImageFormat(sniffing: data) == nil)
        #expect(throws: CodecError.unrecognizedFormat(looksLike: "gzip-compressed data")) {
          try ImageReaders.reader(for: data)
        }
        #expect(throws: CodecError.unrecognizedFormat(looksLike: "gzip-compressed data")) {
          try ImageReaders.header(ofPrefix: data)
        }
      }
    }
  }
#endif
