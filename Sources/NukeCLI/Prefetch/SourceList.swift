package import Foundation

/// A file with a list of sources.
package enum SourceList {
  package enum Separator: Sendable {
    /// One source per line. Spaces around it, empty lines and lines that begin with # are ignored.
    case newline
    /// A NUL after each source, which may contain every other byte, as `find -print0` writes them.
    case nul
  }

  /// The maximum size of a list, in bytes.
  package static let limit = 256 << 20

  /// Returns the sources in order. They need not be UTF-8.
  package static func sources(in list: Data, separatedBy separator: Separator = .newline) -> [Source] {
    if separator == .nul { return list.split(separator: 0).map { Source(String(system: Array($0))) } }
    return list.split(separator: UInt8(ascii: "\n")).compactMap { bytes in
      // Some editors begin a file with a byte order mark.
      let text = String(system: Array(bytes))
        .trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
      return text.isEmpty || text.hasPrefix("#") ? nil : Source(text)
    }
  }

  /// Reads the file at `path`, or standard input for `-`.
  static func read(_ path: String) throws(FileError) -> Data {
    let isInput = path == "-"
    let name = isInput ? "on standard input" : path
    let file = isInput ? STDIN_FILENO : try Descriptor.open(path, "read the list")
    defer { if !isInput { close(file) } }
    return try Descriptor.readToEnd(file, limit: limit, "read the list", named: name)
  }
}
