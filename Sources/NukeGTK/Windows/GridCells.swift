#if GTK
  import CNukeGTK
  import Foundation
  import Nuke

  /// The cells of an image grid: an image, or the reason why there is none. The grid's widget retains this object, which
  /// has no references to widgets.
  @MainActor final class GridCells {
    private struct Cell {
      let picture: UnsafeMutablePointer<GtkWidget>
      let failure: FailurePage
      var name: String?
    }

    private let size: CGSize
    /// The cells by their widgets, until these are destroyed.
    private var cells: [UnsafeMutablePointer<GtkWidget>: Cell] = [:]

    private static let css = """
      .nuke-image-grid { padding: 6px; }
      .nuke-image-grid > child { padding: 4px; border-radius: 10px; }
      .nuke-image-grid > child:selected { background: alpha(currentColor, 0.15); color: inherit; }
      .nuke-image-cell { border-radius: 6px; background: alpha(currentColor, 0.07); }
      """
    private static var isStyled = false

    init(size: CGSize) {
      self.size = size
      Self.addStyle()
    }

    /// Adds the style of grids, with a priority above that of themes and below that of programs.
    private static func addStyle() {
      guard !isStyled, let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
      isStyled = true
      gtk_css_provider_load_from_data(provider, css, -1)
      gtk_style_context_add_provider_for_display(
        display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_SETTINGS))
      g_object_unref(provider)
    }

    func make(_ view: LazyImageView) -> UnsafeMutablePointer<GtkWidget> {
      let picture = view.picture
      let failure = FailurePage(.cell) { LazyImageView(picture: picture).retry() }
      failure.isShown = false
      // The main child has the size of the cell, whatever the size of the image.
      let ground = Widgets.column([])
      gtk_widget_set_size_request(ground, Int32(points: size.width), Int32(points: size.height))
      let cell = Widgets.made(gtk_overlay_new())
      gtk_widget_add_css_class(cell, "nuke-image-cell")
      gtk_widget_set_overflow(cell, GTK_OVERFLOW_HIDDEN)
      gtk_overlay_set_child(OpaquePointer(cell), ground)
      for part in [picture, failure.widget] { gtk_overlay_add_overlay(OpaquePointer(cell), part) }
      cells[cell] = Cell(picture: picture, failure: failure)
      SignalHandler.connectTooltip(cell) { [weak self] in self?.tooltip(of: cell) }
      SignalHandler.connect(cell, "destroy") { [weak self] in self?.cells[cell] = nil }
      // The load starts again when the cell is visible.
      SignalHandler.connect(picture, "map") { failure.isShown = false }
      return cell
    }

    func bind(_ widget: UnsafeMutablePointer<GtkWidget>, named name: String?) {
      cells[widget]?.name = name
      guard let cell = cells[widget] else { return }
      cell.failure.isShown = false
      gtk_picture_set_alternative_text(OpaquePointer(cell.picture), name)
    }

    /// Shows the reason for a failure, or hides that of an earlier one.
    func end(_ widget: UnsafeMutablePointer<GtkWidget>, with error: ImagePipeline.Error?) {
      guard let cell = cells[widget] else { return }
      if let error { cell.failure.set(error, of: cell.name) }
      cell.failure.isShown = error != nil
    }

    private func tooltip(of widget: UnsafeMutablePointer<GtkWidget>) -> String? {
      guard let cell = cells[widget] else { return nil }
      return cell.failure.isShown ? cell.failure.text : cell.name
    }

    /// The failures that are shown.
    var failures: [FailurePage] { cells.values.map(\.failure).filter(\.isShown) }
  }
#endif
