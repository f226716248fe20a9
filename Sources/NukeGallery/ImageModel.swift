#if GTK
  import Foundation
  import Glibc
  import NukeGTK

  /// The images of a gallery as a list model: those that are named, in order, and then those of folders, the most recent
  /// first. A single file that is opened is among those of its folder.
  ///
  /// Folders are listed on a thread, and their images are inserted in a few batches. Rows on screen stay where they are.
  @MainActor final class ImageModel {
    /// A `GListModel`. Functions that take ownership need a reference.
    private(set) lazy var list = PhotoListModel.make(self)
    /// The items that lists have.
    let items = PhotoItems()
    private var store = PhotoStore()
    private var order: [PhotoStore.ID] = []
    /// The number of named images, which are at the beginning of `order`.
    private var namedCount = 0
    private var scan: Scan?
    private var keys = SearchKeys()

    /// The subfolders that could not be read.
    private(set) var unreadableFolders: [String] = []
    /// Called when the times of named images became known, which may match a search now.
    var didLearnTimes: (@MainActor () -> Void)?
    /// Called before images are inserted. Returns an image on screen that has to stay where it is; `nil` for none.
    var willInsert: (@MainActor () -> PhotoStore.ID?)?
    /// Called when images were inserted or removed, or when all folders are listed.
    var onChange: (@MainActor () -> Void)?

    /// - Parameters:
    ///   - urls: the named images.
    ///   - opensFile: `true` if they are a single file, which has its place among the images of its folder.
    init(_ urls: [URL], opensFile: Bool = false) {
      for url in urls {
        let id = opensFile ? store.append(PhotoStore.path(of: url)) : store.append(url)
        if let id { order.append(id) }
      }
      namedCount = opensFile ? 0 : order.count
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

    func url(of item: UnsafeMutableRawPointer) -> URL? { PhotoItems.id(of: item).flatMap { store.url($0) } }

    func name(of item: UnsafeMutableRawPointer) -> String? { PhotoItems.id(of: item).map { store.displayName($0) } }

    func matches(_ search: ImageSearch, _ item: UnsafeMutableRawPointer) -> Bool {
      PhotoItems.id(of: item).map { id in
        keys.withKey(of: id, in: store) { search.matches($0, modified: store.modified(id)) }
      } ?? false
    }

    // MARK: Folders

    /// `true` until all folders are listed.
    var isListing: Bool { scan != nil }

    /// Adds the images of folders, and looks up the times of named images.
    ///
    /// - Parameters:
    ///   - files: the paths of named images, which are left out of folders.
    ///   - listsSubfolders: `false` to add only the images directly in the folders.
    func add(_ folders: [[UInt8]], without files: Set<[UInt8]>, listsSubfolders: Bool = true) {
      guard !folders.isEmpty || !files.isEmpty, scan == nil else { return }
      scan = Scan(
        store, folders, without: files, listsSubfolders: listsSubfolders,
        receiveTimes: { [weak self] in self?.receive($0) }, receive: { [weak self] in self?.receive($0) })
    }

    func receive(_ times: [Scan.Time]) {
      for time in times { store.setModified(time.modified, of: time.id) }
      if !times.isEmpty { didLearnTimes?() }
    }

    func receive(_ batch: FolderScan.Batch) {
      let added = store.append(batch.store)
      unreadableFolders += batch.unreadable
      if batch.isLast { scan = nil }
      // The store may be full.
      let order = added.count == batch.store.count ? batch.order.map { $0 + added.lowerBound } : []
      insert(order, keeping: willInsert?())
      onChange?()
    }

    /// The images between two rows that are kept, before and after an insertion.
    private struct Gap {
      let old: Range<Int>
      let new: Range<Int>
    }

    /// Returns the rows that GTK should keep for another one to stay where it is: that one, the first and the last. GTK
    /// looks for rows among all images that a message replaces, which is fast between these.
    private func rows(around anchor: PhotoStore.ID?) -> Set<PhotoStore.ID> {
      let last = order.last(where: items.contains)
      let first = anchor == nil ? nil : order.first(where: items.contains)
      return Set([first, anchor, last].compactMap { $0 })
    }

    /// Merges sorted images into the list.
    ///
    /// GTK binds rows after each message, so one for each image would take seconds. Instead, a message replaces
    /// everything between two rows that are kept.
    private func insert(_ images: [PhotoStore.ID], keeping anchor: PhotoStore.ID?) {
      guard !images.isEmpty else { return }
      var merged: [PhotoStore.ID] = []
      merged.reserveCapacity(order.count - namedCount + images.count)
      var gaps: [Gap] = []
      let kept = rows(around: anchor)
      var (start, next) = (Gap(old: namedCount..<namedCount, new: 0..<0), 0)
      for position in namedCount..<order.count {
        let old = order[position]
        while next < images.count, store.precedes(images[next], old) {
          merged.append(images[next])
          next += 1
        }
        if kept.contains(old) {
          gaps.append(Gap(old: start.old.upperBound..<position, new: start.new.upperBound..<merged.count))
          start = Gap(old: position..<position + 1, new: merged.count..<merged.count + 1)
        }
        merged.append(old)
      }
      merged += images[next...]
      gaps.append(Gap(old: start.old.upperBound..<order.count, new: start.new.upperBound..<merged.count))
      // Backward, so that the positions of earlier gaps stay the same. Messages have to match the list.
      for gap in gaps.reversed() where gap.old.count != gap.new.count {
        order.replaceSubrange(gap.old, with: merged[gap.new])
        g_list_model_items_changed(list, guint(gap.old.lowerBound), guint(gap.old.count), guint(gap.new.count))
      }
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
      items.forget(id)
      g_list_model_items_changed(list, guint(position), 1, 1)
    }

    /// Returns the image at a URL. It compares the URLs of all images, which takes some milliseconds for 100,000.
    func id(of url: URL) -> PhotoStore.ID? { store.first(url, in: order) }
  }

  /// The thread that lists folders.
  final class Scan: Sendable {
    /// The modification time of a named image.
    struct Time {
      let id: PhotoStore.ID
      /// In nanoseconds since 1970.
      let modified: Int64
    }

    private let isCancelled = Lock(false)

    /// - Parameters:
    ///   - named: the named images.
    ///   - receiveTimes: receives their times on the main actor, before all batches.
    ///   - receive: receives the batches on the main actor.
    init(
      _ named: PhotoStore, _ folders: [[UInt8]], without files: Set<[UInt8]>, listsSubfolders: Bool,
      receiveTimes: @escaping @MainActor ([Time]) -> Void, receive: @escaping @MainActor (FolderScan.Batch) -> Void
    ) {
      let thread = Thread { [self] in
        let times = files.isEmpty ? [] : Self.times(named)
        DispatchQueue.main.async { MainActor.assumeIsolated { receiveTimes(times) } }
        let isCancelled = { self.isCancelled.withLock { $0 } }
        FolderScan.run(folders, without: files, listsSubfolders: listsSubfolders, isCancelled: isCancelled) { batch in
          DispatchQueue.main.async { MainActor.assumeIsolated { receive(batch) } }
        }
      }
      thread.name = "nuke.folders"
      thread.start()
    }

    static func times(_ named: PhotoStore) -> [Time] {
      (0..<PhotoStore.ID(named.count)).compactMap { id in
        var status = stat()
        guard let url = named.url(id), url.isFileURL, PhotoStore.path(of: url).withCPath({ stat($0, &status) }) == 0
        else { return nil }
        return Time(id: id, modified: status.modified)
      }
    }

    func cancel() { isCancelled.withLock { $0 = true } }
  }
#endif
