public import Foundation
package import FoundationNetworking
public import Nuke

/// Loads images from folders. `local:///a/b.jpg` is the file `a/b.jpg` in the folder without a name.
/// `local://photos/a.jpg` is the file `a.jpg` in the folder named `photos`.
///
/// Files outside the folders cannot be read. Percent escapes are decoded once. Names such as `..` are rejected. Symbolic
/// links are followed if their targets are in the same folder. Only regular files are read.
///
/// The response imitates HTTP. It has `Content-Length`, `Last-Modified` and a strong `ETag`, computed from the file's
/// size and modification time. Requests with a matching `If-None-Match` or `If-Modified-Since` get a 304. Errors are of
/// type `DataLoader.TransferError`. Files are read on Dispatch threads. A file that changes while it is read fails.
public struct LocalSource: DataLoading {
  private let roots: [String: String]
  private let knownFiles = KnownFiles()
  /// The maximum size of a file in bytes; `nil` for no limit.
  public var maximumSize: Int?

  /// - Parameters:
  ///   - roots: the folders by name. The folder without a name has the key `""`.
  ///   - maximumSize: the maximum size of a file in bytes; `nil` for no limit.
  public init(roots: [String: URL], maximumSize: Int? = nil) {
    self.roots = roots.mapValues(\.path)
    self.maximumSize = maximumSize
  }

  /// - Parameters:
  ///   - root: the folder of `local:///`.
  ///   - maximumSize: the maximum size of a file in bytes; `nil` for no limit.
  public init(root: URL, maximumSize: Int? = nil) { self.init(roots: ["": root], maximumSize: maximumSize) }
}

extension LocalSource: SourceVersions {
  func currentVersion(of source: URL) -> CurrentVersion {
    if let version = knownFiles.version(of: source) { return version }
    guard let path = try? LocalSourcePath(source), let root = roots[path.root],
      let file = try? OpenFile(path, in: root)
    else { return .missing }
    let version = CurrentVersion.tagged(file.version.entityTag)
    knownFiles.note(version, of: source, at: path, in: root, file)
    return version
  }
}

extension LocalSource: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    let transfer = LocalSourceTransfer(
      request, roots: roots, limit: [limit, maximumSize].compactMap { $0 }.min())
    transfer.start(observer)
    return transfer
  }
}

/// The path from a folder to a file, as a list of names.
struct LocalSourcePath {
  /// The name of the folder.
  let root: String
  /// The names as bytes, because file names need not be UTF-8. None is empty, `.` or `..`, or contains a slash or a
  /// zero byte.
  let names: [[UInt8]]

  /// The path for messages.
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
