#if GTK
  import Foundation
  import NukeGTK

  /// Rotates JPEG files without a loss, by the orientation in their EXIF.
  ///
  /// The new file is written beside the old one, synchronized with the disk, and renamed, so that the file is complete at
  /// any time. It keeps the mode, the owner and the extended attributes as far as the user may set them. Its modification
  /// time is new, because thumbnails and backups of other programs are compared with it. Other hard links keep the
  /// old file.
  enum PhotoRotation {
    /// The maximum size of a file in bytes. It is read into memory.
    static let limit = 512 << 20

    /// Rotates the upright image by 90°. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - url: the URL of a file. If it is a symbolic link, the file that it leads to is rotated.
    ///   - willReplace: called before the file is replaced, for tests.
    static func rotate(_ url: URL, isClockwise: Bool, willReplace: () -> Void = {}) throws(PhotoFailure) {
      let name = url.displayName
      guard let resolved = PhotoStore.path(of: url).withCPath({ realpath($0, nil) }) else {
        throw errno == ENOENT ? .missing(name: name) : .system(name: name, code: errno)
      }
      defer { free(resolved) }
      let file = UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
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
      guard access(resolved, W_OK) == 0 else {
        throw errno == EACCES || errno == EROFS ? .readOnly(name: name) : .system(name: name, code: errno)
      }
      try replace(file, by: rotated, information, name, willReplace)
    }

    private static func read(_ path: [UInt8], _ name: String) throws(PhotoFailure) -> (Data, stat) {
      let file: PhotoFile
      do throws(PhotoFile.Failure) {
        file = try PhotoFile(path)
      } catch {
        switch error {
        case .system(let code): throw .system(name: name, code: code)
        case .notRegular: throw .notJPEG(name: name)
        }
      }
      let size = file.byteCount
      guard size <= limit else { throw .tooLarge(name: name, byteCount: size) }
      guard let data = try? file.handle.read(upToCount: size + 1) ?? Data() else {
        throw .system(name: name, code: EIO)
      }
      guard data.count == size else { throw .changed(name: name) }
      return (data, file.information)
    }

    private static func replace(
      _ path: [UInt8], by data: Data, _ old: stat, _ name: String, _ willReplace: () -> Void
    ) throws(PhotoFailure) {
      let folder = PhotoStore.folder(ofPath: path)
      let temporary = folder + Array("/.nuke-gallery-\(UUID().uuidString)".utf8)
      let descriptor = temporary.withCPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      guard descriptor >= 0 else {
        throw errno == EACCES || errno == EROFS ? .readOnlyFolder(name: name) : .system(name: name, code: errno)
      }
      var isReplaced = false
      defer { if !isReplaced { _ = temporary.withCPath { unlink($0) } } }
      try write(data, to: descriptor, name) { copyAttributes(from: path, to: temporary) }
      willReplace()
      var now = stat()
      guard path.withCPath({ stat($0, &now) }) == 0, now.isUnchanged(since: old) else { throw .changed(name: name) }
      let isRenamed = temporary.withCPath { temporary in path.withCPath { rename(temporary, $0) == 0 } }
      guard isRenamed else { throw .system(name: name, code: errno) }
      isReplaced = true
      synchronize(folder)
    }

    /// Writes the data, and closes the file when it and its attributes are on the disk.
    private static func write(
      _ data: Data, to descriptor: CInt, _ name: String, setAttributes: () -> Void
    ) throws(PhotoFailure) {
      var code: CInt = 0
      data.withUnsafeBytes { bytes in
        var offset = 0
        while offset < bytes.count, code == 0 {
          let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
          if count >= 0 { offset += count } else if errno != EINTR { code = errno }
        }
      }
      if code == 0 { setAttributes() }
      if code == 0, fsync(descriptor) != 0 { code = errno }
      if close(descriptor) != 0, code == 0 { code = errno }
      guard code == 0 else { throw .system(name: name, code: code) }
    }

    /// Copies the mode, the owner and the extended attributes, as far as that is allowed.
    private static func copyAttributes(from path: [UInt8], to copy: [UInt8]) {
      let (source, target) = (path.withCPath { g_file_new_for_path($0) }, copy.withCPath { g_file_new_for_path($0) })
      defer { for file in [source, target] { g_object_unref(UnsafeMutableRawPointer(file)) } }
      g_file_copy_attributes(
        source, target, GFileCopyFlags(rawValue: G_FILE_COPY_ALL_METADATA.rawValue), nil, nil)
      // The old time was copied, too.
      _ = copy.withCPath { utimensat(AT_FDCWD, $0, nil, 0) }
    }

    /// Makes the rename durable. If that fails, the disk has the old or the new file after a crash.
    private static func synchronize(_ folder: [UInt8]) {
      let descriptor = folder.withCPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
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
