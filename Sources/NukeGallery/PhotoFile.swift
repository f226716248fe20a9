#if GTK
  import Foundation
  import Glibc

  /// An opened file. Its name need not be UTF-8.
  struct PhotoFile {
    let handle: FileHandle
    let information: stat

    enum Failure: Error, Equatable {
      case system(code: CInt)
      /// A folder, pipe or device.
      case notRegular
    }

    /// Opens a file for reading.
    ///
    /// - Parameter path: the path, as `PhotoStore.path(of:)` returns it.
    init(_ path: [UInt8]) throws(Failure) {
      // Opening a pipe without O_NONBLOCK would wait for its writer.
      let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else { throw .system(code: errno) }
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw .system(code: errno) }
      guard information.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
      self.information = information
    }

    /// The length in bytes.
    var byteCount: Int { Int(information.st_size) }
  }

  extension URL {
    /// The name of the file, or the last part of a web address, on one line. Unlike `lastPathComponent`, it is not empty if
    /// the name is not UTF-8.
    var displayName: String {
      let path = isFileURL ? PhotoStore.path(of: self) : Array(lastPathComponent.utf8)
      return PhotoStore.displayName(path.split(separator: UInt8(ascii: "/")).last ?? [])
    }
  }
#endif
