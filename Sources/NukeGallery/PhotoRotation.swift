#if GTK
  import Foundation
  import NukeGTK

  /// Rotates JPEG files without a loss, by the orientation in their EXIF.
  ///
  /// The new file is written beside the old one, synchronized with the disk, and renamed, so that the file is complete at
  /// any time. It keeps the mode, the owner and the extended attributes as far as the user may set them. Its modification
  /// time is new, because thumbnails and backups of other programs are compared with it.
  enum PhotoRotation {
    /// The maximum size of a file in bytes. It is read into memory.
    static let limit = 512 << 20

    /// Rotates the upright image by 90°. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - url: the URL of a file. If it is a symbolic link, the file that it leads to is rotated.
    ///   - willReplace: called before the file is replaced, for tests.
    static func rotate(_ url: URL, isClockwise: Bool, willReplace: () -> Void = {}) throws(PhotoFailure) {
      let name = url.lastPathComponent
      guard let path = url.withUnsafeFileSystemRepresentation({ $0.flatMap { realpath($0, nil) } }) else {
        throw errno == ENOENT ? .missing(name: name) : .system(name: name, code: errno)
      }
      defer { free(path) }
      let file = String(cString: path)
      let (data, information) = try read(file, name)
      guard data.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .notJPEG(name: name) }
      let rotated: Data
      do throws(CodecError) {
        let reader = try JPEGReader(data: data, limits: .unlimited)
        let old = reader.header.orientation
        rotated = try reader.data(orientedTo: isClockwise ? old.rotatedClockwise : old.rotatedCounterclockwise)
      } catch {
        throw .damaged(name: name, error)
      }
      // A rename needs no permission for the file itself.
      guard access(file, W_OK) == 0 else {
        throw errno == EACCES || errno == EROFS ? .readOnly(name: name) : .system(name: name, code: errno)
      }
      try replace(file, by: rotated, information, name, willReplace)
    }

    private static func read(_ path: String, _ name: String) throws(PhotoFailure) -> (Data, stat) {
      // Opening a pipe without O_NONBLOCK would wait for its writer.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .system(name: name, code: errno) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw .system(name: name, code: errno) }
      guard information.st_mode & S_IFMT == S_IFREG else { throw .notJPEG(name: name) }
      let size = Int(information.st_size)
      guard size <= limit else { throw .tooLarge(name: name, byteCount: size) }
      guard let data = try? file.read(upToCount: size + 1) ?? Data() else { throw .system(name: name, code: EIO) }
      guard data.count == size else { throw .changed(name: name) }
      return (data, information)
    }

    private static func replace(
      _ path: String, by data: Data, _ old: stat, _ name: String, _ willReplace: () -> Void
    ) throws(PhotoFailure) {
      let folder = (path as NSString).deletingLastPathComponent
      let temporary = "\(folder)/.nuke-gallery-\(UUID().uuidString)"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw errno == EACCES || errno == EROFS ? .readOnlyFolder(name: name) : .system(name: name, code: errno)
      }
      var isReplaced = false
      defer { if !isReplaced { unlink(temporary) } }
      try write(data, to: descriptor, name)
      copyAttributes(from: path, to: temporary)
      willReplace()
      var now = stat()
      guard stat(path, &now) == 0, now.isUnchanged(since: old) else { throw .changed(name: name) }
      guard rename(temporary, path) == 0 else { throw .system(name: name, code: errno) }
      isReplaced = true
      synchronize(folder)
    }

    /// Writes the data, and closes the file.
    private static func write(_ data: Data, to descriptor: CInt, _ name: String) throws(PhotoFailure) {
      var code: CInt = 0
      data.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count, code == 0 {
          let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
          if count >= 0 { offset += count } else if errno != EINTR { code = errno }
        }
      }
      if code == 0, fsync(descriptor) != 0 { code = errno }
      if close(descriptor) != 0, code == 0 { code = errno }
      guard code == 0 else { throw .system(name: name, code: code) }
    }

    /// Copies the mode, the owner and the extended attributes, as far as that is allowed.
    private static func copyAttributes(from path: String, to copy: String) {
      let (source, target) = (g_file_new_for_path(path), g_file_new_for_path(copy))
      defer { for file in [source, target] { g_object_unref(UnsafeMutableRawPointer(file)) } }
      g_file_copy_attributes(
        source, target, GFileCopyFlags(rawValue: G_FILE_COPY_ALL_METADATA.rawValue), nil, nil)
      // The old time was copied, too.
      utimensat(AT_FDCWD, copy, nil, 0)
    }

    /// Makes the rename durable. If that fails, the disk has the old or the new file after a crash.
    private static func synchronize(_ folder: String) {
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      fsync(descriptor)
      close(descriptor)
    }
  }

  extension stat {
    fileprivate func isUnchanged(since old: stat) -> Bool {
      st_dev == old.st_dev && st_ino == old.st_ino && st_size == old.st_size
        && st_mtim.tv_sec == old.st_mtim.tv_sec && st_mtim.tv_nsec == old.st_mtim.tv_nsec
    }
  }
#endif
