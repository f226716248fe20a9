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
