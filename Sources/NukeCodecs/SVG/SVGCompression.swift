internal import CNukeCodecs
package import Foundation

/// The compression of SVG images by gzip (RFC 1952), as in files with the extension `svgz`.
package enum SVGCompression {
  /// Returns `true` if data begins with the signature of gzip and its only compression method.
  package static func isCompressed(_ data: some Collection<UInt8>) -> Bool { data.starts(with: [0x1F, 0x8B, 8]) }

  /// Returns the beginning of a text from that of its compressed data.
  ///
  /// - Returns: at most `limit` bytes. `isCut` is `true` if there are fewer only because more data has to follow.
  static func beginning(of head: [UInt8], limit: Int) -> (text: [UInt8], isCut: Bool) {
    let (text, result) = head.withUnsafeBytes { inflated($0, limit: limit) }
    return (text, result.status == NUKE_GZIP_TRUNCATED)
  }

  /// Returns the whole text.
  ///
  /// - Throws: ``CodecError`` if the data is damaged or truncated, or if the text has more bytes than a drawing may have.
  package static func decompressed(_ data: Data) throws(CodecError) -> [UInt8] {
    let limit = DecodeWork.markup.limit
    // With one byte more, a text that is too long differs from one that just fits. Memory that is not written is not used.
    let (text, result) = data.withUnsafeBytes { inflated($0, limit: limit + 1) }
    try DecodeWork.markup.check(Double(text.count), .svg)
    switch result.status {
    case NUKE_GZIP_DONE where result.read == data.count: return text
    case NUKE_GZIP_DONE:
      throw .malformed(.svg, reason: "other bytes follow the compressed text", offset: Int(result.read))
    case NUKE_GZIP_TRUNCATED: throw .truncated(.svg, byteCount: data.count)
    case NUKE_GZIP_NO_MEMORY: throw .outOfMemory(.svg, byteCount: limit)
    default: throw .malformed(.svg, reason: "the compressed text is damaged", offset: Int(result.read))
    }
  }

  /// Returns the number of bytes of a text, which compressed data states in its last four bytes. Decompression fails if
  /// they are wrong.
  static func textByteCount(of data: Data) -> Int {
    guard isCompressed(data), data.count >= 18 else { return data.count }
    let stated = data.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    return min(stated, DecodeWork.markup.limit)
  }

  private static func inflated(_ data: UnsafeRawBufferPointer, limit: Int) -> ([UInt8], nuke_gzip_result) {
    var result = nuke_gzip_result()
    let text = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      result = nuke_gzip_inflate(
        data.baseAddress?.assumingMemoryBound(to: UInt8.self), data.count, output.baseAddress, limit)
      count = result.written
    }
    return (text, result)
  }
}
