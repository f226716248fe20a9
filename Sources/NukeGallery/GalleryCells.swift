#if GTK
  import Foundation
  import NukeGTK

  /// The cells of the grid: an image, its name, and a button after a failure.
  @MainActor final class GalleryCells {
    private struct Cell {
      var url: URL?
      var name: String?
      let retry: Widget
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
      let retry: Widget = gtk_button_new_from_icon_name("view-refresh-symbolic")
      let picture = view.widget
      picture.add(classes: ["thumbnail"])
      gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN)
      gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
      gtk_label_set_max_width_chars(OpaquePointer(label), 18)
      retry.add(classes: ["circular"])
      retry.setLabel("This image could not be loaded. Try again")
      retry.align(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER)
      retry.setVisible(false)
      // The main child sets the size of the cell, whatever the size of the image.
      let ground = Make.box(GTK_ORIENTATION_HORIZONTAL)
      gtk_widget_set_size_request(ground, Int32(GalleryGrid.cell.width), Int32(GalleryGrid.cell.height))
      gtk_overlay_set_child(OpaquePointer(overlay), ground)
      for part in [picture, retry] { gtk_overlay_add_overlay(OpaquePointer(overlay), part) }
      let cell = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6, [overlay, label], classes: "cell")
      gtk_widget_set_halign(cell, GTK_ALIGN_CENTER)

      SignalHandler.connectTooltip(cell) { [weak self] in self?.cells[cell]?.name }
      cells[cell] = Cell(url: nil, name: nil, retry: retry, label: label, picture: picture)
      SignalHandler.connect(cell, "destroy") { [weak self] in self?.cells[cell] = nil }
      SignalHandler.connect(picture, "map") { [weak self] in self?.willAppear(cell) }
      SignalHandler.connect(retry, "clicked") { [weak self] in self?.retry(cell) }
      return cell
    }

    func bind(_ widget: Widget, to url: URL?, named name: String?) {
      cells[widget]?.url = url
      cells[widget]?.name = name
      guard let cell = cells[widget] else { return }
      cell.label.setText(name)
      cell.retry.setVisible(false)
      if gtk_widget_get_mapped(cell.picture) != 0 { willAppear(widget) }
    }

    /// Shows a placeholder, unless the image is in memory, where the list looks it up next.
    private func willAppear(_ widget: Widget) {
      guard let cell = cells[widget], let url = cell.url else { return }
      gtk_picture_set_alternative_text(OpaquePointer(cell.picture), cell.name)
      cell.retry.setVisible(false)
      let pipeline = options.pipeline ?? .shared
      if pipeline.cache.containsCachedImage(for: GalleryGrid.thumbnail(url), caches: .memory) {
        return observer.countMemoryHit()
      }
      let hash = observer.placeholder(of: url).flatMap { try? $0.image() }
      guard let image = hash ?? GalleryStyle.ground else { return }
      LazyImageView(picture: cell.picture)
        .display(
          ImagePresentation(container: ImageContainer(image: image), phase: .placeholder, contentMode: .aspectFill))
    }

    // MARK: Failures

    func mark(_ url: URL, hasFailed: Bool) {
      for cell in cells.values where cell.url == url {
        cell.retry.setVisible(hasFailed)
      }
    }

    private func retry(_ widget: Widget) {
      guard let cell = cells[widget] else { return }
      cell.retry.setVisible(false)
      LazyImageView(picture: cell.picture).retry()
    }
  }
#endif
