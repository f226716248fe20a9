import Foundation

/// The system calls of the disk store. Tests replace them to inject failures.
///
/// Paths are relative to `folder`, an open folder, unless they begin with a slash. A call that fails answers with the
/// negative of its `errno`.
package protocol DiskFileSystem: Sendable {
  func openFolder(_ path: String) -> CInt
  /// Opens a file for reading.
  func openFile(_ path: String, in folder: CInt) -> CInt
  /// Creates a file that did not exist, for its owner alone, for writing.
  func createFile(_ path: String, in folder: CInt) -> CInt
  /// Opens a file for reading and writing, creating it where there is none.
  func openShared(_ path: String, in folder: CInt) -> CInt
  /// Opens a file that exists for reading and writing.
  func openToChange(_ path: String, in folder: CInt) -> CInt
  /// Returns `true` if a file that is open for writing is open or mapped a second time, in any process, and where the
  /// system cannot tell.
  func isOpenElsewhere(_ file: CInt) -> Bool
  func close(_ file: CInt)
  /// Returns the status of a file; `nil` if there is none, or it cannot be told.
  func status(of file: CInt) -> DiskFileStatus?
  func status(_ path: String, in folder: CInt) -> DiskFileStatus?
  /// Reads at most `count` bytes from where the file stands, or at `offset`.
  func read(_ file: CInt, into buffer: UnsafeMutableRawPointer, count: Int, at offset: Int?) -> Int
  /// Writes at most `count` bytes where the file stands, or at `offset`.
  func write(_ file: CInt, from buffer: UnsafeRawPointer, count: Int, at offset: Int?) -> Int
  /// Cuts a file off, or makes it longer by zeros that take no room.
  func setLength(_ length: Int, of file: CInt) -> CInt
  /// Brings what was written to the device.
  func synchronize(_ file: CInt) -> CInt
  func rename(_ path: String, to target: String, in folder: CInt) -> CInt
  /// Exchanges the names of two files in one step. Fails where the system cannot do that.
  func exchange(_ path: String, with target: String, in folder: CInt) -> CInt
  func remove(_ path: String, in folder: CInt) -> CInt
  func makeFolder(_ path: String, in folder: CInt) -> CInt
  /// Sets when a file was last used: nanoseconds since 1970.
  func setTime(_ time: Int64, of file: CInt) -> CInt
  func setTime(_ time: Int64, _ path: String, in folder: CInt) -> CInt
  /// The names in a folder, without those of itself and its parent; none where it cannot be read.
  func names(in path: String, of folder: CInt) -> [String]
  /// Takes the lock of a file that all processes share, if nobody has it. It goes with the file's closing.
  func tryLock(_ file: CInt) -> Bool
  func unlock(_ file: CInt)
  /// Takes the lock of one byte of a file that all processes share, whether or not the file has that byte. It goes with
  /// the file's closing too. Who opened the file twice has two locks, which keep each other out.
  func tryLock(_ file: CInt, byte: Int64) -> DiskByteLock
  func unlock(_ file: CInt, byte: Int64)
  /// Returns `true` if somebody else has the lock of a byte; `false` if that cannot be told.
  func isLocked(_ file: CInt, byte: Int64) -> Bool
  /// Lets a millisecond pass.
  func pause()
  func space(at file: CInt) -> DiskSpace?
  /// Identifies the current boot of the machine.
  var bootIdentifier: UInt64 { get }
}

extension DiskFileSystem {
  /// Fills a buffer from where the file stands, or from `offset` on. Returns `false` if the file has fewer bytes or cannot
  /// be read.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int? = nil) -> Bool {
    var count = 0
    while count < buffer.count {
      let got = read(
        file, into: buffer.baseAddress! + count, count: buffer.count - count, at: offset.map { $0 + count })
      guard got > 0 else { return false }
      count += got
    }
    return true
  }

  /// Writes all bytes where the file stands, or at `offset`. Returns a negative `errno` if that fails.
  func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int? = nil) -> CInt {
    var count = 0
    while count < bytes.count {
      let written = write(
        file, from: bytes.baseAddress! + count, count: bytes.count - count, at: offset.map { $0 + count })
      guard written > 0 else { return written == 0 ? -ENOSPC : CInt(written) }
      count += written
    }
    return 0
  }

  /// Makes the folder at `path` and those above it that are missing, for their owner alone.
  func makeFolders(_ path: String) throws(DiskStore.OpeningFailure) {
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
  /// Somebody else has it.
  case held
  /// The file system has no such locks, or no more of them.
  case unavailable
}

/// Bytes of the volume that a folder is on.
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
  /// Nanoseconds after which the time of a change differs from that of the one before. Linux takes the times of files from
  /// a clock that advances 100 to 1,000 times a second.
  static let timeGranularity: Int64 = 20_000_000

  package struct Identity: Equatable, Sendable {
    package var node: UInt64
    /// Nanoseconds since 1970 of the last change to the file or what is known about it.
    package var changed: Int64
  }

  package var length: Int
  package var identity: Identity
  /// Nanoseconds since 1970 of the last change to the bytes.
  package var modified: Int64
  package var isRegular: Bool
  /// Names that lead to it.
  package var linkCount: Int
}
