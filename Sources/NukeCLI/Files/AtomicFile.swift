#if Command
  import Foundation

  /// Writes a file completely or not at all.
  enum AtomicFile {
    /// Writes to a temporary file in the same folder, and renames it to `path`. Writes directly to a device or pipe, and
    /// to standard output for `-`. A file that exists keeps its permissions, and a symbolic link to it stays.
    static func write(_ data: Data, to path: String) throws {
      try write(to: path) { try Descriptor.write(data, to: $0, named: path) }
    }

    /// Creates a file like ``write(_:to:)`` from the bytes that `body` writes to a descriptor.
    static func write(to path: String, _ body: (Int32) throws -> Void) throws {
      if path == StandardOutput.name { return try body(STDOUT_FILENO) }
      var (destination, permissions) = (path, mode_t?.none)
      if let information = path.fileStatus {
        switch information.st_mode & S_IFMT {
        case S_IFREG:
          destination = resolved(path)
          permissions = information.st_mode & 0o777
        case S_IFDIR: throw FileError("write", path, code: EISDIR)
        default:
          let descriptor = path.withSystemPath { open($0, O_WRONLY | O_CLOEXEC) }
          guard descriptor >= 0 else { throw FileError("write", path) }
          return try write(to: descriptor, named: path, body)
        }
      }
      let (temporary, descriptor) = try TemporaryFiles.create(beside: destination)
      do {
        // Before the content is written, so that nobody else can read that of a private file.
        if let permissions { fchmod(descriptor, permissions) }
        try write(to: descriptor, named: path, body)
        try TemporaryFiles.move(temporary, to: destination)
      } catch {
        TemporaryFiles.remove(temporary)
        throw error
      }
    }

    /// Returns the path of the file that symbolic links lead to.
    private static func resolved(_ path: String) -> String {
      guard let resolved = path.withSystemPath({ realpath($0, nil) }) else { return path }
      defer { free(resolved) }
      return String(system: resolved)
    }

    /// Writes everything and closes the descriptor.
    private static func write(to descriptor: Int32, named path: String, _ body: (Int32) throws -> Void) throws {
      do {
        try body(descriptor)
      } catch {
        close(descriptor)
        throw error
      }
      // A network file system may report only here that it is full.
      guard close(descriptor) == 0 else { throw FileError("write", path) }
    }
  }
#endif
