#if GTK
  import Foundation
  import NukeGTK

  /// A single image at the size of the window. It starts with the thumbnail of the grid.
  @MainActor final class GalleryDetail {
    let widget: Widget
    private let view = LazyImageView()
    private let caption = Make.label(classes: "dim-label")
    private let reason = Make.label(classes: "dim-label")

    init(options: ImageLoadingOptions) {
      widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8, [view.widget, caption], classes: "detail")
      view.options = options
      view.contentMode = .aspectFit
      view.resizesToAllocation = true
      gtk_widget_set_vexpand(view.widget, 1)
      view.failureWidget = makeFailure()
    }

    private func makeFailure() -> Widget {
      let button: Widget = gtk_button_new_with_label("Try Again")
      gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
      gtk_label_set_wrap(OpaquePointer(reason), 1)
      gtk_label_set_max_width_chars(OpaquePointer(reason), 60)
      SignalHandler.connect(button, "clicked") { [weak self] in self?.view.retry() }
      let failure = Make.box(
        GTK_ORIENTATION_VERTICAL, spacing: 12,
        [
          Make.icon("image-missing-symbolic", size: 96),
          Make.label("The image could not be loaded", classes: "title-3"), reason, button,
        ], classes: "empty")
      failure.align(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
      return failure
    }

    func show(_ url: URL) {
      view.accessibleLabel = url.lastPathComponent
      caption.setText(nil)
      let pipeline = view.options.pipeline ?? .shared
      view.options.placeholder = pipeline.cache[GalleryGrid.thumbnail(url)]?.image
      view.options.contentModes = .init(success: .aspectFit, failure: .center, placeholder: .aspectFit)
      view.onCompletion = { [weak self] result in self?.didLoad(result) }
      view.url = url
    }

    private func didLoad(_ result: Result<ImageResponse, ImagePipeline.Error>) {
      switch result {
      case .success(let response):
        let size = "\(response.image.pixelWidth) × \(response.image.pixelHeight) pixels"
        caption.setText("\(size)  ·  \(source(of: response))")
      case .failure(let error): reason.setText("\(error)")
      }
    }

    private func source(of response: ImageResponse) -> String {
      switch response.cacheType {
      case .memory: "from memory"
      case .disk: "from disk"
      case nil: response.request.url?.isFileURL == true ? "from its file" : "from the network"
      }
    }

    /// Cancels the load and releases the image.
    func clear() { view.reset() }
  }
#endif
