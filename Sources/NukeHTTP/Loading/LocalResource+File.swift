package import Foundation
import FoundationNetworking

extension LocalResource {
  static func readFile(at url: URL, limit: Int?) throws(DataLoader.TransferError) -> (Data, URLResponse) {
    let path = try path(of: url)
    let file = try RegularFile(path: path)
    if let limit, file.size > limit { throw .bodyTooLarge(limit: limit) }
    let data = try file.readToEnd(limit: limit)
    return (data, response(for: url, mediaType: nil, length: data.count))
  }

  /// Returns the path of a `file:` URL (RFC 8089) as bytes, because file names need not be UTF-8.
  package static func path(of url: URL) throws(DataLoader.TransferError) -> FilePath {
    let text = url.absoluteString.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedURL(url.absoluteString) }
    var rest = text[text.index(after: colon)...]
    rest = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      rest = rest.dropFirst(2 + authority.count)
      let host = String(decoding: authority, as: UTF8.self)
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw .fileNotReadable(
          path: FilePath(bytes: percentDecoded(rest)).description, reason: "it is on the host \(host)")
      }
    }
    let bytes = percentDecoded(rest)
    guard !bytes.isEmpty, !bytes.contains(0) else { throw .malformedURL(url.absoluteString) }
    return FilePath(bytes: bytes)
  }
}

/// A path in the system's encoding.
package struct FilePath: Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The path for messages.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }
}

/// An open regular file, not a folder, pipe, socket or device. It is closed in `deinit`.
private final class RegularFile {
  let size: Int
  private let descriptor: CInt
  private let path: FilePath

  init(path: FilePath) throws(DataLoader.TransferError) {
    // Without O_NONBLOCK, opening a pipe would block until it has a writer.
    descriptor = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    self.path = path
    guard descriptor >= 0 else {
      size = 0
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw Self.unreadable(path, code) }
      throw .fileNotFound(path: path.description)
    }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    size = Int(status.st_size)
    guard isKnown else { throw Self.unreadable(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory(path: path.description)
    default: throw .fileNotReadable(path: path.description, reason: "it is not a regular file")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads to the end of the file, which may differ from ``size`` if another process is writing.
  func readToEnd(limit: Int?) throws(DataLoader.TransferError) -> Data {
    guard size < .max else { throw Self.unreadable(path, EFBIG) }
    // One byte more than expected, so that the read that returns the rest also detects the end.
    var capacity = size + 1
    var buffer = try allocate(capacity, replacing: nil)
    var count = 0
    while true {
      if count == capacity {
        capacity = max(4096, capacity * 2)
        buffer = try allocate(capacity, replacing: buffer)
      }
      let got = read(descriptor, buffer + count, min(capacity - count, 1 << 30))
      if got > 0 {
        count += got
        if let limit, count > limit {
          free(buffer)
          throw .bodyTooLarge(limit: limit)
        }
      } else if got == 0 {
        break
      } else if errno != EINTR {
        let code = errno
        free(buffer)
        throw Self.unreadable(path, code)
      }
    }
    return Data(bytesNoCopy: buffer, count: count, deallocator: .free)
  }

  private func allocate(
    _ capacity: Int, replacing old: UnsafeMutableRawPointer?
  ) throws(DataLoader.TransferError) -> UnsafeMutableRawPointer {
    if let buffer = realloc(old, capacity) { return buffer }
    free(old)
    throw Self.unreadable(path, ENOMEM)
  }

  private static func unreadable(_ path: FilePath, _ code: CInt) -> DataLoader.TransferError {
    .fileNotReadable(path: path.description, reason: String(cString: strerror(code)))
  }
}
