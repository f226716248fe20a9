#if GTK
  import Foundation
  import NukeGTK

  /// The cells of a grid: an image with its name below, and a button where it could not be loaded.
  @MainActor final class GalleryCells {
    private struct Cell {
      var url: URL?
      var name: String?
      let retry: UnsafeMutablePointer<GtkWidget>
      let label: OpaquePointer
      let picture: UnsafeMutablePointer<GtkWidget>
    }

    private let options: ImageLoadingOptions
    private let observer: GalleryObserver
    /// By the widget of the whole cell, as long as that lives.
    private var cells: [UnsafeMutablePointer<GtkWidget>: Cell] = [:]

    init(options: ImageLoadingOptions, observer: GalleryObserver) {
      self.options = options
      self.observer = observer
    }

    func make(_ view: LazyImageView) -> UnsafeMutablePointer<GtkWidget> {
      let cell: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
      let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
      let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new(nil)
      let retry: UnsafeMutablePointer<GtkWidget> = gtk_button_new_from_icon_name("view-refresh-symbolic")
      let picture = view.widget
      gtk_widget_add_css_class(cell, "cell")
      gtk_widget_set_halign(cell, GTK_ALIGN_CENTER)
      gtk_widget_add_css_class(picture, "picture")
      gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN)
      gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
      gtk_label_set_max_width_chars(OpaquePointer(label), 18)
      gtk_widget_add_css_class(retry, "circular")
      retry.setLabel("This image could not be loaded. Try again")
      gtk_widget_set_halign(retry, GTK_ALIGN_CENTER)
      gtk_widget_set_valign(retry, GTK_ALIGN_CENTER)
      gtk_widget_set_visible(retry, 0)
      // All cells are alike: an image that juts out of its own makes it no larger.
      let ground: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
      gtk_widget_set_size_request(ground, Int32(GalleryGrid.cell.width), Int32(GalleryGrid.cell.height))
      gtk_overlay_set_child(OpaquePointer(overlay), ground)
      for part in [picture, retry] { gtk_overlay_add_overlay(OpaquePointer(overlay), part) }
      for part in [overlay, label] { gtk_box_append(UnsafeMutablePointer(OpaquePointer(cell)), part) }

      Signal.connectTooltip(cell) { [weak self] in self?.cells[cell]?.name }
      cells[cell] = Cell(url: nil, name: nil, retry: retry, label: OpaquePointer(label), picture: picture)
      Signal.connect(cell, "destroy") { [weak self] in self?.cells[cell] = nil }
      Signal.connect(picture, "map") { [weak self] in self?.willAppear(cell) }
      Signal.connect(retry, "clicked") { [weak self] in self?.retry(cell) }
      return cell
    }

    func bind(_ widget: UnsafeMutablePointer<GtkWidget>, to url: URL?, named name: String?) {
      cells[widget]?.url = url
      cells[widget]?.name = name
      guard let cell = cells[widget] else { return }
      gtk_label_set_text(cell.label, name)
      gtk_widget_set_visible(cell.retry, 0)
      if gtk_widget_get_mapped(cell.picture) != 0 { willAppear(widget) }
    }

    /// Shows what is known of an image, which the list is about to look for in memory.
    private func willAppear(_ widget: UnsafeMutablePointer<GtkWidget>) {
      guard let cell = cells[widget], let url = cell.url else { return }
      gtk_picture_set_alternative_text(OpaquePointer(cell.picture), cell.name)
      gtk_widget_set_visible(cell.retry, 0)
      let pipeline = options.pipeline ?? .shared
      if pipeline.cache.containsCachedImage(for: GalleryGrid.thumbnail(url), caches: .memory) {
        return observer.countMemoryHit()
      }
      let likeness = observer.likeness(of: url).flatMap { try? $0.image() }
      guard let image = likeness ?? GalleryStyle.ground else { return }
      LazyImageView(picture: cell.picture)
        .display(
          ImagePresentation(container: ImageContainer(image: image), phase: .placeholder, contentMode: .aspectFill))
    }

    // MARK: Failures

    func mark(_ url: URL, hasFailed: Bool) {
      for cell in cells.values where cell.url == url {
        gtk_widget_set_visible(cell.retry, hasFailed ? 1 : 0)
      }
    }

    private func retry(_ widget: UnsafeMutablePointer<GtkWidget>) {
      guard let cell = cells[widget] else { return }
      gtk_widget_set_visible(cell.retry, 0)
      LazyImageView(picture: cell.picture).retry()
    }
  }
#endif
