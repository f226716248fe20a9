/// The elements of a comma-separated value (RFC 9110 §5.6.1), without white space around them. Empty elements are
/// skipped.
///
/// A comma within a quoted string is not a separator. An unterminated quoted string extends to the end of the value.
package struct FieldList: Sequence, IteratorProtocol {
  private var rest: FieldBytes

  package init(_ value: FieldBytes) { rest = value }

  package mutating func next() -> FieldBytes? {
    while !rest.isEmpty {
      let end = Self.end(of: rest)
      let element = rest[rest.startIndex..<end].trimmed
      rest = rest[Swift.min(end + 1, rest.endIndex)...]
      if !element.isEmpty { return element }
    }
    return nil
  }

  /// Returns the index of the first comma outside of quoted strings, or the end.
  private static func end(of value: FieldBytes) -> Int {
    var isQuoted = false
    var index = value.startIndex
    while index < value.endIndex {
      switch value[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\\") where isQuoted: index += 1
      case UInt8(ascii: ",") where !isQuoted: return index
      default: break
      }
      index += 1
    }
    return value.endIndex
  }
}
