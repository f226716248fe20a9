#if GTK
  import Foundation
  import NukeGTK

  /// A single image at the size of the window, which can be enlarged. It starts with the thumbnail of the grid.
  @MainActor final class GalleryDetail {
    let widget: Widget
    let viewer: ImageViewer
    private let caption = Make.label(classes: "dim-label")

    init(options: ImageLoadingOptions) {
      viewer = ImageViewer(options: options)
      widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8, [viewer.widget, caption], classes: "detail")
      gtk_widget_set_vexpand(viewer.widget, 1)
    }

    func show(_ url: URL) {
      caption.setText(nil)
      let view = viewer.view
      view.options.placeholder = view.pipeline.cache[GalleryGrid.thumbnail(url)]?.image
      view.options.contentModes = .init(success: .aspectFit, failure: .center, placeholder: .aspectFit)
      view.onSuccess = { [weak self] response in self?.didLoad(response) }
      viewer.show(ImageRequest(url: url), named: url.lastPathComponent)
    }

    private func didLoad(_ response: ImageResponse) {
      let size = "\(response.image.pixelWidth) × \(response.image.pixelHeight) pixels"
      caption.setText("\(size)  ·  \(source(of: response))")
    }

    private func source(of response: ImageResponse) -> String {
      switch response.cacheType {
      case .memory: "from memory"
      case .disk: "from disk"
      case nil: response.request.url?.isFileURL == true ? "from its file" : "from the network"
      }
    }

    // MARK: Zoom

    func zoomIn() { viewer.zoomIn() }
    func zoomOut() { viewer.zoomOut() }
    func fit() { viewer.zoom = 1 }

    /// Cancels the load and releases the image.
    func clear() { viewer.show(nil) }
  }
#endif
