#if GTK
  import Foundation
  import NukeGTK

  /// The images of a gallery as a list model: those that are named, in order, and then those of folders, the most recent
  /// first.
  ///
  /// Folders are listed on a thread. Their images are inserted in slices of a few milliseconds, so that the window
  /// responds in the meantime. An image is never moved, so the rows on screen stay where they are.
  @MainActor final class ImageModel {
    /// A `GListModel`. Functions that take ownership need a reference.
    private(set) lazy var list = PhotoListModel.make(self)
    private var store = PhotoStore()
    private var order: [PhotoStore.ID] = []
    /// The number of named images, which are at the beginning of `order`.
    private var namedCount = 0
    /// The images of each batch that have not been inserted yet.
    private var pending: [ArraySlice<PhotoStore.ID>] = []
    private var timer: Timeout?
    private var scan: Scan?
    private var keys = SearchKeys()
    private let now: () -> Double

    /// The subfolders that could not be read.
    private(set) var unreadableFolders: [String] = []
    /// Called when images were inserted or removed, or when all folders are listed.
    var onChange: (@MainActor () -> Void)?

    /// The time for inserting images in one go, in seconds, and the time that is left to others.
    private static let slice = 0.002
    private static let pause = 0.004

    /// - Parameters:
    ///   - urls: the named images.
    ///   - now: the time in seconds.
    init(_ urls: [URL], now: @escaping () -> Double = FolderScan.now) {
      self.now = now
      for url in urls {
        if let id = store.append(url) { order.append(id) }
      }
      namedCount = order.count
      _ = list
    }

    isolated deinit {
      scan?.cancel()
      PhotoListModel.detach(list)
      g_object_unref(UnsafeMutableRawPointer(list))
    }

    // MARK: Values of images

    var count: Int { order.count }

    func id(at position: Int) -> PhotoStore.ID { order[position] }

    func url(of item: UnsafeMutableRawPointer) -> URL? { PhotoListModel.id(of: item).flatMap { store.url($0) } }

    func name(of item: UnsafeMutableRawPointer) -> String? { PhotoListModel.id(of: item).map { store.displayName($0) } }

    func matches(_ search: ImageSearch, _ item: UnsafeMutableRawPointer) -> Bool {
      PhotoListModel.id(of: item).map { id in keys.withKey(of: id, in: store) { search.matches($0) } } ?? false
    }

    // MARK: Folders

    /// `true` until all folders are listed and their images are inserted.
    var isListing: Bool { scan != nil || !pending.isEmpty }

    /// Adds the images of folders.
    func add(_ folders: [[UInt8]], without files: Set<[UInt8]>) {
      guard !folders.isEmpty, scan == nil else { return }
      scan = Scan(folders, without: files) { [weak self] in self?.receive($0) }
    }

    func receive(_ batch: FolderScan.Batch) {
      let first = store.append(batch.store).lowerBound
      if !batch.order.isEmpty { pending.append(batch.order.map { $0 + first }[...]) }
      unreadableFolders += batch.unreadable
      if batch.isLast { scan = nil }
      if timer == nil { insert() }
    }

    /// Inserts images until the time is up.
    private func insert() {
      timer = nil
      let end = now() + Self.slice
      while let images = pending.first {
        let rest = insertRun(of: images)
        if rest.isEmpty { pending.removeFirst() } else { pending[0] = rest }
        if now() >= end { break }
      }
      if !pending.isEmpty { timer = Timeout(after: Self.pause) { [weak self] in self?.insert() } }
      onChange?()
    }

    /// Inserts the first images that are neighbors in the list. Returns the others.
    private func insertRun(of images: ArraySlice<PhotoStore.ID>) -> ArraySlice<PhotoStore.ID> {
      guard let first = images.first else { return [] }
      var (position, end) = (namedCount, order.count)
      while position < end {
        let middle = (position + end) / 2
        if store.precedes(order[middle], first) { position = middle + 1 } else { end = middle }
      }
      let count =
        position == order.count
        ? images.count
        : images.firstIndex { store.precedes(order[position], $0) }.map { $0 - images.startIndex } ?? images.count
      let run = images.prefix(max(count, 1))
      order.insert(contentsOf: run, at: position)
      g_list_model_items_changed(list, guint(position), 0, guint(run.count))
      return images.dropFirst(run.count)
    }

    // MARK: Changes

    /// Removes an image that is gone.
    func remove(_ id: PhotoStore.ID) {
      guard let position = order.firstIndex(of: id) else { return }
      order.remove(at: position)
      if position < namedCount { namedCount -= 1 }
      g_list_model_items_changed(list, guint(position), 1, 0)
      onChange?()
    }

    /// Has the list bind an image again.
    func rebind(_ id: PhotoStore.ID) {
      guard let position = order.firstIndex(of: id) else { return }
      g_list_model_items_changed(list, guint(position), 1, 1)
    }

    /// Returns the image at a URL. It compares the URLs of all images, which takes some milliseconds for 100,000.
    func id(of url: URL) -> PhotoStore.ID? { store.first(url, in: order) }
  }

  /// The thread that lists folders.
  private final class Scan: Sendable {
    private let isCancelled = Lock(false)

    /// - Parameter receive: receives the batches on the main actor.
    init(
      _ folders: [[UInt8]], without files: Set<[UInt8]>, _ receive: @escaping @MainActor (FolderScan.Batch) -> Void
    ) {
      let thread = Thread { [self] in
        FolderScan.run(folders, without: files, isCancelled: { self.isCancelled.withLock { $0 } }) { batch in
          DispatchQueue.main.async { MainActor.assumeIsolated { receive(batch) } }
        }
      }
      thread.name = "nuke.folders"
      thread.start()
    }

    func cancel() { isCancelled.withLock { $0 = true } }
  }
#endif
