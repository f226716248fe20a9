#if GTK
  import Foundation
  import NukeGTK

  /// One image, as large as the window: first as the grid has it, then sharp.
  @MainActor final class GalleryDetail {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let view = LazyImageView()
    private let caption: UnsafeMutablePointer<GtkWidget>
    private let reason: UnsafeMutablePointer<GtkWidget>

    init(options: ImageLoadingOptions) {
      widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8)
      caption = gtk_label_new(nil)
      reason = gtk_label_new(nil)
      view.options = options
      view.contentMode = .aspectFit
      view.resizesToAllocation = true
      gtk_widget_set_vexpand(view.widget, 1)
      gtk_widget_add_css_class(widget, "detail")
      gtk_widget_add_css_class(caption, "dim-label")
      let box = UnsafeMutablePointer<GtkBox>(OpaquePointer(widget))
      gtk_box_append(box, view.widget)
      gtk_box_append(box, caption)
      view.failureWidget = makeFailure()
    }

    private func makeFailure() -> UnsafeMutablePointer<GtkWidget> {
      let failure: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)
      let title: UnsafeMutablePointer<GtkWidget> = gtk_label_new("The image could not be loaded")
      let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("Try Again")
      let icon: UnsafeMutablePointer<GtkWidget> = gtk_image_new_from_icon_name("image-missing-symbolic")
      gtk_image_set_pixel_size(OpaquePointer(icon), 96)
      gtk_widget_add_css_class(failure, "empty")
      gtk_widget_add_css_class(title, "title-3")
      gtk_widget_add_css_class(reason, "dim-label")
      gtk_label_set_wrap(OpaquePointer(reason), 1)
      gtk_label_set_max_width_chars(OpaquePointer(reason), 60)
      gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
      gtk_widget_set_valign(failure, GTK_ALIGN_CENTER)
      gtk_widget_set_halign(failure, GTK_ALIGN_CENTER)
      for part in [icon, title, reason, button] { gtk_box_append(UnsafeMutablePointer(OpaquePointer(failure)), part) }
      Signal.connect(button, "clicked") { [weak self] in self?.view.retry() }
      return failure
    }

    func show(_ url: URL) {
      let name = url.lastPathComponent
      view.accessibleLabel = name
      gtk_label_set_text(OpaquePointer(caption), nil)
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
        gtk_label_set_text(OpaquePointer(caption), "\(size)  ·  \(source(of: response))")
      case .failure(let error):
        gtk_label_set_text(OpaquePointer(reason), "\(error)")
      }
    }

    private func source(of response: ImageResponse) -> String {
      switch response.cacheType {
      case .memory: "from memory"
      case .disk: "from disk"
      case nil: response.request.url?.isFileURL == true ? "from its file" : "from the network"
      }
    }

    /// Gives up what is being loaded, and lets go of the image.
    func clear() { view.reset() }
  }
#endif
