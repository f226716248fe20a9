/// One processing option as it stands in a URL: a name and its arguments, such as `rs:fill:300:200`.
public struct ImageOption: Sendable, Hashable {
  /// The name as it was written: long or short.
  public var name: String
  /// With escapes undone; an empty one stands for the default.
  public var arguments: [String]

  public init(_ name: String, _ arguments: String...) { self.init(name: name, arguments: arguments) }

  public init(name: String, arguments: [String]) {
    self.name = name
    self.arguments = arguments
  }

  /// An option from the part of a URL between two slashes; `nil` if there is no colon, which every option has.
  ///
  /// - Throws: ``ServingError/malformedURL(_:)`` for escapes that are none, text that is no UTF-8, and control characters.
  init?(segment: some Collection<UInt8>) throws(ServingError) {
    var parts: [String] = []
    for part in segment.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      guard let text = PercentEncoding.decode(part) else {
        throw .malformedURL("an option holds an escape or a character that cannot be read")
      }
      parts.append(text)
    }
    // Some clients escape the colons too.
    if parts.count == 1 { parts = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
    guard parts.count > 1 else { return nil }
    name = parts.removeFirst()
    arguments = parts
  }
}

extension ImageOption: CustomStringConvertible {
  /// The option in a URL, escaped.
  public var description: String {
    ([name] + (arguments.isEmpty ? [""] : arguments)).map { PercentEncoding.encode($0) }.joined(separator: ":")
  }
}
