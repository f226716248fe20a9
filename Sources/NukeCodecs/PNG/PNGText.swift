internal import CNukeCodecs
package import Foundation

/// The text chunks of a PNG: keywords with a text each (PNG specification, third edition, 11.3.3).
package enum PNGText {
  /// The number of bytes of a file that are searched.
  private static let searchLimit = 1 << 20
  /// The maximum number of text chunks that are read.
  static let countLimit = 64

  /// The texts before the image data, by keyword. If a keyword occurs twice, the first counts. Empty if `file` is not a
  /// PNG.
  ///
  /// Damaged chunks and texts longer than ``lengthLimit`` bytes are skipped.
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

  /// Returns the file with texts added before the image data, in the given order.
  ///
  /// - Parameters:
  ///   - texts: keywords of 1 to 79 characters, and their texts. Characters that Latin-1 does not have become "?".
  ///   - file: a complete PNG.
  /// - Throws: ``CodecError/malformed(_:reason:offset:)`` if `file` is not a PNG with a header.
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
  /// The types of text chunks.
  enum Kind: String {
    /// Latin-1.
    case plain = "tEXt"
    /// Latin-1, compressed.
    case compressed = "zTXt"
    /// UTF-8, compressed or not, with a language and a translated keyword.
    case international = "iTXt"
  }

  /// The maximum length of a text, in bytes. A file path has at most 4096, and three times that in a URI.
  static let lengthLimit = 1 << 16

  /// The keyword and text of a chunk; `nil` for other chunks and invalid ones.
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
      // Some programs write the name of an encoding into the language field, so the language and the translated keyword
      // are
      // ignored.
      guard let isCompressed = fields.byte(), let method = fields.byte(), fields.upToZero() != nil,
        fields.upToZero() != nil
      else { return nil }
      switch isCompressed {
      // For uncompressed text, the method is ignored (PNG specification, 11.3.3.4).
      case 0: text = stored(fields.rest, utf8)
      case 1 where method == zlib: text = inflated(fields.rest, utf8)
      default: return nil
      }
    }
    return text.map { (keyword.withUnsafeBytes(latin1), $0) }
  }

  /// The only compression method of the format.
  private static let zlib: UInt8 = 0

  private static func stored(_ bytes: Data, _ text: (UnsafeRawBufferPointer) -> String?) -> String? {
    bytes.count <= lengthLimit ? bytes.withUnsafeBytes(text) : nil
  }

  /// Inflates at most the length of the longest text, regardless of the size of the stream.
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

  /// Reads the fields of a chunk from its beginning.
  private struct Fields {
    private(set) var rest: Data

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Returns the bytes before the next zero byte and removes both; `nil` if there is no zero byte `within` so many
    /// bytes.
    mutating func upToZero(within limit: Int = .max) -> Data? {
      guard let end = rest.firstIndex(of: 0), end - rest.startIndex <= limit else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[..<end]
    }
  }
}
