#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  import NukeImaging

  extension PictureBinding {
    /// The request to show.
    struct LoadRequest {
      let request: ImageRequest?
      let options: ImageLoadingOptions
      let handlers: Handlers
      /// `true` if its last load failed. The next load ignores caches, which may have recorded the failure.
      var hasFailed = false
    }

    /// The closures to call during the load.
    struct Handlers {
      /// Called with a load that does not finish immediately.
      var onStart: ((ImageTask) -> Void)?
      /// Called with a preview, if there is one, and the completed and total number of bytes.
      var onUpdate: ((ImageResponse?, Int64, Int64) -> Void)?
      /// Called when bytes have arrived.
      var onProgress: ((ImageTask.Progress) -> Void)?
      /// Called with each preview.
      var onPreview: ((ImageResponse) -> Void)?
      /// Called with the image, before `onCompletion`.
      var onSuccess: ((ImageResponse) -> Void)?
      /// Called with the error, before `onCompletion`, unless the load is canceled.
      var onFailure: ((ImagePipeline.Error) -> Void)?
      /// Called with the result, unless the load is canceled.
      var onCompletion: ((Result<ImageResponse, ImagePipeline.Error>) -> Void)?

      /// Calls the closures for progress and previews; `nil` if there are none.
      var progress: ((ImageResponse?, Int64, Int64) -> Void)? {
        guard onProgress != nil || onPreview != nil else { return onUpdate }
        return { [onUpdate, onProgress, onPreview] preview, completed, total in
          if let preview {
            onPreview?(preview)
          } else {
            onProgress?(ImageTask.Progress(completed: completed, total: total))
          }
          onUpdate?(preview, completed, total)
        }
      }
    }

    enum LoadingProgress {
      /// There is no request, or the load has failed or been canceled.
      case idle
      case loading
      /// The image is displayed.
      case loaded
      /// The load starts when the size of the widget is known.
      case waitingForSize
      /// The load was canceled since the widget is not visible, and starts again when it is.
      case suspended
    }

    /// Loads an image, as soon as its size is known if that is required.
    @discardableResult
    func load(_ loadRequest: LoadRequest) -> ImageTask? {
      guard !isDestroyed else { return nil }
      self.loadRequest = loadRequest
      return startLoading()
    }

    /// Repeats the last request.
    @discardableResult
    func startLoading(keepsImage: Bool = false) -> ImageTask? {
      guard !isDestroyed, let loadRequest else { return nil }
      loadCount += 1
      let load = loadCount
      var options = loadRequest.options
      var request = loadRequest.request
      if sizing.isEnabled, let wanted = request {
        guard let resized = resized(wanted, options) else {
          wait(options)
          return nil
        }
        request = resized
      }
      if loadRequest.hasFailed { request = request?.pastCaches }
      if let priority { request?.priority = priority }
      if keepsImage {
        options.placeholder = nil
        options.isPrepareForReuseEnabled = false
      }
      resizing = nil
      progress = .loading
      picture.setBusy(true)
      let task = Nuke.loadImage(with: request, options: options, into: self, progress: loadRequest.handlers.progress) {
        [weak self] result in
        self?.didComplete(result, loadRequest)
      }
      // A load from memory has finished by now, and its closures may have started another one.
      if progress == .loading, load == loadCount { self.task = task }
      if let task { loadRequest.handlers.onStart?(task) }
      return task
    }

    private func didComplete(_ result: Result<ImageResponse, ImagePipeline.Error>, _ loadRequest: LoadRequest) {
      progress = .idle
      task = nil
      picture.setBusy(false)
      let load = loadCount
      switch result {
      case .success(let response):
        self.loadRequest?.hasFailed = false
        progress = .loaded
        fallbackWidgets.show(.none)
        loadRequest.handlers.onSuccess?(response)
      case .failure(let error):
        self.loadRequest?.hasFailed = true
        if loadRequest.options.failureImage == nil { showNoImage(loadRequest.options) }
        loadRequest.handlers.onFailure?(error)
      }
      // The closure may have started another load.
      if load == loadCount { loadRequest.handlers.onCompletion?(result) }
    }

    /// Shows the failure widget, or else the placeholder if it replaces the failure image.
    private func showNoImage(_ options: ImageLoadingOptions) {
      if fallbackWidgets.failure != nil {
        fallbackWidgets.show(.failure)
      } else if showsPlaceholderOnFailure {
        if options.placeholder != nil { showPlaceholder(options) } else { fallbackWidgets.show(.placeholder) }
      }
    }

    /// Cancels the load. The widget stays unchanged.
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

    /// Cancels the load and removes the request.
    func forgetLoading() {
      stopLoading()
      loadRequest = nil
      progress = .idle
    }

    // MARK: Visibility

    func suspendLoading() {
      guard progress == .loading, task?.state == .running else { return }
      stopLoading()
      progress = .suspended
    }

    func resumeLoading() {
      if progress == .suspended { startLoading() }
    }

    // MARK: Size

    /// Returns the request with the size of the widget, or `nil` if the size is unknown.
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
        // The widget must not change during drawing.
        resizing = Timeout(after: 0) { [weak self] in self?.startLoading() }
      } else {
        reloadIfTooSmall()
      }
    }

    /// Loads the image again when the size of the widget has been stable for a moment.
    func reloadIfTooSmall() {
      guard progress == .loaded || progress == .loading, sizing.isTooSmall(displayScale: picture.displayScale) else {
        return
      }
      resizing = Timeout(after: 0.15) { [weak self] in self?.startLoading(keepsImage: true) }
    }
  }

  extension ImageRequest {
    /// The request without reading caches, unless only caches may be read.
    fileprivate var pastCaches: ImageRequest {
      var request = self
      if !options.contains(.returnCacheDataDontLoad) { request.options.insert(.reloadIgnoringCachedData) }
      return request
    }
  }
#endif
