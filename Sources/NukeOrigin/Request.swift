package import Foundation

extension NukeOrigin {
  /// A received request.
  package struct Request: Sendable {
    package var method: String
    /// The percent-encoded path, without the query.
    package var path: String
    /// The query; `nil` if there is none.
    package var query: String?
    /// The header fields, in order.
    package var headers: [(name: String, value: String)]
    package var body = Data()
    /// The number of the connection, starting with 0.
    package var connection = 0

    /// Returns the value of a header field, ignoring the case of the name.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// Parses a head without its empty line. Returns `nil` if it is not HTTP.
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
