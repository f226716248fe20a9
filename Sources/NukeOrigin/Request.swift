package import Foundation

extension NukeOrigin {
  /// A request as it was received.
  package struct Request: Sendable {
    package var method: String
    /// The request target's path, as it was sent: percent-encoded, without the query.
    package var path: String
    /// What follows the question mark; `nil` if there is none.
    package var query: String?
    /// The header fields in the order they came in.
    package var headers: [(name: String, value: String)]
    package var body = Data()
    /// Which of the origin's connections it came over, from 0.
    package var connection = 0

    /// The value of a header field by its name in any case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// Parses a head without its empty line; `nil` for what is not HTTP.
    package init?(head: Data) {
      let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines[0].split(separator: " ")
      guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
      method = String(words[0])
      let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      path = String(target[0])
      query = target.count > 1 ? String(target[1]) : nil
      headers = lines.dropFirst().compactMap { line in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (String(line[..<colon]), value)
      }
    }
  }
}
