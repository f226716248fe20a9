#if Command
  import Foundation
  import Nuke

  /// Finds the images that arrive in a folder, and in the folders in it.
  ///
  /// A file has arrived when it is closed by a program that has written it, or is moved into the folder under its name. The
  /// system keeps a number of events. If there are more, the folder is searched again.
  package final class FolderWatch {
    /// What is known about the folder of a watch.
    private struct Folder {
      let path: String
      /// The path in the folder that the user named.
      let relative: String
      let identity: FileIdentity
    }

    /// The kinds of events. `IN_MOVED_FROM` and `IN_CREATE` are those of folders in the folder.
    private static let kinds = UInt32(
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    private let root: String
    private let output: String?
    private let isRecursive: Bool
    private let descriptor: Int32
    private var folders: [Int32: Folder] = [:]

    /// - Parameters:
    ///   - root: the folder.
    ///   - isRecursive: `true` to watch the folders in it, except hidden ones.
    ///   - output: the folder for results, which is not watched if it is in the folder.
    package init(_ root: String, isRecursive: Bool, except output: String?) throws {
      (self.root, self.output, self.isRecursive) = (root, output, isRecursive)
      descriptor = inotify_init1(Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { throw FileError("watch", root) }
    }

    deinit { close(descriptor) }

    /// Starts to watch, and returns the images that are there. Those that are being written follow as soon as they are
    /// closed.
    package func scan() throws -> [Source] {
      // Those that are still there keep their watches.
      folders = [:]
      return try scan(root, below: "")
    }

    /// Returns the next events. Waits for them on a separate thread.
    func events() async throws(FileError) -> [FolderEvent] {
      let (descriptor, root) = (descriptor, root)
      let result: Result<[FolderEvent], FileError> = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            returning: Result { () throws(FileError) in try Self.read(descriptor, named: root) })
        }
      }
      return try result.get()
    }

    /// Returns the images that have arrived by the events, each once, and those in new folders.
    ///
    /// - Throws: ``CommandFailure`` if the folder is not there anymore.
    func arrivals(_ events: [FolderEvent]) throws -> (arrived: [Source], found: [Source]) {
      var (arrived, found, known) = ([Source](), [Source](), Set<String>())
      for event in events {
        if event.isOf(IN_Q_OVERFLOW) { found += try scan() }
        guard let folder = folders[event.watch] else { continue }
        if event.isOf(IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT, IN_IGNORED) {
          guard folder.path != root else {
            throw CommandFailure("\(root) cannot be watched anymore: it was removed, moved or unmounted")
          }
          if event.isOf(IN_IGNORED) { folders[event.watch] = nil }
          continue
        }
        guard !event.name.isEmpty, event.name.utf8.first != UInt8(ascii: ".") else { continue }
        let path = folder.path + (folder.path.utf8.last == UInt8(ascii: "/") ? "" : "/") + event.name
        if event.isOf(IN_ISDIR) {
          if event.isOf(IN_MOVED_FROM) { forget(path) }
          if event.isOf(IN_MOVED_TO, IN_CREATE), isRecursive, !isOutput(path) {
            found += try scan(path, below: folder.relative.isEmpty ? event.name : folder.relative + "/" + event.name)
          }
        } else if event.isOf(IN_CLOSE_WRITE, IN_MOVED_TO), known.insert(path).inserted, isImage(path) {
          arrived.append(Source(text: path, location: .file(path: path), folder: folder.relative))
        }
      }
      return (arrived, found.filter { known.insert($0.text).inserted })
    }

    /// Watches a folder and the folders in it, and returns the images in them. They are watched before they are searched,
    /// so that no file is missed that arrives in between. Folders that are watched already are left out.
    private func scan(_ folder: String, below relative: String) throws -> [Source] {
      var scan = FolderScan(
        except: output, isRecursive: isRecursive, known: Set(folders.values.map(\.identity)))
      var failure: (any Error)?
      let sources = scan.sources(in: folder, below: relative) { path, relative in
        guard let status = path.fileStatus else { return }
        let watch = path.withSystemPath { inotify_add_watch(descriptor, $0, Self.kinds) }
        switch (watch, errno) {
        case (0..., _): folders[watch] = Folder(path: path, relative: relative, identity: FileIdentity(status))
        case (_, ENOSPC):
          failure = CommandFailure(
            "cannot watch \(path): there are too many folders (see the setting fs.inotify.max_user_watches of the system)"
          )
        // A folder in the folder may be gone already, or not be readable, which the scan reports.
        default: if path == root { failure = FileError("watch", path) }
        }
      }
      if let failure { throw failure }
      guard root != folder || folders.values.contains(where: { $0.path == root }) else {
        throw FileError("watch", root, code: ENOENT)
      }
      return sources.filter { $0.path.map(OpenFile.isBeingWritten) != true }
    }

    /// Stops to watch a folder that was moved away, and the folders in it. Their paths are not theirs anymore.
    private func forget(_ path: String) {
      for (watch, folder) in folders where folder.path == path || folder.path.utf8.starts(with: (path + "/").utf8) {
        inotify_rm_watch(descriptor, watch)
        folders[watch] = nil
      }
    }

    private func isOutput(_ path: String) -> Bool {
      guard let output = output?.fileStatus, let status = path.fileStatus else { return false }
      return FileIdentity(output) == FileIdentity(status)
    }

    private func isImage(_ path: String) -> Bool {
      path.fileStatus.map { $0.st_mode & S_IFMT } == S_IFREG && ImageFile.isImage(path)
    }

    private static func read(_ descriptor: Int32, named root: String) throws(FileError) -> [FolderEvent] {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        if count > 0 { return FolderEvent.events(in: Array(bytes[..<count])) }
        guard count < 0, errno == EINTR else { throw FileError("watch", root) }
      }
    }
  }

  /// Finds out whether another program writes a file.
  private enum OpenFile {
    /// The commands of fcntl(2), which are not in the headers without `_GNU_SOURCE`.
    private static let setLease: Int32 = 1024

    /// Returns `true` if a program has opened the file for writing. A lease for reading is not given then. `false` if the
    /// system does not tell, since the file is that of another user or on another machine.
    ///
    /// A program that opens the file for writing meanwhile causes SIGIO, which the process must ignore.
    static func isBeingWritten(_ path: String) -> Bool {
      let descriptor = path.withSystemPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else { return false }
      // That also gives back the lease.
      defer { close(descriptor) }
      return fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 && errno == EAGAIN
    }
  }
#endif
