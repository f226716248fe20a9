import NukeBase

/// The metadata of an entry in the disk store.
package struct DiskMetadata: Equatable, Sendable {
  /// The kind of the entry, such as `data` or `http`.
  package var kind: String
  package var key: String
  /// The key of the entry that this one was made from.
  package var variantOf: String?
  /// The encoded attributes of an entry of this kind, such as validators and freshness.
  package var attributes: [UInt8]
  /// The time of creation, in nanoseconds since 1970.
  package var created: Int64
  /// The size of the body, in bytes.
  package internal(set) var length: Int
  /// The XXH64 checksum of the body.
  package internal(set) var checksum: UInt64

  package init(
    kind: String, key: String, variantOf: String? = nil, attributes: [UInt8] = [], created: Int64 = 0
  ) {
    self.kind = kind
    self.key = key
    self.variantOf = variantOf
    self.attributes = attributes
    self.created = created
    length = 0
    checksum = 0
  }
}

/// The file format: little-endian numbers, texts with a length prefix, and a checksum of everything before it.
extension DiskMetadata {
  /// "NKD1".
  private static let mark: UInt32 = 0x3144_4b4e
  /// The maximum length in bytes. Longer metadata is not stored.
  static let limit = 1 << 20

  /// - Parameter name: the name of the entry's file. After a crash, it shows which entry was being written.
  func encoded(name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + kind.utf8.count + key.utf8.count + name.utf8.count + attributes.count)
    Self.append(Self.mark, to: &bytes)
    Self.append(UInt64(length), to: &bytes)
    Self.append(checksum, to: &bytes)
    Self.append(created, to: &bytes)
    Self.append(variantOf == nil ? 0 : 1 as UInt8, to: &bytes)
    for text in [name, kind, key, variantOf ?? ""] {
      Self.append(UInt32(text.utf8.count), to: &bytes)
      bytes.append(contentsOf: text.utf8)
    }
    Self.append(UInt32(attributes.count), to: &bytes)
    bytes.append(contentsOf: attributes)
    Self.append(bytes.withUnsafeBytes { Digest.checksum(of: $0) }, to: &bytes)
    return bytes
  }

  /// Decodes the bytes of a file; `nil` if they are incomplete.
  static func decoded(_ bytes: UnsafeRawBufferPointer) -> (name: String, metadata: DiskMetadata)? {
    var reader = Reader(all: bytes, end: bytes.count - 8)
    guard reader.end > 0,
      bytes.loadUnaligned(fromByteOffset: reader.end, as: UInt64.self).littleEndian
        == Digest.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<reader.end])),
      reader.number(UInt32.self) == mark,
      let length = reader.number(UInt64.self).flatMap({ Int(exactly: $0) }),
      let checksum = reader.number(UInt64.self),
      let created = reader.number(Int64.self),
      let isVariant = reader.number(UInt8.self),
      let name = reader.text(), let kind = reader.text(), let key = reader.text(), let original = reader.text(),
      let attributes = reader.bytes(), reader.isAtEnd
    else { return nil }
    var metadata = DiskMetadata(
      kind: kind, key: key, variantOf: isVariant == 1 ? original : nil, attributes: Array(attributes),
      created: created)
    metadata.length = length
    metadata.checksum = checksum
    return (name, metadata)
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private struct Reader {
    let all: UnsafeRawBufferPointer
    let end: Int
    var position = 0

    var isAtEnd: Bool { position == end }

    mutating func number<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) -> Value? {
      let size = MemoryLayout<Value>.size
      guard end - position >= size else { return nil }
      defer { position += size }
      return Value(littleEndian: all.loadUnaligned(fromByteOffset: position, as: type))
    }

    mutating func bytes() -> UnsafeRawBufferPointer.SubSequence? {
      guard let count = number(UInt32.self), end - position >= Int(count) else { return nil }
      defer { position += Int(count) }
      return all[position..<position + Int(count)]
    }

    mutating func text() -> String? { bytes().map { String(decoding: $0, as: UTF8.self) } }
  }
}
