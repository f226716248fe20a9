/// Replaces the beginning of source URLs, with the syntax of imgproxy's `URL_REPLACEMENTS`:
/// `photos://*/=https://${1}.example.com/`.
///
/// In the pattern, `*` matches any number of characters except slashes, as many as possible. In the replacement, `${1}`
/// stands for what the first asterisk matched.
public struct SourceReplacement: Sendable, Hashable, CustomStringConvertible {
  private let pattern: String
  private let replacement: String

  public var description: String { "\(pattern)=\(replacement)" }

  /// The maximum number of asterisks of a pattern.
  private static let asteriskLimit = 9

  /// - Parameter text: the pattern and the replacement, separated by the first equals sign.
  /// - Returns: `nil` if there is no pattern or no equals sign, if the pattern has more than nine asterisks, or if the
  ///   replacement refers to an asterisk that does not exist.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    pattern = String(text[..<equals])
    replacement = String(text[text.index(after: equals)...])
    let count = pattern.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "*") ? 1 : 0) }
    guard count <= Self.asteriskLimit else { return nil }
    let rest = (1...Self.asteriskLimit).prefix(count).reduce(replacement) { $0.replacing("${\($1)}", with: "") }
    guard !rest.contains("${") else { return nil }
  }

  func applied(to text: String) -> String {
    let bytes = Array(text.utf8)
    guard let match = Match(Array(pattern.utf8), bytes) else { return text }
    var beginning = ""
    var rest = replacement[...]
    while let start = rest.firstRange(of: "${") {
      // One digit and a brace follow, as `init` has checked.
      let number = rest[start.upperBound].wholeNumberValue! - 1
      beginning += rest[..<start.lowerBound] + String(decoding: bytes[match.parts[number]], as: UTF8.self)
      rest = rest[start.upperBound...].dropFirst(2)
    }
    return beginning + rest + String(decoding: bytes[match.end...], as: UTF8.self)
  }
}

/// The match of a pattern with the beginning of a text. Takes time in proportion to the product of their lengths.
private struct Match {
  /// The texts that the asterisks matched.
  private(set) var parts: [Range<Int>] = []
  private(set) var end = 0

  /// Returns `nil` if the text does not match.
  init?(_ pattern: [UInt8], _ text: [UInt8]) {
    let asterisk = UInt8(ascii: "*")
    // For each position in the pattern, `true` at each position of the text from which the rest of the pattern matches.
    var matches = [[Bool]](repeating: [Bool](repeating: false, count: text.count + 1), count: pattern.count + 1)
    matches[pattern.count] = [Bool](repeating: true, count: text.count + 1)
    for index in pattern.indices.reversed() {
      for start in (0...text.count).reversed() {
        matches[index][start] =
          if pattern[index] == asterisk {
            matches[index + 1][start] || Self.mayContinue(text, start) && matches[index][start + 1]
          } else {
            start < text.count && text[start] == pattern[index] && matches[index + 1][start + 1]
          }
      }
    }
    guard matches[0][0] else { return nil }
    for index in pattern.indices {
      guard pattern[index] == asterisk else {
        end += 1
        continue
      }
      let start = end
      while Self.mayContinue(text, end), matches[index][end + 1] { end += 1 }
      parts.append(start..<end)
    }
  }

  /// Returns `true` if an asterisk may match a byte of the text.
  private static func mayContinue(_ text: [UInt8], _ index: Int) -> Bool {
    index < text.count && text[index] != UInt8(ascii: "/")
  }
}
