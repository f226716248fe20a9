import CNukeCodecs
import Foundation
import NukeImaging
import Testing

@testable import NukeCodecs

@Suite("Text in a PNG")
struct PNGTextTests {
  private let file: Data

  init() throws {
    let white = try #require(PixelBuffer(width: 3, height: 2))
    white.base.update(repeating: 255, count: white.byteCount)
    file = try PNGWriter().encode(Bitmap(white, isOpaque: true))
  }

  @Test("Written text is read again, and the pixels do not change")
  func roundTrip() throws {
    let marked = try PNGText.adding([("Title", "Größe"), ("Empty", ""), ("Title", "second")], to: file)
    #expect(PNGText.read(marked) == ["Title": "Größe", "Empty": ""])
    let image = try PNGReader(data: marked, limits: .init()).decode(DecodeOptions())
    #expect(image.pixelWidth == 3 && image.pixelHeight == 2)
    #expect(image.withUnsafeBytes { $0.allSatisfy { $0 == 255 } })
  }

  @Test("Characters that Latin-1 does not have, and zeros, become question marks")
  func foreign() throws {
    #expect(PNGText.read(try PNGText.adding([("Note", "5 €\0!")], to: file)) == ["Note": "5 ??!"])
  }

  @Test("Text is ignored if the checksum is wrong, if the file is truncated, and if the file is not a PNG")
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

  // MARK: Kinds of chunks

  /// As Python's zlib has it.
  private static let address = "file:///home/jens/Bilder/Ausflüge/2024/Sommer/am%20See/IMG_0001.jpg"
  private static let addressStream =
    "eJxLy8xJtdLX18/Iz03Vz0rNK9Z3ysxJSS3SdywtTsv5k56qb2RgZKIfnJ+bCxRMzFU1MghOTdX39HWPNzAwMNTLKkgHABFeFjg="
  private static let note = "Größe — 幅 und so weiter, in mehr als vierzig Zeichen"
  private static let noteStream =
    "eJxzLzq87fD8VIVHDVMUnu5sVSjNS1EozlcoT80sSS3SUcjMU8hNzShSSMwpVijLTC2qykxXiErNTM5IzQMA8T0XwQ=="

  private static func stream(_ base64: String) -> Data { Data(base64Encoded: base64)! }

  /// The file with chunks behind its header, their checksums right.
  private func file(with chunks: [(type: String, content: Data)]) -> Data {
    let headerEnd = 33
    var result = Data(file[..<headerEnd])
    for (type, content) in chunks { result += PNGChunks.encoded(type, content) }
    return result + file[headerEnd...]
  }

  private static let kinds: [(type: String, head: String, body: Data, text: String)] = [
    ("tEXt", "Note\0", Data([0x47, 0x72, 0xF6, 0xDF, 0x65]), "Größe"),
    ("zTXt", "Note\0\0", stream(addressStream), address),
    ("zTXt", "Note\0\0", ZlibStream.stored([0x47, 0x72, 0xF6, 0xDF, 0x65]), "Größe"),
    ("zTXt", "Note\0\0", ZlibStream.stored([]), ""),
    ("zTXt", "Note\0\0", stream(addressStream) + Data([1, 2, 3]), address),
    ("iTXt", "Note\0\0\0de\0Bemerkung\0", Data(note.utf8), note),
    ("iTXt", "Note\0\0\u{7}\0\0", Data(note.utf8), note),
    ("iTXt", "Note\0\u{1}\0\0\0", stream(noteStream), note),
    ("iTXt", "Note\0\u{1}\0UTF-8\0Größe\0", stream(noteStream), note),
  ]

  @Test("Text is read in Latin-1 and UTF-8, compressed or not, in every language", arguments: kinds)
  func kind(type: String, head: String, body: Data, text: String) {
    #expect(PNGText.read(file(with: [(type, Data(head.utf8) + body)])) == ["Note": text])
  }

