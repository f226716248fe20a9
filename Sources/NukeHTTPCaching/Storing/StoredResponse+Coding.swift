/// The binary encoding in which a response is stored next to its body.
///
/// Magic bytes and a version are followed by integers (LEB128) and length-prefixed byte strings. A checksum ends the
/// encoding. Equal responses have equal encodings.
extension StoredResponse {
  /// The maximum size of an encoded response in bytes. Larger responses are not stored.
  package static var longestEncoding: Int { 1 << 20 }

  private static var mark: [UInt8] { [0x4E, 0x48, 0x43, 1] }

  /// The encoded response, or `nil` if it is larger than ``longestEncoding``.
  package var encoded: [UInt8]? {
    var writer = ByteWriter(bytes: Self.mark)
    writer.write(text: Array(key.utf8)[...])
    writer.write(number: status)
    writer.write(number: isDoubtful ? 1 : 0)
    for time in [requestTime, responseTime, bodyTime] { writer.write(signed: time.milliseconds) }
    switch content {
    case .whole(nil): writer.write(number: 0)
    case .whole(let length?):
      writer.write(number: 1)
      writer.write(number: length)
    case .part(let first, let count, let total):
      writer.write(number: total == nil ? 2 : 3)
      writer.write(number: first)
      writer.write(number: count)
      if let total { writer.write(number: total) }
    }
    writer.write(number: fields.count)
    for field in fields {
      writer.write(text: field.name)
      writer.write(text: field.value)
    }
    writer.write(number: selecting.fields.count)
    for field in selecting.fields {
      writer.write(text: Array(field.name.utf8)[...])
      writer.write(number: field.value == nil ? 0 : 1)
      if let value = field.value { writer.write(text: value[...]) }
    }
    let bytes = Self.sealed(writer.bytes)
    return bytes.count <= Self.longestEncoding ? bytes : nil
  }

  /// Decodes a response. Returns `nil` if the bytes are damaged, truncated, of another version, or not a canonical
  /// encoding.
  package init?(encoded bytes: [UInt8]) {
    guard bytes.count <= Self.longestEncoding, bytes.count > 8, Self.sealed(Array(bytes.dropLast(8))) == bytes else {
      return nil
    }
    var reader = ByteReader(rest: bytes.dropLast(8))
    guard reader.skip(Self.mark), let key = reader.string(), let status = reader.number(), (200..<600).contains(status),
      let doubt = reader.number(), doubt <= 1, let requestTime = reader.time(), let responseTime = reader.time(),
      let bodyTime = reader.time(), let content = reader.content(), let fields = reader.fields(),
      let selecting = reader.selecting(), reader.rest.isEmpty
    else { return nil }
    self.init(
      key: key, status: status, fields: fields, selecting: selecting, requestTime: requestTime,
      responseTime: responseTime, bodyTime: bodyTime, content: content, isDoubtful: doubt == 1)
  }

  /// Returns the bytes followed by their checksum. It detects damage, not deliberate changes.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var checksum = Checksum()
    checksum.add(bytes)
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
  }
}

private struct ByteWriter {
  var bytes: [UInt8]

  mutating func write(number: Int) {
    var rest = UInt(bitPattern: number)
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(signed number: Int) { write(number: number << 1 ^ number >> (Int.bitWidth - 1)) }

  mutating func write(text: FieldBytes) {
    write(number: text.count)
    bytes += text
  }
}

private struct ByteReader {
  var rest: FieldBytes

  mutating func skip(_ bytes: [UInt8]) -> Bool {
    guard rest.starts(with: bytes) else { return false }
    rest = rest.dropFirst(bytes.count)
    return true
  }

  /// Reads an integer below 2^62. Rejects encodings with more bytes than necessary, so that each value has only one.
  mutating func number() -> Int? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return byte == 0 && shift > 0 || value >= 1 << 62 ? nil : Int(value) }
    }
    return nil
  }

  mutating func time() -> Timestamp? {
    guard let value = number() else { return nil }
    let milliseconds = value >> 1 ^ -(value & 1)
    let time = Timestamp(milliseconds: milliseconds)
    return time.milliseconds == milliseconds ? time : nil
  }

  mutating func text() -> FieldBytes? {
    guard let count = number(), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func string() -> String? { text().flatMap { String(validating: $0, as: UTF8.self) } }

  mutating func content() -> StoredResponse.Content? {
    guard let kind = number() else { return nil }
    switch kind {
    case 0: return .whole(length: nil)
    case 1: return length().map { .whole(length: $0) }
    case 2, 3:
      guard let first = length(), let count = length(), count > 0 else { return nil }
      if kind == 2 { return .part(first: first, count: count, total: nil) }
      guard let total = length(), first + count <= total else { return nil }
      return .part(first: first, count: count, total: total)
    default: return nil
    }
  }

  private mutating func length() -> Int? { number().flatMap { $0 <= ByteRanges.limit ? $0 : nil } }

  /// Reads the number of elements that follow. Each takes at least two bytes, which bounds the number before any memory
  /// is reserved.
  private mutating func count() -> Int? { number().flatMap { $0 <= rest.count / 2 ? $0 : nil } }

  mutating func fields() -> HTTPFields? {
    guard let count = count() else { return nil }
    var fields = HTTPFields()
    fields.reserve(fields: count, bytes: rest.count)
    for _ in 0..<count {
      guard let name = text(), let value = text() else { return nil }
      fields.append(name: name, value: value)
      // `append` drops invalid names and changes invalid values. If it did, the encoding is not ours.
      guard let field = fields.last, field.name == name, field.value == value else { return nil }
    }
    return fields.count == count ? fields : nil
  }

  mutating func selecting() -> SelectingFields? {
    guard let count = count() else { return nil }
    var fields: [SelectingFields.Field] = []
    fields.reserveCapacity(count)
    for _ in 0..<count {
      guard let name = string(), let isPresent = number(), isPresent <= 1 else { return nil }
      var value: [UInt8]?
      if isPresent == 1 {
        guard let text = text() else { return nil }
        value = Array(text)
      }
      fields.append(SelectingFields.Field(name: name, value: value))
    }
    return SelectingFields(fields: fields)
  }
}

/// The 64-bit FNV-1a hash. Each step is invertible, so that a change of a single byte always changes the result.
struct Checksum {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
