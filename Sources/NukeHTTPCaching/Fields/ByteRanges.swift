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
