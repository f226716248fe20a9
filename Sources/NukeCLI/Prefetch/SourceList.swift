package import Foundation

/// A file with one source per line. Empty lines and lines that begin with # are ignored.
package enum SourceList {
  /// The maximum size of a list, in bytes.
  package static let limit = 256 << 20

  /// Returns the sources in order. A line that is not UTF-8 is an unusable source with the number of the line.
  package static func sources(in list: Data) -> [Source] {
    var number = 0
    return list.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).compactMap { bytes in
      number += 1
      guard let line = String(validating: bytes, as: UTF8.self) else {
        return Source(
          text: String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
          location: .unusable(reason: "line \(number) of the list is not UTF-8"))
      }
      // Some editors begin a file with a byte order mark.
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
      return text.isEmpty || text.hasPrefix("#") ? nil : Source(text)
    }
  }

  /// Reads the file at `path`, or standard input for `-`.
  static func read(_ path: String) throws(FileError) -> Data {
    let isInput = path == "-"
    let name = isInput ? "on standard input" : path
    let file = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("read the list", name) }
    defer { if !isInput { close(file) } }
    var list = Data()
    if try Descriptor.read(file, into: &list, upTo: limit + 1, "read the list", named: name) {
      throw FileError("read the list", name, code: EFBIG)
    }
    return list
  }
}
