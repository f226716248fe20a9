/// The header fields of a message (RFC 9110 §5): a list of lines with case-insensitive names, in their original order.
/// A name may occur on several lines.
///
/// Names and values are slices of one byte buffer. Parsing allocates no strings, and values that are not UTF-8 are
/// preserved.
package struct HTTPFields: Sendable {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry: Sendable {
    let start: Int
    let nameLength: Int
    var valueLength: Int
    let known: FieldName?
  }

  /// A line of the header.
  package struct Field: Sendable {
    package let name: FieldBytes
    package let value: FieldBytes
    /// The recognized name; `nil` for fields that do not matter to a cache.
    package let known: FieldName?
  }

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }

  /// Appends a line. White space around the value is removed; CR, LF and NUL become spaces (RFC 9110 §5.5). A field
  /// whose name is not a token is ignored.
  package mutating func append(_ name: String, _ value: String) {
    append(name: Array(name.utf8)[...], value: Array(value.utf8)[...])
  }

  package mutating func append(_ name: FieldName, _ value: FieldBytes) {
    append(name: Array(name.spelling.utf8)[...], value: value)
  }

  /// Returns `false` if the field is ignored.
  @discardableResult
  package mutating func append(name: FieldBytes, value: FieldBytes) -> Bool {
    guard name.isToken else { return false }
    entries.append(Entry(start: bytes.count, nameLength: name.count, valueLength: 0, known: FieldName(name)))
    bytes += name
    extendLast(value)
    return true
  }

  /// Appends to the value of the last line, after a space unless the value is empty.
  private mutating func extendLast(_ text: FieldBytes) {
    var text = text
    while let first = text.first, Self.isWhite(first) { text = text.dropFirst() }
    while let last = text.last, Self.isWhite(last) { text = text.dropLast() }
    guard !text.isEmpty else { return }
    let start = bytes.count
    if entries[entries.count - 1].valueLength > 0 { bytes.append(0x20) }
    bytes += text
    for index in bytes.indices.suffix(text.count) where Self.endsLine(bytes[index]) { bytes[index] = 0x20 }
    entries[entries.count - 1].valueLength += bytes.count - start
  }

  private static func isWhite(_ byte: UInt8) -> Bool { byte.isBlank || endsLine(byte) }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }

  package mutating func reserve(fields: Int, bytes count: Int) {
    entries.reserveCapacity(fields)
    bytes.reserveCapacity(count)
  }

  /// Removes the lines for which `predicate` returns `true`.
  package mutating func remove(where predicate: (Field) -> Bool) {
    let kept = entries.filter { !predicate(field($0)) }
    guard kept.count < entries.count else { return }
    var fields = HTTPFields()
    for entry in kept {
      let field = field(entry)
      fields.append(name: field.name, value: field.value)
    }
    self = fields
  }

  package mutating func remove(_ name: FieldName) {
    guard contains(name) else { return }
    remove { $0.known == name }
  }

  /// Replaces all lines with this name by a single one.
  package mutating func set(_ name: FieldName, _ value: String) {
    remove(name)
    append(name, Array(value.utf8)[...])
  }

  package func contains(_ name: FieldName) -> Bool { entries.contains { $0.known == name } }

  package func contains(_ name: FieldBytes) -> Bool { contains { $0.name.isSame(as: name) } }

  package var last: Field? { entries.last.map { field($0) } }

  /// Returns the value of the first line with this name.
  package func first(_ name: FieldName) -> FieldBytes? {
    entries.first { $0.known == name }.map { field($0).value }
  }

  /// Returns the value if exactly one line has this name, otherwise `nil`.
  package func only(_ name: FieldName) -> FieldBytes? {
    var found: Entry?
    for entry in entries where entry.known == name {
      if found != nil { return nil }
      found = entry
    }
    return found.map { field($0).value }
  }

  /// Calls `body` with the value of each line that has this name.
  package func forEach(_ name: FieldName, _ body: (FieldBytes) -> Void) {
    for entry in entries where entry.known == name { body(field(entry).value) }
  }

  /// Returns all values of a name, joined by commas (RFC 9110 §5.3); `nil` if there is none.
  package func value(_ name: FieldName) -> String? { joined { $0.known == name } }

  package subscript(name: String) -> String? {
    let name = Array(name.utf8)[...]
    return joined { $0.name.isSame(as: name) }
  }

  private func joined(_ predicate: (Field) -> Bool) -> String? {
    var value: String?
    for field in self where predicate(field) {
      value = value.map { "\($0), \(field.value.text)" } ?? field.value.text
    }
    return value
  }

  /// The fields as a dictionary. Values of the same name are joined by commas (RFC 9110 §5.3), under the spelling that
  /// came first.
  package var dictionary: [String: String] {
    var dictionary = [String: String](minimumCapacity: count)
    // There are few names: comparing them is cheaper than lowercasing and hashing each one.
    for (index, entry) in entries.enumerated() {
      let field = field(entry)
      if let first = entries[..<index].first(where: { hasSameName($0, entry) }) {
        dictionary[self.field(first).name.text]! += ", \(field.value.text)"
      } else {
        dictionary[field.name.text] = field.value.text
      }
    }
    return dictionary
  }

  private func hasSameName(_ left: Entry, _ right: Entry) -> Bool {
    guard left.nameLength == right.nameLength, left.known == right.known else { return false }
    return left.known != nil || field(left).name.isSame(as: field(right).name)
  }

  private func field(_ entry: Entry) -> Field {
    let value = entry.start + entry.nameLength
    return Field(
      name: bytes[entry.start..<value], value: bytes[value..<value + entry.valueLength], known: entry.known)
  }
}

extension HTTPFields: Sequence {
  package struct Iterator: IteratorProtocol {
    private let fields: HTTPFields
    private var index = 0

    fileprivate init(_ fields: HTTPFields) { self.fields = fields }

    package mutating func next() -> Field? {
      guard index < fields.entries.count else { return nil }
      defer { index += 1 }
      return fields.field(fields.entries[index])
    }
  }

  package func makeIterator() -> Iterator { Iterator(self) }
  package var underestimatedCount: Int { count }
}

/// Fields are equal if they have the same lines in the same order, ignoring the case of names.
extension HTTPFields: Equatable {
  package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { $0.name.isSame(as: $1.name) && $0.value == $1.value }
  }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension HTTPFields: CustomStringConvertible {
  package var description: String { map { "\($0.name.text): \($0.value.text)" }.joined(separator: "\n") }
}

extension HTTPFields {
  /// Parses the header section of a message (RFC 9112 §5). `head` begins with the status line or request line.
  ///
  /// A continuation line (obs-fold) is appended to the preceding value. A line without a valid name is ignored.
  package init(head: [UInt8]) {
    self.init()
    reserve(fields: 24, bytes: head.count)
    var start = (head.firstIndex(of: 0x0A) ?? head.count - 1) + 1
    // `true` if the preceding line was appended. A folded line continues it.
    var isListed = false
    while start < head.count {
      let end = head[start...].firstIndex(of: 0x0A) ?? head.count
      defer { start = end + 1 }
      var line = head[start..<end]
      if line.last == 0x0D { line = line.dropLast() }
      if line.isEmpty { break }
      if line[start].isBlank {
        if isListed { extendLast(line) }
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        isListed = append(name: line[..<colon], value: line[(colon + 1)...])
      } else {
        isListed = false
      }
    }
  }
}
