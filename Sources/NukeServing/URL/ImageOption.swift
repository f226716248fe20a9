/// A processing option as written in a URL: a name and its arguments, such as `rs:fill:300:200`.
public struct ImageOption: Sendable, Hashable {
  /// The name as written, long or short.
  public var name: String
  /// The arguments, percent-decoded. An empty argument means the default.
  public var arguments: [String]

  public init(_ name: String, _ arguments: String...) { self.init(name: name, arguments: arguments) }

  public init(name: String, arguments: [String]) {
    self.name = name
    self.arguments = arguments
  }

  /// Parses an option from the part of a URL between two slashes. Returns `nil` if the part has no colon, because every
  /// option has one.
  ///
  /// - Throws: ``ServingError/malformedURL(_:)`` for invalid escapes, text that is not UTF-8, and control characters.
  init?(segment: some Collection<UInt8>) throws(ServingError) {
    var parts: [String] = []
    for part in segment.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      guard let text = PercentEncoding.decode(part) else {
        throw .malformedURL("an option contains an invalid escape or character")
      }
      parts.append(text)
    }
    // Some clients also escape the colons.
    if parts.count == 1 { parts = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
    guard parts.count > 1 else { return nil }
    name = parts.removeFirst()
    arguments = parts
  }
}

extension ImageOption {
  /// Parses options that are separated by slashes, such as `rs:fill:96:96/q:70`.
  ///
  /// - Parameter container: the name of what contains the options, for errors.
  /// - Throws: ``ServingError/invalidOption(_:_:)`` for a part without a colon, and ``ServingError/malformedURL(_:)``.
  package static func list(_ text: String, of container: String) throws(ServingError) -> [ImageOption] {
    var list: [ImageOption] = []
    for segment in text.utf8.split(separator: UInt8(ascii: "/")) {
      guard let option = try ImageOption(segment: segment) else {
        throw .invalidOption(container, "\(String(segment) ?? "it") has no colon")
      }
      list.append(option)
    }
    return list
  }

  /// The canonical name of the option; `nil` if there is no such option.
  package var longName: String? { ImageOptions.Draft.longNames[name] }
}

extension ImageOption: CustomStringConvertible {
  /// The option as it is written in a URL, escaped.
  public var description: String {
    ([name] + (arguments.isEmpty ? [""] : arguments)).map { PercentEncoding.encode($0) }.joined(separator: ":")
  }
}
