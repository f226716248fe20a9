import Foundation

/// Parses presets from a file with a line `name=options` for each:
///
///     # For lists.
///     thumb=rs:fill:96:96/q:70
///     default=sm:1 # of every image
///
/// Empty lines are ignored, and so is everything after a `#` that begins a line or follows a space.
package struct PresetFile: Sendable {
  /// The entries in the order of the file.
  private var entries: [(name: String, options: String, line: Int)] = []

  /// An error, and the line that causes it.
  package struct InvalidLine: Error, Sendable, Hashable {
    /// The number of the line, starting at 1; `nil` for a preset that is not in the file.
    package let line: Int?
    package let reason: String
  }

  package init(_ text: String) throws(InvalidLine) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (line, text) in zip(1..., lines) {
      let entry = Self.withoutComment(text).trimmingCharacters(in: .whitespaces)
      if entry.isEmpty { continue }
      guard let equals = entry.firstIndex(of: "=") else {
        throw InvalidLine(line: line, reason: "\(entry.prefix(80).debugDescription) is not NAME=OPTIONS")
      }
      let name = entry[..<equals].trimmingCharacters(in: .whitespaces)
      if let earlier = entries.first(where: { $0.name == name }) {
        throw InvalidLine(line: line, reason: "\(name.debugDescription) is already defined in line \(earlier.line)")
      }
      let options = entry[entry.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      entries.append((name, options, line))
    }
  }

  private static func withoutComment(_ text: Substring) -> Substring {
    var isBeginning = true
    for index in text.indices {
      if text[index] == "#", isBeginning { return text[..<index] }
      isBeginning = text[index].isWhitespace
    }
    return text
  }

  /// Returns these presets combined with others. If both have a name, the other one is used.
  package func presets(under others: [String: String]) throws(InvalidLine) -> ImagePresets {
    let own = entries.filter { others[$0.name] == nil }
    let all =
      own.map { (name: $0.name, options: $0.options) }
      + others.sorted { $0.key < $1.key }
      .map { (name: $0.key, options: $0.value) }
    do throws(ImagePresets.InvalidPreset) {
      return try ImagePresets(inOrder: all)
    } catch {
      throw InvalidLine(line: own.first { $0.name == error.preset }?.line, reason: error.reason)
    }
  }
}
