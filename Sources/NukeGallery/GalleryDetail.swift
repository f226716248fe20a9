#if GTK
  import Foundation
  import NukeGTK

  /// A single image at the size of the window, which can be enlarged, and its properties. It starts with the thumbnail of
  /// the grid.
  @MainActor final class GalleryDetail {
    let widget: Widget
    let viewer: ImageViewer
    let properties: PropertiesPanel
    /// Called when a photo begins to load, and when it or the reason of its failure is shown.
    var onLoading: (@MainActor (_ isLoaded: Bool) -> Void)?
    private let caption = Make.label(classes: "dim-label")
    private let photo: Widget
    private let prefetcher: ImagePrefetcher
    /// The photos to prefetch when the one that is shown is complete.
    private var neighbors: @MainActor () -> [URL] = { [] }
    /// The number of changes of files that have changed, which makes a part of their keys in the caches.
    private var revisions: [URL: Int] = [:]

    init(options: ImageLoadingOptions) {
      viewer = ImageViewer(options: options)
      properties = PropertiesPanel(pipeline: options.pipeline ?? .shared)
      prefetcher = ImagePrefetcher(pipeline: options.pipeline ?? .shared)
      photo = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8, [viewer.widget, caption], classes: "detail")
      widget = Make.box(GTK_ORIENTATION_HORIZONTAL, [photo, properties.widget])
      gtk_widget_set_vexpand(viewer.widget, 1)
      gtk_widget_set_hexpand(photo, 1)
    }

    /// The request of a photo, without the resizing to the window.
    func request(for url: URL) -> ImageRequest {
      var request = ImageRequest(url: url)
      if let revision = revisions[url] { request.imageID = "\(url.absoluteString)#\(revision)" }
      return request
    }

    /// - Parameter neighbors: returns the photos that are likely to be shown next, which are prefetched when the photo is
    ///   complete. A folder may have been listed by then.
    func show(_ url: URL, neighbors: @escaping @MainActor () -> [URL] = { [] }) {
      caption.setText(nil)
      prefetcher.stopPrefetching()
      self.neighbors = neighbors
      let view = viewer.view
      // The thumbnail of a changed file may be the old one.
      view.options.placeholder =
        revisions[url] == nil ? view.pipeline.cache[GalleryGrid.thumbnail(url)]?.image : nil
      view.options.contentModes = .init(success: .aspectFit, failure: .center, placeholder: .aspectFit)
      view.onSuccess = { [weak self] response in self?.didLoad(response) }
      view.onCompletion = { [weak self] _ in self?.onLoading?(true) }
      onLoading?(false)
      viewer.show(request(for: url), named: url.displayName)
      properties.show(url)
    }

    /// Notes that the file of a photo has changed, so that cached images of it are not used.
    func didChange(_ url: URL) { revisions[url, default: 0] += 1 }

    private func didLoad(_ response: ImageResponse) {
      let size = "\(response.image.pixelWidth) × \(response.image.pixelHeight) pixels"
      caption.setText("\(size)  ·  \(source(of: response))")
      // The data of a web image is in the cache now.
      if response.request.url?.isFileURL == false { properties.show(response.request.url) }
      // At the same size, so that the view finds them in memory.
      let requests = neighbors().map { url in
        var request = request(for: url)
        request.processors = response.request.processors
        return request
      }
      prefetcher.startPrefetching(with: requests)
    }

    private func source(of response: ImageResponse) -> String {
      switch response.cacheType {
      case .memory: "from memory"
      case .disk: "from disk"
      case nil: response.request.url?.isFileURL == true ? "from its file" : "from the network"
      }
    }

    /// Fills the screen with the photo, on black.
    var isFullScreen = false {
      didSet {
        caption.setVisible(!isFullScreen)
        let set = isFullScreen ? gtk_widget_add_css_class : gtk_widget_remove_css_class
        set(photo, "full-screen")
      }
    }

    // MARK: Zoom

    func zoomIn() { viewer.zoomIn() }
    func zoomOut() { viewer.zoomOut() }
    func fit() { viewer.zoom = 1 }

    /// Cancels the load and releases the image.
    func clear() {
      prefetcher.stopPrefetching()
      neighbors = { [] }
      viewer.show(nil)
      properties.show(nil)
    }
  }
#endif
