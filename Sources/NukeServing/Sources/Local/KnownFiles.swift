import Foundation
import Nuke

/// Remembers files that could be opened below their folder, so that an unchanged file is recognized by one system call.
///
/// If the path leads to the same file as before, unchanged, the file was found below the folder. It still counts as there if one
/// of the folders on the path was moved out of it since, and replaced by a link to its new place. In all other cases, the
/// file is opened again. May be used from any thread.
final class KnownFiles: Sendable {
  private struct Entry {
    /// The path, with a zero byte at its end.
    let path: [CChar]
    let identity: FileIdentity
    let version: CurrentVersion
  }

  private let entries = Lock(RecentTable<URL, Entry>(limit: 8192))

  /// Returns the version of a file that has not changed since it was noted; `nil` if it must be opened to find out.
  func version(of source: URL) -> CurrentVersion? {
    guard let entry = entries.withLock({ $0.find(source) }) else { return nil }
    var status = stat()
    return stat(entry.path, &status) == 0 && FileIdentity(status) == entry.identity ? entry.version : nil
  }

  func note(_ version: CurrentVersion, of source: URL, at path: LocalSourcePath, in root: String, _ file: OpenFile) {
    let names = path.names.map { $0.map(CChar.init(bitPattern:)) }
    let path = ([Array(root.utf8CString.dropLast())] + names).joined(separator: [CChar(bitPattern: UInt8(ascii: "/"))])
    let entry = Entry(path: path + [0], identity: file.identity, version: version)
    entries.withLock { $0[source] = entry }
  }
}

/// Identifies a file and its state. Another one has replaced it, or its content, name or permissions have changed, if
/// this is different.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t
  let version: OpenFile.Version
  /// The time of the last change of anything about the file.
  private let changed: FileTime

  init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
    version = OpenFile.Version(status)
    changed = FileTime(status.st_ctim)
  }
}

/// A time in the status of a file.
struct FileTime: Equatable {
  /// Seconds since 1970.
  let seconds: Int
  /// Nanoseconds of the second.
  let nanoseconds: Int

  init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
}
