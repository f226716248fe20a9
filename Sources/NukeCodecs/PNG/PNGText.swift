package import Foundation

/// The text that a PNG carries beside its pixels: keywords, and a text each (PNG specification, third edition, 11.3.3).
package enum PNGText {
  /// The number of bytes of a file that are searched.
  private static let searchLimit = 1 << 20
  /// The maximum number of text chunks that are read.
  static let countLimit = 64

  /// The text in front of the pixels by keyword; of a keyword that comes twice the first. Empty where `file` is no PNG.
  ///
  /// Chunks that are damaged and texts of more than ``lengthLimit`` bytes are passed over.
  package static func read(_ file: Data) -> [String: String] {
    guard ImageFormat(sniffing: file) == .png else { return [:] }
    var chunks = PNGChunks(file)
    var texts: [String: String] = [:]
    var count = 0
    while chunks.position < searchLimit, count < countLimit, case .chunk(let chunk)? = try? chunks.next() {
      guard Kind(rawValue: chunk.type) != nil else { continue }
      count += 1
      guard chunk.isIntact, let entry = entry(chunk) else { continue }
      if texts[entry.keyword] == nil { texts[entry.keyword] = entry.text }
    }
    return texts
  }

  /// The file with text in front of its pixels, in the order given.
  ///
  /// - Parameters:
  ///   - texts: keywords of 1 to 79 characters, and texts; what Latin-1 does not have becomes "?".
  ///   - file: a complete PNG.
  /// - Throws: ``CodecError/malformed(_:reason:offset:)`` where `file` is no PNG with a header.
  package static func adding(_ texts: [(keyword: String, text: String)], to file: Data) throws(CodecError) -> Data {
    var chunks = PNGChunks(file)
    guard ImageFormat(sniffing: file) == .png, case .chunk(let header) = try chunks.next(), header.type == "IHDR" else {
      throw .malformed(.png, reason: "there is no header to put text behind", offset: nil)
    }
    var result = Data(file.prefix(chunks.position))
    for (keyword, text) in texts {
      precondition((1...79).contains(keyword.unicodeScalars.count), "a keyword has 1 to 79 characters")
      result.append(PNGChunks.encoded("tEXt", Data(latin1(keyword) + [0] + latin1(text))))
    }
    result.append(file.dropFirst(chunks.position))
    return result
  }

  private static func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { $0.value != 0 ? UInt8(exactly: $0.value) ?? UInt8(ascii: "?") : UInt8(ascii: "?") }
  }
}
