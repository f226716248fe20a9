/// The value of a `Range` field in bytes (RFC 9110 §14.1.2, §14.2).
package struct ByteRanges: Equatable, Sendable {
  package enum Range: Equatable, Sendable {
    /// The bytes from the first offset through the second one, or to the end of the body if that is `nil`.
    case from(Int, through: Int?)
    /// The given number of bytes at the end of the body.
    case suffix(Int)
  }

  package let ranges: [Range]

  /// The maximum offset and length. Larger numbers are clamped to it.
  package static let limit = 1 << 53

  /// Parses a `Range` value. Returns `nil` if it must be ignored: an unknown unit, invalid syntax, or more than 32
  /// ranges.
  package init?(_ value: FieldBytes) {
    guard let equals = value.firstIndex(of: UInt8(ascii: "=")), value[..<equals].isSame(as: "bytes") else {
      return nil
    }
    var ranges: [Range] = []
    for element in FieldList(value[(equals + 1)...]) {
      guard ranges.count < 32, let range = Self.range(element) else { return nil }
      ranges.append(range)
    }
    guard !ranges.isEmpty else { return nil }
    self.ranges = ranges
  }

  private static func range(_ element: FieldBytes) -> Range? {
    guard let dash = element.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let (first, last) = (element[..<dash], element[(dash + 1)...])
    if first.isEmpty { return last.number(limit: limit).map { .suffix($0) } }
    guard let first = first.number(limit: limit) else { return nil }
    if last.isEmpty { return .from(first, through: nil) }
    guard let last = last.number(limit: limit), first <= last else { return nil }
    return .from(first, through: last)
  }

  /// Returns the bytes of the single range in a body of `length` bytes. Returns `nil` if there are several ranges, or
  /// if the range is outside of the body.
  package func single(of length: Int) -> ClosedRange<Int>? {
    ranges.count == 1 ? Self.resolve(ranges[0], length: length) : nil
  }

  /// Returns `true` if at least one range overlaps a body of `length` bytes. Otherwise the response is 416.
  package func isSatisfiable(by length: Int) -> Bool {
    ranges.contains { Self.resolve($0, length: length) != nil }
  }

  /// Returns the bytes of each range that overlaps a body of `length` bytes, in the order of the request.
  package func resolved(of length: Int) -> [ClosedRange<Int>] {
    ranges.compactMap { Self.resolve($0, length: length) }
  }

  private static func resolve(_ range: Range, length: Int) -> ClosedRange<Int>? {
    guard length > 0 else { return nil }
    switch range {
    case .from(let first, let last):
      return first < length ? first...min(last ?? length - 1, length - 1) : nil
    case .suffix(let count):
      return count > 0 ? max(0, length - count)...(length - 1) : nil
    }
  }
}

/// The value of a `Content-Range` field in bytes (RFC 9110 §14.4).
package struct ContentRange: Equatable, Sendable {
  package let bytes: ClosedRange<Int>
  /// The length of the whole body; `nil` if the server does not know it.
  package let total: Int?

  package init(bytes: ClosedRange<Int>, total: Int?) {
    self.bytes = bytes
    self.total = total
  }

  package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  /// Parses a `Content-Range` value. Returns `nil` if the unit is not bytes, if there is no range (`bytes */100` in a
  /// 416), or if the numbers contradict each other.
  package init?(_ value: FieldBytes) {
    guard let blank = value.firstIndex(of: 0x20), value[..<blank].isSame(as: "bytes") else { return nil }
    let range = value[(blank + 1)...]
    guard let dash = range.firstIndex(of: UInt8(ascii: "-")), let slash = range.firstIndex(of: UInt8(ascii: "/")),
      dash < slash, let first = range[..<dash].number(limit: ByteRanges.limit),
      let last = range[(dash + 1)..<slash].number(limit: ByteRanges.limit), first <= last, last < ByteRanges.limit
    else { return nil }
    let whole = range[(slash + 1)...]
    if whole.elementsEqual([UInt8(ascii: "*")]) {
      total = nil
    } else {
      guard let number = whole.number(limit: ByteRanges.limit), last < number else { return nil }
      total = number
    }
    bytes = first...last
  }

  package var text: String { "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(total.map(String.init) ?? "*")" }
}
