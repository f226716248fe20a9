import CNukeDisk
import Foundation
import NukeBase

/// The file system of the machine.
package struct SystemFileSystem: DiskFileSystem {
  package init() {}

  /// Repeats `call` while signals interrupt it.
  @inline(__always)
  private func retrying<Value: FixedWidthInteger & SignedInteger>(_ call: () -> Value) -> Value {
    while true {
      let result = call()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { return Value(-code) }
    }
  }

  package func openFolder(_ path: String) -> CInt { retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } }

  package func openFile(_ path: String, in folder: CInt) -> CInt {
    // Without these flags, opening a pipe would block, and a symbolic link could lead outside the folder.
    retrying { openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) }
  }

  package func createFile(_ path: String, in folder: CInt) -> CInt {
    retrying { openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
  }

  package func openShared(_ path: String, in folder: CInt) -> CInt {
    retrying { openat(folder, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
  }

  package func openToChange(_ path: String, in folder: CInt) -> CInt {
    retrying { openat(folder, path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) }
  }

  package func isOpenElsewhere(_ file: CInt) -> Bool { nuke_is_open_elsewhere(file) != 0 }

  package func close(_ file: CInt) { _ = Foundation.close(file) }

  package func status(of file: CInt) -> DiskFileStatus? {
    var status = stat()
    return fstat(file, &status) == 0 ? DiskFileStatus(status) : nil
  }

  package func status(_ path: String, in folder: CInt) -> DiskFileStatus? {
    var status = stat()
    return fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? DiskFileStatus(status) : nil
  }

  package func read(_ file: CInt, into buffer: UnsafeMutableRawPointer, count: Int, at offset: Int?) -> Int {
    retrying {
      if let offset { return pread(file, buffer, count, off_t(offset)) }
      return Foundation.read(file, buffer, count)
    }
  }

  package func write(_ file: CInt, from buffer: UnsafeRawPointer, count: Int, at offset: Int?) -> Int {
    retrying {
      if let offset { return pwrite(file, buffer, count, off_t(offset)) }
      return Foundation.write(file, buffer, count)
    }
  }

  package func setLength(_ length: Int, of file: CInt) -> CInt { retrying { ftruncate(file, off_t(length)) } }

  package func rename(_ path: String, to target: String, in folder: CInt) -> CInt {
    retrying { renameat(folder, path, folder, target) }
  }

  package func exchange(_ path: String, with target: String, in folder: CInt) -> CInt {
    nuke_exchange(folder, path, target)
  }

  package func remove(_ path: String, in folder: CInt) -> CInt { retrying { unlinkat(folder, path, 0) } }

  package func makeFolder(_ path: String, in folder: CInt) -> CInt { retrying { mkdirat(folder, path, 0o700) } }

  package func setTime(_ time: Int64, of file: CInt) -> CInt {
    var times = [timespec(nanoseconds: time), timespec(nanoseconds: time)]
    return retrying { futimens(file, &times) }
  }

  package func setTime(_ time: Int64, _ path: String, in folder: CInt) -> CInt {
    var times = [timespec(nanoseconds: time), timespec(nanoseconds: time)]
    return retrying { utimensat(folder, path, &times, AT_SYMLINK_NOFOLLOW) }
  }

  package func names(in path: String, of folder: CInt) -> [String] {
    let file = retrying { openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard file >= 0 else { return [] }
    guard let stream = fdopendir(file) else {
      close(file)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  package func tryLock(_ file: CInt) -> Bool { retrying { flock(file, LOCK_EX | LOCK_NB) } == 0 }
  package func unlock(_ file: CInt) { _ = flock(file, LOCK_UN) }

  package func tryLock(_ file: CInt, byte: Int64) -> DiskByteLock {
    let code = change(Self.setLock, file, byte, to: CInt(F_WRLCK)).code
    if code >= 0 { return .taken }
    return code == -EAGAIN || code == -EACCES ? .held : .unavailable
  }

  package func unlock(_ file: CInt, byte: Int64) { _ = change(Self.setLock, file, byte, to: CInt(F_UNLCK)) }

  package func isLocked(_ file: CInt, byte: Int64) -> Bool {
    let (code, type) = change(Self.getLock, file, byte, to: CInt(F_WRLCK))
    return code >= 0 && type != CInt(F_UNLCK)
  }

  // `F_OFD_SETLK` and `F_OFD_GETLK`, which the headers define only with `_GNU_SOURCE`. These locks belong to the open
  // file description. POSIX locks would be lost as soon as the process closes any descriptor of the file.
  private static let (setLock, getLock): (CInt, CInt) = (37, 36)

  private func change(_ command: CInt, _ file: CInt, _ byte: Int64, to type: CInt) -> (code: CInt, type: CInt) {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(truncatingIfNeeded: byte)
    lock.l_len = 1
    let code = retrying { fcntl(file, command, &lock) }
    return (code, CInt(lock.l_type))
  }

  package func pause() { usleep(1000) }

  package func space(at file: CInt) -> DiskSpace? {
    var status = statvfs()
    guard fstatvfs(file, &status) == 0 else { return nil }
    let block = Int(status.f_frsize)
    return DiskSpace(
      available: Int(clamping: status.f_bavail).multipliedReportingOverflow(by: block).partialValue,
      total: Int(clamping: status.f_blocks).multipliedReportingOverflow(by: block).partialValue)
  }

  package var bootIdentifier: UInt64 { Self.boot }

  private static let boot: UInt64 = {
    let system = SystemFileSystem()
    let file = system.openFile("/proc/sys/kernel/random/boot_id", in: AT_FDCWD)
    guard file >= 0 else { return 0 }
    defer { system.close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
      let count = system.read(file, into: buffer.baseAddress!, count: 64, at: nil)
      return count > 0 ? Digest.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[..<count])) : 0
    }
  }()
}

extension timespec {
  fileprivate init(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(tv_sec: .init(seconds), tv_nsec: .init(rest))
  }

  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

extension DiskFileStatus {
  fileprivate init(_ status: stat) {
    self.init(
      length: Int(status.st_size),
      identity: Identity(node: UInt64(status.st_ino), changed: status.st_ctim.nanoseconds),
      modified: status.st_mtim.nanoseconds, isRegular: status.st_mode & S_IFMT == S_IFREG,
      linkCount: Int(status.st_nlink))
  }
}
