import Foundation
import Nuke

/// An open regular file below a folder. It is closed in `deinit`.
///
/// The path is opened folder by folder, each relative to the one before and never through a symbolic link. Renaming
/// files at the same time therefore cannot lead outside the folder. May be used from any thread.
final class OpenFile: Sendable {
  // The reasons why what a path names is not a file of the folder. Clients receive 404 then, as for a missing file.
  static let isSymbolicLink = "it is a symbolic link"
  static let isNotRegular = "it is not a regular file"

  /// Identifies a version of a file's content.
  struct Version: Equatable {
    let size: Int
    /// The modification time: seconds since 1970, and nanoseconds of the second.
    let seconds: Int
    let nanoseconds: Int

    fileprivate init(_ status: stat) {
      size = Int(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
    }
  }

  let version: Version
  private let descriptor: Descriptor
  private let path: LocalSourcePath

  init(_ path: LocalSourcePath, in root: String) throws(DataLoader.TransferError) {
    self.path = path
    let opened = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .fileNotReadable(path: root, reason: String(cString: strerror(errno))) }
    var folder = Descriptor(opened)
    for name in path.names.dropLast() {
      folder = try folder.open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, path)
    }
    // Opening a pipe without O_NONBLOCK would wait for its writer.
    descriptor = try folder.open(path.names.last ?? [], O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, path)
    let status = try descriptor.status(path)
    version = Version(status)
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
private final class Descriptor: Sendable {
  private let number: CInt

  init(_ number: CInt) { self.number = number }

  deinit { close(number) }

  func open(_ name: [UInt8], _ flags: CInt, _ path: LocalSourcePath) throws(DataLoader.TransferError) -> Descriptor {
    let opened = (name + [0]).withUnsafeBytes {
      openat(number, $0.baseAddress!.assumingMemoryBound(to: CChar.self), flags)
    }
    guard opened >= 0 else {
      let code = errno
      // Opening a symbolic link with `O_DIRECTORY` fails as opening a file does.
      throw path.unreadable(code == ENOTDIR && isSymbolicLink(name) ? ELOOP : code)
    }
    return Descriptor(opened)
  }

  private func isSymbolicLink(_ name: [UInt8]) -> Bool {
    var status = stat()
    let result = (name + [0]).withUnsafeBytes {
      fstatat(number, $0.baseAddress!.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  func status(_ path: LocalSourcePath) throws(DataLoader.TransferError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw path.unreadable(errno) }
    return status
  }

  /// Reads as the system call does, and retries after a signal.
  func read(into buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int {
    while true {
      let got = pread(number, buffer, count, off_t(offset))
      if got >= 0 || errno != EINTR { return got }
    }
  }
}

extension LocalSourcePath {
  fileprivate func unreadable(_ code: CInt) -> DataLoader.TransferError {
    switch code {
    case ENOENT, ENAMETOOLONG, ENOTDIR: .fileNotFound(path: description)
    case ELOOP: .fileNotReadable(path: description, reason: OpenFile.isSymbolicLink)
    default: .fileNotReadable(path: description, reason: String(cString: strerror(code)))
    }
  }
}
