#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  import NukeImaging

  extension PictureBinding {
    /// The request to show.
    struct Order {
      let request: ImageRequest?
      let options: ImageLoadingOptions
      let handlers: Handlers
      /// `true` if its last load failed, after which caches are not believed that there is nothing.
      var hasFailed = false
    }

    /// The closures to call during the load.
    struct Handlers {
      /// Gets a load that is not over at once.
      var onStart: ((ImageTask) -> Void)?
      /// Gets a preview, if one has come, and the bytes loaded and in all.
      var onProgress: ((ImageResponse?, Int64, Int64) -> Void)?
      /// Gets the end, unless the load is canceled.
      var onCompletion: ((Result<ImageResponse, ImagePipeline.Error>) -> Void)?
    }

    enum LoadingProgress {
      /// Nothing was asked for, or the load has failed or been canceled.
      case idle
      case loading
      /// The image is shown.
      case loaded
      /// Put off until the size of the widget is known.
      case waitingForSize
      /// Given up since the widget is not to be seen; begins anew when it is.
      case suspended
    }

    /// Loads an image, at once unless its size has to be known first.
    @discardableResult
    func load(_ order: Order) -> ImageTask? {
      guard !isDestroyed else { return nil }
      self.order = order
      return startLoading()
    }

    /// Loads what was asked for last anew.
    @discardableResult
    func startLoading(keepsImage: Bool = false) -> ImageTask? {
      guard !isDestroyed, let order else { return nil }
      var options = order.options
      var request = order.request
      if sizing.isEnabled, let wanted = request {
        guard let resized = resized(wanted, options) else {
          wait(options)
          return nil
        }
        request = resized
      }
      if order.hasFailed { request = request?.pastCaches }
      if keepsImage {
        options.placeholder = nil
        options.isPrepareForReuseEnabled = false
      }
      resizing = nil
      progress = .loading
      picture.setBusy(true)
      let task = Nuke.loadImage(with: request, options: options, into: self, progress: order.handlers.onProgress) {
        [weak self] result in
        self?.didComplete(result, order)
      }
      // One that came from memory is over by now.
      if progress == .loading { self.task = task }
      if let task { order.handlers.onStart?(task) }
      return task
    }

    private func didComplete(_ result: Result<ImageResponse, ImagePipeline.Error>, _ order: Order) {
      progress = .idle
      task = nil
      picture.setBusy(false)
      switch result {
      case .success:
        self.order?.hasFailed = false
        progress = .loaded
        stand.show(.none)
      case .failure:
        self.order?.hasFailed = true
        if stand.failure != nil, order.options.failureImage == nil { stand.show(.failure) }
      }
      order.handlers.onCompletion?(result)
    }

    /// Gives the load up; the widget stays as it is.
    func cancelLoading() {
      stopLoading()
      if progress != .loaded { progress = .idle }
    }

    private func stopLoading() {
      resizing = nil
      task = nil
      cancelRequest(for: self)
      picture.setBusy(false)
    }

    /// Gives the load up, and forgets what it was.
    func forgetLoading() {
      stopLoading()
      order = nil
      progress = .idle
    }

    // MARK: Where the widget is not to be seen

    func suspendLoading() {
      guard progress == .loading, task?.state == .running else { return }
      stopLoading()
      progress = .suspended
    }

    func resumeLoading() {
      if progress == .suspended { startLoading() }
    }

    // MARK: Size

    /// The request at the size of the widget; `nil` as long as that is not known.
    private func resized(_ request: ImageRequest, _ options: ImageLoadingOptions) -> ImageRequest? {
      guard let size = sizing.request(displayScale: picture.displayScale) else { return nil }
      var request = request
      let pipeline = options.pipeline ?? .shared
      let processors = [request.processors, options.processors, pipeline.configuration.processors]
      request.processors = PixelSizing.processors(
        processors.first { !$0.isEmpty } ?? [], resizingTo: size,
        contentMode: options.contentModes?.success ?? contentMode)
      return request
    }

    private func wait(_ options: ImageLoadingOptions) {
      cancelRequest(for: self)
      progress = .waitingForSize
      if options.placeholder != nil || options.isPrepareForReuseEnabled { showPlaceholder(options) }
    }

    func showPlaceholder(_ options: ImageLoadingOptions) {
      display(
        ImagePresentation(
          container: options.placeholder.map { ImageContainer(image: $0) }, phase: .placeholder,
          contentMode: options.contentModes?.placeholder, tintColor: options.tintColors?.placeholder))
    }

    func didDraw(in size: CGSize) {
      guard sizing.draw(in: size) else { return }
      if progress == .waitingForSize {
        // Nothing may change while it is drawn.
        resizing = Timeout(after: 0) { [weak self] in self?.startLoading() }
      } else {
        reloadIfTooSmall()
      }
    }

    /// Loads the image anew, once the widget has not changed its size for a moment.
    func reloadIfTooSmall() {
      guard progress == .loaded || progress == .loading, sizing.isTooSmall(displayScale: picture.displayScale) else {
        return
      }
      resizing = Timeout(after: 0.15) { [weak self] in self?.startLoading(keepsImage: true) }
    }
  }

  extension ImageRequest {
    /// The same, asked of its source whatever caches remember of it, unless caches alone are to be asked.
    fileprivate var pastCaches: ImageRequest {
      var request = self
      if !options.contains(.returnCacheDataDontLoad) { request.options.insert(.reloadIgnoringCachedData) }
      return request
    }
  }
#endif
