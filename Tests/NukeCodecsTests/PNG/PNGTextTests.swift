import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Text in a PNG")
struct PNGTextTests {
  private let file: Data

  init() throws {
    let white = try #require(PixelBuffer(width: 3, height: 2))
    white.base.update(repeating: 255, count: white.byteCount)
    file = try PNGWriter().encode(Bitmap(white, isOpaque: true))
  }

  @Test("is read again, with the pixels as they were")
  func roundTrip() throws {
    let marked = try PNGText.adding([("Title", "Größe"), ("Empty", ""), ("Title", "second")], to: file)
    #expect(PNGText.read(marked) == ["Title": "Größe", "Empty": ""])
    let image = try PNGReader(data: marked, limits: .init()).decode(DecodeOptions())
    #expect(image.pixelWidth == 3 && image.pixelHeight == 2)
    #expect(image.withUnsafeBytes { $0.allSatisfy { $0 == 255 } })
  }

  @Test("has question marks for what Latin-1 lacks, and for zeros, which would end it")
  func foreign() throws {
    #expect(PNGText.read(try PNGText.adding([("Note", "5 €\0!")], to: file)) == ["Note": "5 ??!"])
  }

  @Test("is none where the checksum is wrong, where the file ends, and in what is no PNG")
  func damage() throws {
    let marked = try PNGText.adding([("Title", "Lake")], to: file)
    var damaged = marked
    damaged[damaged.range(of: Data("Lake".utf8))!.lowerBound] ^= 1
    #expect(PNGText.read(damaged) == [:])
    for count in 0..<marked.range(of: Data("Lake".utf8))!.upperBound {
      #expect(PNGText.read(marked.prefix(count)) == [:])
    }
    #expect(PNGText.read(Data("GIF89a".utf8)) == [:])
    #expect(throws: CodecError.self) { try PNGText.adding([("Title", "Lake")], to: Data("GIF89a".utf8)) }
    #expect(throws: CodecError.self) { try PNGText.adding([("Title", "Lake")], to: marked.prefix(12)) }
  }
}
