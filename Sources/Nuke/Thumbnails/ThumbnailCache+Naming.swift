import Foundation

extension ThumbnailCache {
  /// Returns the URI that all programs use for a file: absolute, without `.` and `..`, and with symbolic links as they
  /// are. Returns `nil` if the URL is not a file URL.
  static func uri(of file: URL) -> String? {
    guard file.isFileURL else { return nil }
    let path = file.standardizedFileURL.path
    guard path.hasPrefix("/") else { return nil }
    return path.addingPercentEncoding(withAllowedCharacters: plainCharacters).map { "file://" + $0 }
  }

  /// The characters that GLib's `g_filename_to_uri` does not escape: the unreserved characters of RFC 3986 and those
  /// allowed in a path, without the semicolon. File managers derive thumbnail names from it.
  private static let plainCharacters = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,=:@/")

  /// Returns the name of a thumbnail: the MD5 of its file's URI in hexadecimal digits.
  static func name(of uri: String) -> String { Digest.md5(of: uri) + ".png" }

  /// The current state of a file.
  struct Original: Sendable {
    let file: URL
    let uri: String
    /// The modification time in seconds since 1970.
    let modified: Int64
    let byteCount: Int

    var path: String { file.standardizedFileURL.path }
  }

  func original(_ file: URL) throws(Error) -> Original {
    guard let uri = Self.uri(of: file) else { throw .notAFile(file) }
    let path = file.standardizedFileURL.path
    // Symbolic links are followed, because the thumbnail shows the file behind them.
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .fileNotReadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .fileNotReadable(path: path, reason: "it is not a regular file")
    }
    return Original(
      file: file, uri: uri, modified: Int64(status.st_mtim.tv_sec), byteCount: Int(clamping: status.st_size))
  }

  /// Returns `true` if a file is a thumbnail itself, by its path or after following symbolic links. No thumbnails are
  /// created for these.
  func isThumbnail(_ original: Original) -> Bool {
    guard let directory = directory?.standardizedFileURL.path else { return false }
    if original.path.hasPrefix(directory + "/") { return true }
    guard let file = Self.resolved(original.path), let folder = Self.resolved(directory) else { return false }
    return file.hasPrefix(folder + "/")
  }

  /// Returns the path with all symbolic links resolved; `nil` if there is no file.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
