/// The header of an EBML file, such as WebM (RFC 8794, 11.2.1).
struct EBMLHeader {
  /// The document type, such as "webm"; `nil` if it has not arrived, or there is none.
  let documentType: String?
  /// The position after the header.
  let end: Int

  /// Returns `nil` for data that is not EBML.
  init?(_ head: [UInt8]) {
    guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let size = Self.size(head, at: 4) else { return nil }
    var offset = size.end
    end = offset + min(size.value, 1 << 20)
    var type: String?
    while type == nil, offset + 3 <= min(end, head.count) {
      // Elements of the header have IDs of one or two bytes.
      let idLength = head[offset] >= 0x80 ? 1 : 2
      guard let size = Self.size(head, at: offset + idLength) else { break }
      let next = size.end.addingReportingOverflow(size.value).partialValue
      guard next >= size.end, next <= min(end, head.count) else { break }
      if head[offset] == 0x42, head[offset + 1] == 0x82 {
        type = String(decoding: head[size.end..<next].prefix { $0 != 0 }, as: UTF8.self)
      }
      offset = next
    }
    documentType = type
  }

  /// Returns the position after the beginning of the first cluster of frames of a WebM; `nil` if it has not arrived, or
  /// the elements before it are invalid.
  static func startOfFirstCluster(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let header = EBMLHeader([UInt8](bytes.prefix(1024))), header.end + 4 <= bytes.count,
      bytes.bigEndian32(at: header.end) == 0x1853_8067, let segment = size(bytes, at: header.end + 4)
    else { return nil }
    var offset = segment.end
    // An ID has up to 4 bytes, and a size up to 8.
    while offset + 12 <= bytes.count {
      if bytes.bigEndian32(at: offset) == 0x1F43_B675 { return offset + 12 }
      let idLength = bytes[offset].leadingZeroBitCount + 1
      guard idLength <= 4, let size = size(bytes, at: offset + idLength) else { return nil }
      let next = size.end.addingReportingOverflow(size.value)
      guard !next.overflow else { return nil }
      offset = next.partialValue
    }
    return nil
  }

  /// Returns a size of one to eight bytes, and the position after it.
  private static func size<Bytes: RandomAccessCollection>(
    _ head: Bytes, at offset: Int
  ) -> (value: Int, end: Int)? where Bytes.Element == UInt8, Bytes.Index == Int {
    guard offset < head.count, head[offset] > 0 else { return nil }
    let length = head[offset].leadingZeroBitCount + 1
    guard offset + length <= head.count else { return nil }
    let first = Int(head[offset]) & ((1 << (8 - length)) - 1)
    return (head[offset + 1..<offset + length].reduce(first) { $0 << 8 | Int($1) }, offset + length)
  }
}
