import Foundation

/// Writes a file so that it is there whole or not at all.
enum AtomicFile {
  /// Writes beside `path` and renames into its place. A device or pipe is written to as it is.
  static func write(_ data: Data, to path: String) throws(FileError) {
    var information = stat()
    if stat(path, &information) == 0 {
      switch information.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw FileError("write", path, code: EISDIR)
      default: return try writeThrough(data, to: path)
      }
    }
    let (temporary, descriptor) = try TemporaryFiles.create(beside: path)
    do throws(FileError) {
      try write(data, to: descriptor, named: path)
      try TemporaryFiles.move(temporary, to: path)
    } catch {
      TemporaryFiles.remove(temporary)
      throw error
    }
  }

  private static func writeThrough(_ data: Data, to path: String) throws(FileError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("write", path) }
    try write(data, to: descriptor, named: path)
  }

  /// Writes everything and closes the descriptor.
  private static func write(_ data: Data, to descriptor: Int32, named path: String) throws(FileError) {
    do throws(FileError) {
      try FileDescriptorWriter.write(data, to: descriptor, named: path)
    } catch {
      close(descriptor)
      throw error
    }
    // A full network file system may say so only here.
    guard close(descriptor) == 0 else { throw FileError("write", path) }
  }
}
