/// A directive of a `Cache-Control` field (RFC 9111 §5.2): a case-insensitive name, with an optional argument that is a
/// token or a quoted string.
struct CacheDirective {
  enum Argument {
    case none
    case value(FieldBytes)
    /// Neither a token nor a quoted string, or surrounded by white space.
    case malformed
  }

  /// The name in its original case, without white space around it.
  let name: FieldBytes
  let argument: Argument

  init(_ element: FieldBytes) {
    guard let equals = element.firstIndex(of: UInt8(ascii: "=")) else {
      name = element
      argument = .none
      return
    }
    let written = element[..<equals]
    name = written.trimmed
    let value = element[(equals + 1)...]
    argument = name.count == written.count ? Self.argument(value) : .malformed
  }

  private static func argument(_ value: FieldBytes) -> Argument {
    guard value.first == UInt8(ascii: "\"") else { return value.isToken ? .value(value) : .malformed }
    var inner = value.dropFirst()
    guard inner.contains(UInt8(ascii: "\\")) else {
      guard inner.last == UInt8(ascii: "\"") else { return .malformed }
      inner = inner.dropLast()
      return inner.contains(UInt8(ascii: "\"")) ? .malformed : .value(inner)
    }
    var unescaped: [UInt8] = []
    while let byte = inner.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return inner.isEmpty ? .value(unescaped[...]) : .malformed
      case UInt8(ascii: "\\"):
        guard let escaped = inner.popFirst() else { return .malformed }
        unescaped.append(escaped)
      default: unescaped.append(byte)
      }
    }
    return .malformed
  }

  var hasArgument: Bool {
    if case .none = argument { false } else { true }
  }

  /// The argument in seconds; `nil` if there is none or it is not a number.
  var seconds: Int? {
    if case .value(let value) = argument { DeltaSeconds.parse(value) } else { nil }
  }
}
