/// Which bytes of a body an answer holds: the `Content-Range` of a 206 (RFC 9110 §14.4).
package struct ContentRange: Equatable, Sendable {
  package let bytes: ClosedRange<Int>
  /// The length of the whole; nil where the server does not know it.
  package let total: Int?

  /// Nil for what is no range of bytes, such as the `bytes */100` of a 416, and for one that contradicts itself.
  package init?(_ field: String) {
    let words = field.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
      return nil
    }
    if parts[1] == "*" {
      total = nil
    } else {
      guard let total = Self.number(parts[1]), last < total else { return nil }
      self.total = total
    }
    bytes = first...last
  }

  /// Digits alone: `Int` would take a sign.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
