import Foundation

/// The system calls of the disk store. Tests replace them to inject failures.
///
/// Paths are relative to `folder`, an open folder, unless they begin with a slash. Calls that open a file return its
/// descriptor, and calls that read or write return a number of bytes. A call that fails returns the negated `errno`.
package protocol DiskFileSystem: Sendable {
  func openFolder(_ path: String) -> CInt
  /// Opens a file for reading.
  func openFile(_ path: String, in folder: CInt) -> CInt
  /// Creates a new file for writing, accessible only to its owner.
  func createFile(_ path: String, in folder: CInt) -> CInt
  /// Opens a file for reading and writing, and creates it if it does not exist.
  func openShared(_ path: String, in folder: CInt) -> CInt
  /// Opens an existing file for reading and writing.
  func openToChange(_ path: String, in folder: CInt) -> CInt
  /// Returns `true` if a file that is open for writing is also open or mapped elsewhere, in any process. Also returns
  /// `true` if the system cannot tell.
  func isOpenElsewhere(_ file: CInt) -> Bool
  func close(_ file: CInt)
  /// Returns the status of a file; `nil` if there is no file or the status cannot be read.
  func status(of file: CInt) -> DiskFileStatus?
  func status(_ path: String, in folder: CInt) -> DiskFileStatus?
  /// Reads at most `count` bytes from the current position, or from `offset`.
  func read(_ file: CInt, into buffer: UnsafeMutableRawPointer, count: Int, at offset: Int?) -> Int
  /// Writes at most `count` bytes at the current position, or at `offset`.
  func write(_ file: CInt, from buffer: UnsafeRawPointer, count: Int, at offset: Int?) -> Int
  /// Truncates a file, or extends it with zeros that occupy no disk space.
  func setLength(_ length: Int, of file: CInt) -> CInt
  func rename(_ path: String, to target: String, in folder: CInt) -> CInt
  /// Atomically exchanges the names of two files. Fails if the file system does not support that.
  func exchange(_ path: String, with target: String, in folder: CInt) -> CInt
  func remove(_ path: String, in folder: CInt) -> CInt
  func makeFolder(_ path: String, in folder: CInt) -> CInt
  /// Sets the time at which a file was last used, in nanoseconds since 1970.
  func setTime(_ time: Int64, of file: CInt) -> CInt
  func setTime(_ time: Int64, _ path: String, in folder: CInt) -> CInt
  /// Returns the names in a folder, except `.` and `..`. Returns an empty array if the folder cannot be read.
  func names(in path: String, of folder: CInt) -> [String]
  /// Tries to acquire the lock of a file that all processes share. Closing the file releases the lock.
  func tryLock(_ file: CInt) -> Bool
  func unlock(_ file: CInt)
  /// Tries to acquire the lock of one byte of a file that all processes share. The file need not contain the byte.
  /// Closing the file releases the lock. A process that opened the file twice has two independent locks.
  func tryLock(_ file: CInt, byte: Int64) -> DiskByteLock
  func unlock(_ file: CInt, byte: Int64)
  /// Returns `true` if another holder has the lock of a byte; `false` if that cannot be determined.
  func isLocked(_ file: CInt, byte: Int64) -> Bool
  /// Sleeps for a millisecond.
  func pause()
  func space(at file: CInt) -> DiskSpace?
  /// Identifies the current boot of the machine.
  var bootIdentifier: UInt64 { get }
}

extension DiskFileSystem {
  /// Fills a buffer from the current position, or from `offset`. Returns `false` if the file has fewer bytes or cannot
  /// be read.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int? = nil) -> Bool {
    var count = 0
    while count < buffer.count {
      let got = read(
        file, into: buffer.baseAddress! + count, count: buffer.count - count, at: offset.map { $0 + count })
      guard got > 0 else { return false }
      count += got
    }
    return true
  }

  /// Writes all bytes at the current position, or at `offset`. Returns a negated `errno` on failure.
  package func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int? = nil) -> CInt {
    var count = 0
    while count < bytes.count {
      let written = write(
        file, from: bytes.baseAddress! + count, count: bytes.count - count, at: offset.map { $0 + count })
      guard written > 0 else { return written == 0 ? -ENOSPC : CInt(written) }
      count += written
    }
    return 0
  }

  /// Creates the folder at `path` and missing parent folders, accessible only to their owner.
  package func makeFolders(_ path: String) throws(DiskStore.OpeningFailure) {
    let code = makeFolder(path, in: AT_FDCWD)
    if code >= 0 || code == -EEXIST { return }
    let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    guard code == -ENOENT, !parent.isEmpty else { throw .init(path: path, code: -code) }
    try makeFolders(String(parent))
    let again = makeFolder(path, in: AT_FDCWD)
    guard again >= 0 || again == -EEXIST else { throw .init(path: path, code: -again) }
  }
}

/// The result of an attempt to lock a byte.
package enum DiskByteLock: Sendable {
  case taken
  /// Another holder has the lock.
  case held
  /// The file system does not support such locks, or has no more of them.
  case unavailable
}

/// The size of the volume that contains a folder, in bytes.
package struct DiskSpace: Sendable {
  /// The number of bytes that this process may still write.
  package var available: Int
  package var total: Int

  package init(available: Int, total: Int) {
    self.available = available
    self.total = total
  }
}

/// The status of a file at one moment. Replacing the file or writing to it changes its identity.
package struct DiskFileStatus: Sendable {
  /// The time in nanoseconds after which two changes have different timestamps. Linux takes file timestamps from a
  /// clock that advances 100 to 1,000 times a second.
  static let timeGranularity: Int64 = 20_000_000

  package struct Identity: Equatable, Sendable {
    package var node: UInt64
    /// The time of the last change to the file or its attributes, in nanoseconds since 1970.
    package var changed: Int64
  }

  package var length: Int
  package var identity: Identity
  /// The time of the last change to the content, in nanoseconds since 1970.
  package var modified: Int64
  package var isRegular: Bool
  /// The number of hard links.
  package var linkCount: Int
}
