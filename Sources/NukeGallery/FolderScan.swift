#if GTK
  import Foundation
  import Glibc

  /// Lists the photos of folders and their subfolders, in batches.
  ///
  /// Hidden files and folders are left out. Each folder is listed once, also if several links lead to it. Links are
  /// followed after all other folders, so that photos have the path without a link if there is one.
  struct FolderScan {
    /// Photos that were found since the last batch, the most recent first.
    struct Batch: Sendable {
      var store = PhotoStore()
      /// The order of the photos.
      var order: [PhotoStore.ID] = []
      /// The subfolders that could not be read.
      var unreadable: [String] = []
      /// `true` if there are no more batches.
      var isLast = false
    }

    /// The time between two batches in seconds: the first appears soon, and later ones are larger, because rows are laid
    /// out again after each.
    private struct Schedule {
      private var interval = 0.04
      private var last: Double
      private let now: () -> Double

      init(_ now: @escaping () -> Double) {
        self.now = now
        last = now()
      }

      mutating func isDue() -> Bool {
        guard now() - last >= interval else { return false }
        interval = min(interval * 4, 3)
        return true
      }

      /// Sorting a batch takes time as well.
      mutating func didSend() { last = now() }
    }

    private struct FileID: Hashable {
      let device: dev_t
      let inode: ino_t

      init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
    }

    /// The photos that are in the list already.
    private let known: Set<[UInt8]>
    private let listsSubfolders: Bool
    private let send: (Batch) -> Void
    private let isCancelled: () -> Bool
    private var schedule: Schedule
    private var batch = Batch()
    private var seen: Set<FileID> = []
    /// The folders to list, the next at the end.
    private var waiting: [[UInt8]] = []
    /// Links to folders.
    private var links: [[UInt8]] = []

    /// The number of files between two looks at the clock.
    private static let stride = 256

    /// Returns `true` if a scan of a photo's folder finds the photo: it is not hidden, and is a file or a link to one.
    ///
    /// - Parameter path: an absolute path with the extension of an image.
    static func finds(_ path: [UInt8]) -> Bool {
      var status = stat()
      let name = path.dropFirst(PhotoStore.folder(ofPath: path).count + 1)
      return name.first != UInt8(ascii: ".") && path.withCPath { stat($0, &status) } == 0
        && status.st_mode & S_IFMT == S_IFREG
    }

    /// Lists folders. It blocks until all are listed.
    ///
    /// - Parameters:
    ///   - folders: absolute paths.
    ///   - files: the absolute paths of photos to leave out.
    ///   - listsSubfolders: `false` to list only the photos directly in the folders.
    ///   - now: the time in seconds.
    ///   - isCancelled: returns `true` to end early, without a last batch.
    ///   - send: receives batches. The last one may be empty.
    static func run(
      _ folders: [[UInt8]], without files: Set<[UInt8]> = [], listsSubfolders: Bool = true,
      now: @escaping () -> Double = Self.now, isCancelled: @escaping () -> Bool = { false },
      send: @escaping (Batch) -> Void
    ) {
      var scan = FolderScan(files, listsSubfolders, now, isCancelled, send)
      for folder in folders {
        scan.waiting = [folder]
        while let next = scan.waiting.popLast(), !isCancelled() { scan.list(next) }
      }
      // More links may be found behind links.
      while !isCancelled(), let link = scan.links.popLast() {
        scan.waiting = [link]
        while let next = scan.waiting.popLast(), !isCancelled() { scan.list(next) }
      }
      if !isCancelled() { scan.sendBatch(isLast: true) }
    }

    static func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private init(
      _ known: Set<[UInt8]>, _ listsSubfolders: Bool, _ now: @escaping () -> Double,
      _ isCancelled: @escaping () -> Bool, _ send: @escaping (Batch) -> Void
    ) {
      self.known = known
      self.listsSubfolders = listsSubfolders
      self.isCancelled = isCancelled
      self.send = send
      schedule = Schedule(now)
    }

    // MARK: Folders

    private mutating func list(_ path: [UInt8]) {
      guard let folder = path.withCPath({ opendir($0) }) else { return noteUnreadable(path) }
      defer { closedir(folder) }
      var status = stat()
      guard fstat(dirfd(folder), &status) == 0 else { return noteUnreadable(path) }
      guard seen.insert(FileID(status)).inserted else { return }
      // The number of the folder in the batch; `nil` until it has a photo there.
      var place: Int32?
      var (count, subfolders) = (0, [[UInt8]]())
      errno = 0
      while let entry = readdir(folder) {
        let type = Int32(entry.pointee.d_type)
        withUnsafePointer(to: &entry.pointee.d_name) { tuple in
          let name = UnsafeRawPointer(tuple).assumingMemoryBound(to: CChar.self)
          let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
          guard bytes.first != UInt8(ascii: ".") else { return }
          let isPhoto = ImageList.isImage(bytes)
          // Most entries are neither folders nor photos, or tell that they are files.
          if type == DT_REG, !isPhoto { return }
          if type == DT_DIR {
            if listsSubfolders { subfolders.append(path + "/".utf8 + bytes) }
            return
          }
          var status = stat()
          guard fstatat(dirfd(folder), name, &status, 0) == 0 else { return }
          switch status.st_mode & S_IFMT {
          case S_IFDIR where !listsSubfolders: break
          case S_IFDIR where type == DT_LNK: links.append(path + "/".utf8 + bytes)
          case S_IFDIR: subfolders.append(path + "/".utf8 + bytes)
          case S_IFREG where isPhoto && !isKnown(path, bytes):
            let folder = place ?? batch.store.appendFolder(path)
            place = folder
            if let id = batch.store.append(bytes, in: folder, modified: status.modified) { batch.order.append(id) }
          default: break
          }
        }
        count += 1
        if count % Self.stride == 0 {
          if isCancelled() { return }
          if schedule.isDue() {
            sendBatch()
            place = nil
          }
        }
        errno = 0
      }
      if errno != 0 { noteUnreadable(path) }
      // Folders are listed by name, so that a photo with several paths always has the same one.
      waiting += subfolders.sorted { $1.lexicographicallyPrecedes($0) }
      if schedule.isDue() { sendBatch() }
    }

    private func isKnown(_ path: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
      !known.isEmpty && known.contains(path + "/".utf8 + name)
    }

    private mutating func noteUnreadable(_ path: [UInt8]) {
      batch.unreadable.append(String(decoding: path, as: UTF8.self))
    }

    private mutating func sendBatch(isLast: Bool = false) {
      let store = batch.store
      batch.order.sort { store.precedes($0, $1) }
      batch.isLast = isLast
      if isLast || !batch.order.isEmpty || !batch.unreadable.isEmpty { send(batch) }
      batch = Batch()
      schedule.didSend()
    }
  }

  extension stat {
    /// The modification time in nanoseconds since 1970. Times that do not fit are clamped.
    var modified: Int64 {
      let (nanoseconds, isTooLarge) = Int64(st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
      guard !isTooLarge else { return st_mtim.tv_sec < 0 ? .min + 1 : .max }
      let (sum, isStillTooLarge) = nanoseconds.addingReportingOverflow(Int64(st_mtim.tv_nsec))
      return isStillTooLarge ? .max : max(sum, .min + 1)
    }
  }

  extension [UInt8] {
    /// Calls a closure with a path as C functions take it.
    func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
      (isEmpty ? Array("/".utf8) + [0] : self + [0]).withUnsafeBytes {
        body($0.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
    }
  }
#endif
