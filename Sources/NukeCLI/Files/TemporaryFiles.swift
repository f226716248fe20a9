import Foundation
import Nuke

/// The files being written. An interrupt removes them, so that no incomplete file stays. The process then ends by the
/// signal: a thread that creates or finishes a file waits for that, since an error would end the process with its own
/// status before.
enum TemporaryFiles {
  private struct State {
    var paths: Set<String> = []
    var isClosed = false
  }

  private static let state = Lock(State())

  /// Creates an empty file with a unique name in the folder of `path`. The caller closes the descriptor.
  static func create(beside path: String) throws(FileError) -> (path: String, descriptor: Int32) {
    let folder = (path as NSString).deletingLastPathComponent
    // A long name is shortened, so that the temporary name does not exceed the limit of the file system.
    let name = String(decoding: (path as NSString).lastPathComponent.utf8.prefix(120), as: UTF8.self)
    let created = try state.withLock { state throws(FileError) -> (String, Int32)? in
      while !state.isClosed {
        let random = String(UInt64.random(in: 0..<(1 << 40)), radix: 36)
        let file = (folder as NSString).appendingPathComponent(".\(name).\(random).part")
        let descriptor = file.withSystemPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        if descriptor >= 0 {
          state.paths.insert(file)
          return (file, descriptor)
        }
        if errno != EEXIST, errno != EINTR { throw FileError("write", path) }
      }
      return nil
    }
    guard let created else { waitForEnd() }
    return created
  }

  /// Atomically replaces `destination` with the finished file.
  static func move(_ path: String, to destination: String) throws(FileError) {
    let isMoved = try state.withLock { state throws(FileError) in
      guard state.paths.remove(path) != nil else { return false }
      let code = path.withSystemPath { path in destination.withSystemPath { rename(path, $0) } }
      guard code == 0 else {
        let error = FileError("write", destination)
        unlink(path)
        throw error
      }
      return true
    }
    if !isMoved { waitForEnd() }
  }

  private static func waitForEnd() -> Never {
    while true { pause() }
  }

  private static func unlink(_ path: String) { _ = path.withSystemPath { Foundation.unlink($0) } }

  /// Removes a file that will not be finished.
  static func remove(_ path: String) {
    state.withLock { state in
      if state.paths.remove(path) != nil { unlink(path) }
    }
  }

  /// Removes all files, and prevents new ones.
  static func removeAll() {
    state.withLock { state in
      state.isClosed = true
      for path in state.paths { unlink(path) }
      state.paths.removeAll()
    }
  }
}
