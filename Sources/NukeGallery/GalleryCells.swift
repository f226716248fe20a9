#if GTK
  import Foundation
  import NukeGTK

  /// The cells of the grid: an image, its name, and the reason after a failure.
  @MainActor final class GalleryCells {
    private struct Cell {
      var url: URL?
      var name: String?
      let failure: FailurePage
      let label: Widget
      let picture: Widget
    }

    private let options: ImageLoadingOptions
    private let observer: GalleryObserver
    /// The cells by their widgets, until these are destroyed.
    private var cells: [Widget: Cell] = [:]

    init(options: ImageLoadingOptions, observer: GalleryObserver) {
      self.options = options
      self.observer = observer
    }

    func make(_ view: LazyImageView) -> Widget {
      let overlay: Widget = gtk_overlay_new()
      let label = Make.label()
      let picture = view.widget
      let failure = FailurePage(.cell) { [weak self] in self?.retry(picture) }
      picture.add(classes: ["thumbnail"])
      gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN)
      gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
      gtk_label_set_max_width_chars(OpaquePointer(label), 18)
      failure.isShown = false
      // The main child sets the size of the cell, whatever the size of the image.
      let ground = Make.box(GTK_ORIENTATION_HORIZONTAL)
      gtk_widget_set_size_request(ground, Int32(GalleryGrid.cell.width), Int32(GalleryGrid.cell.height))
      gtk_overlay_set_child(OpaquePointer(overlay), ground)
      for part in [picture, failure.widget] { gtk_overlay_add_overlay(OpaquePointer(overlay), part) }
      let cell = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6, [overlay, label], classes: "cell")
      gtk_widget_set_halign(cell, GTK_ALIGN_CENTER)

      SignalHandler.connectTooltip(cell) { [weak self] in self?.cells[cell]?.name }
      cells[cell] = Cell(url: nil, name: nil, failure: failure, label: label, picture: picture)
      SignalHandler.connect(cell, "destroy") { [weak self] in self?.cells[cell] = nil }
      SignalHandler.connect(picture, "map") { [weak self] in self?.willAppear(cell) }
      return cell
    }

    func bind(_ widget: Widget, to url: URL?, named name: String?) {
      cells[widget]?.url = url
      cells[widget]?.name = name
      guard let cell = cells[widget] else { return }
      cell.label.setText(name)
      cell.failure.isShown = false
      if gtk_widget_get_mapped(cell.picture) != 0 { willAppear(widget) }
    }

    /// Shows a placeholder, unless the image is in memory, where the list looks it up next.
    private func willAppear(_ widget: Widget) {
      guard let cell = cells[widget], let url = cell.url else { return }
      gtk_picture_set_alternative_text(OpaquePointer(cell.picture), cell.name)
      cell.failure.isShown = false
      let pipeline = options.pipeline ?? .shared
      if pipeline.cache.containsCachedImage(for: GalleryGrid.thumbnail(url), caches: .memory) {
        return observer.countMemoryHit()
      }
      let hash = observer.placeholder(of: url).flatMap { try? $0.image() }
      showPlaceholder(hash ?? GalleryStyle.ground, in: cell)
    }

    private func showPlaceholder(_ image: PlatformImage?, in cell: Cell) {
      guard let image else { return }
      LazyImageView(picture: cell.picture)
        .display(
          ImagePresentation(container: ImageContainer(image: image), phase: .placeholder, contentMode: .aspectFill))
    }

    // MARK: Failures

    /// Shows the reason for a failure on a plain ground, or hides that of an earlier one.
    func end(_ widget: Widget, with error: ImagePipeline.Error?) {
      guard let cell = cells[widget] else { return }
      if let error {
        showPlaceholder(GalleryStyle.ground, in: cell)
        cell.failure.set(error)
      }
      cell.failure.isShown = error != nil
    }

    private func retry(_ picture: Widget) {
      guard let cell = cells.values.first(where: { $0.picture == picture }), let url = cell.url else { return }
      cell.failure.isShown = false
      let observer = observer
      Task { [weak self] in
        // Its failure may be recorded, on a disk that may be slow.
        await offMainThread { observer.remove(url) }
        guard let self, cells.values.contains(where: { $0.picture == picture && $0.url == url }) else { return }
        LazyImageView(picture: picture).retry()
      }
    }
  }
#endif
