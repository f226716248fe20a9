internal import CNukeCodecs
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

extension PNGText {
  /// The chunks that hold text.
  enum Kind: String {
    /// Latin-1.
    case plain = "tEXt"
    /// Latin-1, compressed.
    case compressed = "zTXt"
    /// UTF-8, compressed or not, with a language and the keyword in it.
    case international = "iTXt"
  }

  /// The longest text that is taken, in bytes. A path has 4096 at most, and three times that in a URI.
  static let lengthLimit = 1 << 16

  /// What a chunk says; `nil` for other chunks, and where something is wrong with it.
  static func entry(_ chunk: PNGChunks.Chunk) -> (keyword: String, text: String)? {
    var fields = Fields(rest: chunk.data)
    guard let kind = Kind(rawValue: chunk.type), let keyword = fields.upToZero(within: 79), !keyword.isEmpty else {
      return nil
    }
    let text: String?
    switch kind {
    case .plain:
      text = stored(fields.rest, latin1)
    case .compressed:
      guard fields.byte() == zlib else { return nil }
      text = inflated(fields.rest, latin1)
    case .international:
      // Programs write names of encodings where a language should be, so neither is looked at.
      guard let isCompressed = fields.byte(), let method = fields.byte(), fields.upToZero() != nil,
        fields.upToZero() != nil
      else { return nil }
      switch isCompressed {
      // The method does not matter then, says the specification.
      case 0: text = stored(fields.rest, utf8)
      case 1 where method == zlib: text = inflated(fields.rest, utf8)
      default: return nil
      }
    }
    return text.map { (keyword.withUnsafeBytes(latin1), $0) }
  }

  /// The only compression method there is.
  private static let zlib: UInt8 = 0

  private static func stored(_ bytes: Data, _ text: (UnsafeRawBufferPointer) -> String?) -> String? {
    bytes.count <= lengthLimit ? bytes.withUnsafeBytes(text) : nil
  }

  /// No more memory is taken than the longest text needs, whatever the stream would come to.
  private static func inflated(_ stream: Data, _ text: (UnsafeRawBufferPointer) -> String?) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: lengthLimit) { output in
      let count = stream.withUnsafeBytes { stream in
        nuke_png_inflate_whole(
          stream.assumingMemoryBound(to: UInt8.self).baseAddress, stream.count, output.baseAddress!, output.count)
      }
      return count >= 0 ? text(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])) : nil
    }
  }

  private static func latin1(_ bytes: UnsafeRawBufferPointer) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { UnicodeScalar($0) })
    return String(text)
  }

  private static func utf8(_ bytes: UnsafeRawBufferPointer) -> String? { String(validating: bytes, as: UTF8.self) }

  /// Takes the fields of a chunk from its front.
  private struct Fields {
    private(set) var rest: Data

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// The bytes in front of the next zero, which goes with them; `nil` if none comes `within` so many bytes.
    mutating func upToZero(within limit: Int = .max) -> Data? {
      guard let end = rest.firstIndex(of: 0), end - rest.startIndex <= limit else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[..<end]
    }
  }
}
