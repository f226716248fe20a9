import Foundation
import Nuke

/// An open regular file below a folder. It is closed in `deinit`.
///
/// Symbolic links are followed within the folder. Renaming files and links at the same time cannot lead outside the
/// folder. May be used from any thread.
final class OpenFile: Sendable {
  // The reasons why what a path names is not a file of the folder. Clients receive 404 then, as for a missing file.
  static let isLinkOutside = "it is a symbolic link that leaves the folder"
  static let hasTooManyLinks = "it has too many symbolic links"
  static let isNotRegular = "it is not a regular file"

  /// Identifies a version of a file's content.
  struct Version: Equatable {
    let size: Int
    let modified: FileTime

    init(_ status: stat) {
      size = Int(status.st_size)
      modified = FileTime(status.st_mtim)
    }
  }

  let identity: FileIdentity
  var version: Version { identity.version }
  private let descriptor: Descriptor
  private let path: LocalSourcePath

  init(_ path: LocalSourcePath, in root: String) throws(DataLoader.TransferError) {
    self.path = path
    descriptor = try FolderWalk(root, path).file()
    let status = try descriptor.status(path)
    identity = FileIdentity(status)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory(path: path.description)
    default: throw .fileNotReadable(path: path.description, reason: Self.isNotRegular)
    }
  }

  /// Reads the file from an offset and passes chunks to `take` until it returns `false`.
  ///
  /// - Returns: the offset after the last chunk.
  /// - Throws: an error if the file cannot be read, or has changed since it was opened.
  func read(from start: Int, _ take: (UnsafeRawBufferPointer) -> Bool) throws(DataLoader.TransferError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(max(version.size, 1), 256 << 10), alignment: 16)
    defer { buffer.deallocate() }
    var offset = start
    while offset < version.size {
      let count = descriptor.read(into: buffer.baseAddress!, min(version.size - offset, buffer.count), at: offset)
      guard count >= 0 else { throw path.unreadable(errno) }
      guard count > 0 else { break }
      offset += count
      let goesOn = take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      guard goesOn || offset == version.size else { return offset }
    }
    guard offset == version.size, Version(try descriptor.status(path)) == version else {
      throw .fileNotReadable(path: path.description, reason: "it changed while it was read")
    }
    return offset
  }
}

/// A file descriptor that is closed in `deinit`.
final class Descriptor: Sendable {
  let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }

  fileprivate func status(_ path: LocalSourcePath) throws(DataLoader.TransferError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw path.unreadable(errno) }
    return status
  }

  /// Reads as the system call does, and retries after a signal.
  fileprivate func read(into buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
    while true {
      let got = pread(number, buffer, count, off_t(offset))
      if got >= 0 || errno != EINTR { return got }
    }
  }
}

extension LocalSourcePath {
  func unreadable(_ code: CInt) -> DataLoader.TransferError {
    switch code {
    case ENOENT, ENAMETOOLONG, ENOTDIR: .fileNotFound(path: description)
    case EXDEV: .fileNotReadable(path: description, reason: OpenFile.isLinkOutside)
    case ELOOP: .fileNotReadable(path: description, reason: OpenFile.hasTooManyLinks)
    default: .fileNotReadable(path: description, reason: String(cString: strerror(code)))
    }
  }
}