  @Test("A truncated chunk has no text, or a part of it", arguments: kinds)
  func cut(type: String, head: String, body: Data, text: String) {
    let whole = Data(head.utf8) + body
    for count in 0..<whole.count {
      let read = PNGText.read(file(with: [(type, whole.prefix(count))]))
      if let part = read["Note"] { #expect(text.hasPrefix(part), "\(count) bytes") }
      #expect(read.keys.allSatisfy { $0 == "Note" }, "\(count) bytes")
    }
  }

  @Test("A damaged compressed stream has no text, or the original one", arguments: kinds)
  func damaged(type: String, head: String, body: Data, text: String) {
    guard type == "zTXt" || head.contains("\u{1}") else { return }
    let whole = Data(head.utf8) + body
    for place in head.utf8.count..<whole.count {
      for bit in 0..<8 {
        var damaged = whole
        damaged[place] ^= 1 << bit
        #expect([nil, text].contains(PNGText.read(file(with: [(type, damaged)]))["Note"]), "bit \(bit) of \(place)")
      }
    }
  }

  private static func chunk(_ type: String, _ head: String, _ body: Data = Data()) -> (String, Data) {
    (type, Data(head.utf8) + body)
  }

  private static let broken: [(String, Data)] = [
    chunk("tEXt", "\0text"), chunk("tEXt", "Note"), chunk("tEXt", ""),
    chunk("tEXt", String(repeating: "k", count: 80) + "\0text"), chunk("zTXt", "Note\0"),
    chunk("zTXt", "Note\0\u{1}", stream(addressStream)), chunk("zTXt", "Note\0\0text"),
    chunk("iTXt", "Note\0\0\0text"), chunk("iTXt", "Note\0\0\0de\0text"),
    chunk("iTXt", "Note\0\u{2}\0\0\0text"), chunk("iTXt", "Note\0\u{1}\u{1}\0\0", stream(noteStream)),
    chunk("iTXt", "Note\0\0\0\0\0", Data([0x47, 0xF6])),
    chunk("iTXt", "Note\0\u{1}\0\0\0", ZlibStream.stored([0x47, 0xF6])),
  ]

  @Test("An invalid chunk has no text", arguments: broken)
  func rules(type: String, content: Data) {
    let good = ("tEXt", Data("Title\0Lake".utf8))
    #expect(PNGText.read(file(with: [(type, content), good])) == ["Title": "Lake"])
  }

  @Test("Text longer than the limit is ignored, however small it is when compressed")
  func lengths() {
    let limit = PNGText.lengthLimit
    let fits = limit / 258
    let streams = (fits - 1...fits + 1).map { ZlibStream.repeated(UInt8(ascii: "x"), matches: $0) }
    let lengths = (fits - 1...fits + 1).map { 1 + 258 * $0 }
    for (stream, length) in zip(streams, lengths) {
      for (type, head) in [("zTXt", "Note\0\0"), ("iTXt", "Note\0\u{1}\0\0\0")] {
        let read = PNGText.read(file(with: [(type, Data(head.utf8) + stream)]))["Note"]
        #expect(read?.count == (length <= limit ? length : nil))
      }
    }
    for (type, head) in [("tEXt", "Note\0"), ("iTXt", "Note\0\0\0\0\0")] {
      for length in [limit, limit + 1] {
        let text = Data(repeating: UInt8(ascii: "x"), count: length)
        let read = PNGText.read(file(with: [(type, Data(head.utf8) + text)]))["Note"]
        #expect(read?.count == (length == limit ? limit : nil))
      }
    }
    let bomb = Data("Note\0\0".utf8) + ZlibStream.repeated(UInt8(ascii: "x"), matches: 1 << 12)
    #expect(PNGText.read(file(with: [("zTXt", bomb), ("tEXt", Data("Title\0Lake".utf8))])) == ["Title": "Lake"])
  }

  @Test("A text can be exactly as long as the limit")
  func exactLimit() throws {
    let most = 65_535
    let stream = ZlibStream.stored(Array(repeating: UInt8(ascii: "x"), count: most))
    var output = [UInt8](repeating: 0, count: most)
    func inflated(_ limit: Int) -> Int {
      stream.withUnsafeBytes { stream in
        nuke_png_inflate_whole(
          stream.assumingMemoryBound(to: UInt8.self).baseAddress, stream.count, &output, limit)
      }
    }
    #expect(inflated(most) == most)
    #expect(inflated(most - 1) == -1)
  }

  @Test("The number of text chunks that are read is limited")
  func counts() {
    let others = (1..<PNGText.countLimit).map { (type: "zTXt", content: Data("\($0)\0\0\0".utf8)) }
    let note = (type: "tEXt", content: Data("Note\0here".utf8))
    #expect(PNGText.read(file(with: others + [note])) == ["Note": "here"])
    #expect(PNGText.read(file(with: others + [others[0], note])) == [:])
    let unknown = (0..<200).map { (type: "teSt", content: Data("\($0)\0".utf8)) }
    #expect(PNGText.read(file(with: unknown + [note])) == ["Note": "here"])
  }
}
