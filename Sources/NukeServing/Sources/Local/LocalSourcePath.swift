import Foundation
import Nuke

/// The way from a folder to a file, name by name.
struct LocalSourcePath {
  /// The name of the folder.
  let root: String
  /// Bytes as the disk has them: names need not be UTF-8. None is empty, `.` or `..`, or has a slash or a zero in it.
  let names: [[UInt8]]

  /// The whole for messages.
  var description: String {
    "local://\(root)/" + names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
  }

  /// Takes apart `local://root/a/b`. Queries and fragments are left out.
  init(_ url: URL) throws(DataLoader.TransferError) {
    let text = url.absoluteString
    let start = "local://"
    guard text.prefix(start.count).lowercased() == start else { throw .unsupportedScheme(url.scheme ?? "") }
    let rest = text.utf8.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let root = rest.prefix { $0 != UInt8(ascii: "/") }
    self.root = String(decoding: root, as: UTF8.self)
    var names: [[UInt8]] = []
    for part in rest.dropFirst(root.count).split(separator: UInt8(ascii: "/")) {
      let name = LocalResource.percentDecoded(part)
      guard name != Array(".".utf8), name != Array("..".utf8), !name.contains(UInt8(ascii: "/")), !name.contains(0)
      else { throw .malformedURL(text) }
      names.append(name)
    }
    guard !names.isEmpty else { throw .malformedURL(text) }
    self.names = names
  }
}
