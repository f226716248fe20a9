package import Foundation
import NukeBase
import NukeHTTP

extension ThumbnailCache {
  /// Returns the URI that all programs use for a file: absolute, without `.` and `..`, and with symbolic links as they
  /// are. Returns `nil` if the URL is not a file URL.
  static func uri(of file: URL) -> String? {
    guard let path = path(of: file) else { return nil }
    let hex = Array("0123456789ABCDEF".utf8)
    let escaped = path.bytes.flatMap { byte in
      plainBytes.contains(byte) ? [byte] : [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }
    return "file://" + String(decoding: escaped, as: UTF8.self)
  }

  /// The bytes that GLib's `g_filename_to_uri` does not escape: the unreserved characters of RFC 3986 and those allowed
  /// in a path, without the semicolon. File managers derive thumbnail names from it.
  private static let plainBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,=:@/".utf8)

  /// Returns the path of a file without `.` and `..`. It need not be UTF-8, unlike those of `URL`. Returns `nil` if the
  /// URL is not a file URL.
  private static func path(of file: URL) -> FilePath? {
    guard file.isFileURL, let path = try? LocalResource.path(of: file), path.bytes.first == UInt8(ascii: "/") else {
      return nil
    }
    var names: [ArraySlice<UInt8>] = []
    for name in path.bytes.split(separator: UInt8(ascii: "/")) where !name.elementsEqual(".".utf8) {
      if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
    }
    return FilePath(bytes: names.isEmpty ? Array("/".utf8) : names.flatMap { Array("/".utf8) + $0 })
  }

  /// Returns the name of a thumbnail: the MD5 of its file's URI in hexadecimal digits.
  static func name(of uri: String) -> String { Digest.md5(of: uri) + ".png" }

  /// The current state of a file.
  package struct Original: Sendable {
    let file: URL
    let location: FilePath
    let uri: String
    /// The modification time in seconds since 1970.
    let modified: Int64
    package let byteCount: Int

    /// The path for messages.
    var path: String { location.description }
  }

  package func original(_ file: URL) throws(Error) -> Original {
    guard let location = Self.path(of: file), let uri = Self.uri(of: file) else { throw .notAFile(file) }
    let path = location.description
    // Symbolic links are followed, because the thumbnail shows the file behind them.
    var status = stat()
    guard location.withPointer({ stat($0, &status) }) == 0 else {
      throw .fileNotReadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .fileNotReadable(path: path, reason: "it is not a regular file")
    }
    return Original(
      file: file, location: location, uri: uri, modified: Int64(status.st_mtim.tv_sec),
      byteCount: Int(clamping: status.st_size))
  }

  /// Returns `true` if a file is a thumbnail itself, by its path or after following symbolic links. No thumbnails are
  /// created for these.
  func isThumbnail(_ original: Original) -> Bool {
    guard let directory = directory.flatMap(Self.path) else { return false }
    if original.location.isBelow(directory) { return true }
    guard let file = original.location.resolved, let folder = directory.resolved else { return false }
    return file.isBelow(folder)
  }
}

extension FilePath {
  fileprivate func isBelow(_ folder: FilePath) -> Bool { bytes.starts(with: folder.bytes + "/".utf8) }

  /// The path with all symbolic links resolved; `nil` if there is no file.
  fileprivate var resolved: FilePath? {
    guard let resolved = withPointer({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) })
  }
}
