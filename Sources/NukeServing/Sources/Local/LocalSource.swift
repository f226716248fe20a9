public import Foundation
package import FoundationNetworking
public import Nuke

/// Reads images from folders: `local:///a/b.jpg` is the file `a/b.jpg` in the folder without a name, and
/// `local://photos/a.jpg` the file `a.jpg` in the folder that is called `photos`.
///
/// Nothing outside of the folders can be read. Escapes in names are undone once; names such as `..` are refused, and so
/// is every symbolic link on the way from the folder to the file, wherever it leads. Only regular files are read.
///
/// The answer looks like one of HTTP's: `Content-Length`, `Last-Modified` and a strong `ETag` made of the file's size
/// and the moment it was changed, so that `If-None-Match` and `If-Modified-Since` are answered with 304. Errors are
/// those of `DataLoader.TransferError`. Files are read on threads of Dispatch's; a file that changes meanwhile fails.
public struct LocalSource: DataLoading {
  private let roots: [String: String]
  /// The largest file in bytes; `nil` for no limit.
  public var maximumSize: Int?

  /// - Parameters:
  ///   - roots: folders by name; the one without a name stands under `""`.
  ///   - maximumSize: of a file, in bytes; `nil` for no limit.
  public init(roots: [String: URL], maximumSize: Int? = nil) {
    self.roots = roots.mapValues(\.path)
    self.maximumSize = maximumSize
  }

  /// - Parameters:
  ///   - root: the folder of `local:///`.
  ///   - maximumSize: of a file, in bytes; `nil` for no limit.
  public init(root: URL, maximumSize: Int? = nil) { self.init(roots: ["": root], maximumSize: maximumSize) }
}

extension LocalSource: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    let transfer = LocalSourceTransfer(
      request, roots: roots, limit: [limit, maximumSize].compactMap { $0 }.min())
    transfer.start(observer)
    return transfer
  }
}

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

  /// Parses a URL such as `local://root/a/b`. Query and fragment are ignored.
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
