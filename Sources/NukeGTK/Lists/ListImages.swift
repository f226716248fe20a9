#if GTK
  import CNukeGTK
  import Foundation
  import Nuke

  /// The rows of a list, and their loads. The signals of the factory retain it.
  @MainActor final class ListImages {
    typealias Item = ListImageFactory.Item

    /// The originals that were loaded. May be used on any thread.
    private final class LoadedOriginals: Sendable {
      private let originals = Lock(RecentSet<String>(limit: 8_192))

      func insert(_ request: ImageRequest) {
        if let original = request.imageID { originals.withLock { $0.insert(original) } }
      }

      func contains(_ request: ImageRequest) -> Bool {
        request.imageID.map { original in originals.withLock { $0.contains(original) } } ?? false
      }
    }

    let request: (Item) -> ImageRequest?
    var options: ImageLoadingOptions
    var contentMode = ImageContentMode.aspectFill
    var pictureSize = CGSize(width: 96, height: 96)
    var resizesToPictureSize = false
    var makeRow: ((LazyImageView) -> UnsafeMutablePointer<GtkWidget>)?
    var bindRow: ((UnsafeMutablePointer<GtkWidget>, Item) -> Void)?
    var rowDidLoad: ((UnsafeMutablePointer<GtkWidget>, Item, ImagePipeline.Error?) -> Void)?
    var schedule = ListSchedule()
    /// Returns the time in seconds.
    var now: () -> TimeInterval = { TimeInterval(g_get_monotonic_time()) / 1_000_000 }

    private var rows: [ListRow?] = []
    private let prefetcher: ImagePrefetcher
    /// The prefetched requests by row.
    private var ahead: [ListSchedule.Row: ImageRequest] = [:]
    /// The originals that were loaded or prefetched, and are not prefetched again.
    private let loadedOriginals: LoadedOriginals
    private var timer: Timeout?

    init(options: ImageLoadingOptions, request: @escaping (Item) -> ImageRequest?) {
      self.options = options
      self.request = request
      prefetcher = ImagePrefetcher(pipeline: options.pipeline ?? .shared, destination: .diskCache)
      let loadedOriginals = LoadedOriginals()
      self.loadedOriginals = loadedOriginals
      prefetcher.didEnd = { loadedOriginals.insert($0) }
    }

    /// The number of rows with an item.
    var boundCount: Int { rows.count { $0?.item != nil } }
    /// The number of rows with an image.
    var shownCount: Int { rows.count { $0?.binding.paintable.naturalSize != .zero && $0 != nil } }

    // MARK: Signals of the factory

    func setUp(_ listItem: OpaquePointer) {
      let number = rows.firstIndex { $0 == nil } ?? rows.count
      let row = ListRow(number, in: self, listItem)
      if number == rows.count { rows.append(row) } else { rows[number] = row }
      schedule.add(number)
      row.attach(to: listItem)
      if options.placeholder != nil { row.binding.showPlaceholder(options) }
    }

    func bind(_ listItem: OpaquePointer) {
      var row: ListRow?
      let bindList = { [self] in
        row = ListRow.of(listItem)
        if let row { schedule.bind(row.number, to: Int(gtk_list_item_get_position(listItem))) }
      }
      let bindProgram = { [self] in
        if let bindRow, let row, let item = row.item { bindRow(row.widget, item) }
      }
      if let observer = Calls.observer {
        observer.bindRow(bindList, bindProgram)
      } else {
        bindList()
        bindProgram()
      }
      if let row, row.binding.picture.isMapped { rowDidMap(row) }
    }

    func unbind(_ listItem: OpaquePointer) {
      guard let row = ListRow.of(listItem) else { return }
      schedule.unbind(row.number)
      row.clear(options)
    }

    func tearDown(_ listItem: OpaquePointer) {
      guard let row = ListRow.of(listItem) else { return }
      schedule.unbind(row.number)
      if schedule.isMapped(row.number) { schedule.unmap(row.number, at: now()) }
      rows[row.number] = nil
      row.detach(from: listItem)
    }

    // MARK: Visibility

    func rowDidMap(_ row: ListRow) {
      schedule.map(row.number, at: now())
      if let request = wanted(by: row), isInMemory(request) {
        schedule.start(row.number)
        load(request, into: row)
      }
      wake()
    }

    func rowDidUnmap(_ row: ListRow) {
      schedule.unmap(row.number, at: now())
      // Invisible rows retain no pixels.
      row.clear(options)
      wake()
    }

    /// Returns the request of a row, with its processors.
    private func wanted(by row: ListRow) -> ImageRequest? {
      guard var wanted = row.item.flatMap(request) else { return nil }
      if wanted.processors.isEmpty { wanted.processors = options.processors }
      guard resizesToPictureSize else { return wanted }
      let scale = row.binding.picture.displayScale
      wanted.processors = PixelSizing.processors(
        wanted.processors, resizingTo: CGSize(width: pictureSize.width * scale, height: pictureSize.height * scale),
        contentMode: options.contentModes?.success ?? contentMode)
      return wanted
    }

    private func isInMemory(_ request: ImageRequest) -> Bool {
      (options.pipeline ?? .shared).cache.containsCachedImage(for: request, caches: .memory)
    }

    private func load(_ request: ImageRequest, into row: ListRow) {
      row.binding.contentMode = contentMode
      let onCompletion = {
        [loadedOriginals, weak self, weak row] (result: Result<ImageResponse, ImagePipeline.Error>) in
        var failure: ImagePipeline.Error?
        switch result {
        case .success: loadedOriginals.insert(request)
        case .failure(let error): failure = error
        }
        if let self, let row, let item = row.item { rowDidLoad?(row.widget, item, failure) }
      }
      row.binding.load(.init(request: request, options: options, handlers: .init(onCompletion: onCompletion)))
    }

    // MARK: Scheduling

    private func wake() {
      guard timer == nil, let next = schedule.nextChange else { return }
      timer = Timeout(after: next - now()) { [weak self] in self?.proceed() }
    }

    /// Performs the actions that are due.
    func proceed() {
      timer = nil
      let step = schedule.proceed(at: now())
      for number in step.starts {
        guard let row = rows[number], let request = wanted(by: row) else { continue }
        load(request, into: row)
      }
      if let wanted = step.ahead { fetch(wanted) }
      wake()
    }

    private func fetch(_ wanted: [ListSchedule.Row]) {
      var next: [ListSchedule.Row: ImageRequest] = [:]
      var added: [ImageRequest] = []
      var kept: Set<ImageCacheKey> = []
      for number in wanted {
        guard let request = rows[number]?.item.flatMap(request), !loadedOriginals.contains(request) else { continue }
        kept.insert(ImageCacheKey(request: request))
        next[number] = request
        added.append(request)
      }
      let gone = ahead.values.filter { !kept.contains(ImageCacheKey(request: $0)) }
      ahead = next
      prefetcher.stopPrefetching(with: gone)
      // The prefetcher ignores running requests.
      prefetcher.startPrefetching(with: added)
    }
  }
#endif
