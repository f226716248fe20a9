package import Foundation

/// A list of sources in a file: one a line; empty lines and those that begin with # are left out.
package enum SourceList {
  /// Bytes. A longer list is not read.
  package static let limit = 256 << 20

  /// The sources of a list's bytes, in order. A line that is no UTF-8 is an unusable source, which names the line.
  package static func sources(in list: Data) -> [Source] {
    var number = 0
    return list.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).compactMap { bytes in
      number += 1
      guard let line = String(validating: bytes, as: UTF8.self) else {
        return Source(
          text: String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
          location: .unusable(reason: "line \(number) of the list is not UTF-8"))
      }
      // The mark that some editors begin a file with is no part of a name.
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
      return text.isEmpty || text.hasPrefix("#") ? nil : Source(text)
    }
  }

  /// The bytes of the file at `path`; of standard input where that is `-`.
  static func read(_ path: String) throws(FileError) -> Data {
    let isInput = path == "-"
    let file = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("read the list", path) }
    defer { if !isInput { close(file) } }
    var list = Data()
    let name = isInput ? "on standard input" : path
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(file, &chunk, chunk.count)
      if count == 0 { return list }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw FileError("read the list", name)
      }
      guard list.count + count <= limit else { throw FileError("read the list", name, code: EFBIG) }
      list.append(contentsOf: chunk[..<count])
    }
  }
}
