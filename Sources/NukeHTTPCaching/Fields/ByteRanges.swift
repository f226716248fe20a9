/// The ranges that a request's `Range` asks for, in bytes (RFC 9110 §14.1.2, §14.2).
package struct ByteRanges: Equatable, Sendable {
  package enum Range: Equatable, Sendable {
    /// From a byte on to another, or to the end.
    case from(Int, through: Int?)
    /// That many bytes at the end.
    case suffix(Int)
  }

  package let ranges: [Range]

  /// Larger numbers become this one.
  static let limit = 1 << 53

  /// `nil` for what is to be ignored: another unit, a range that makes no sense, or more of them than anybody needs.
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

  /// The bytes of a whole of that length for the only range; `nil` if there are several, or none of them exists.
  package func single(of length: Int) -> ClosedRange<Int>? {
    ranges.count == 1 ? Self.resolve(ranges[0], length: length) : nil
  }

  /// Returns `true` if the whole has bytes of at least one range. If not, the answer is 416.
  package func isSatisfiable(by length: Int) -> Bool {
    ranges.contains { Self.resolve($0, length: length) != nil }
  }

  /// The bytes of a whole of that length for each range that has some, in the order in which they were asked for.
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

/// A `Content-Range` in bytes (RFC 9110 §14.4).
package struct ContentRange: Equatable, Sendable {
  package let bytes: ClosedRange<Int>
  /// The length of the whole; `nil` if the server does not know it.
  package let total: Int?

  package init(bytes: ClosedRange<Int>, total: Int?) {
    self.bytes = bytes
    self.total = total
  }

  package init?(_ text: String) { self.init(Array(text.utf8)[...]) }

  /// `nil` for another unit, for the `bytes */100` of a 416, and for one that contradicts itself.
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
