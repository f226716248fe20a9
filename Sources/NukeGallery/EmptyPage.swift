#if GTK
  import NukeGTK

  /// The page that is shown instead of a grid without images.
  @MainActor final class EmptyPage {
    let widget: Widget
    private let title = Make.label(classes: "title-3")
    private let text = Make.label(classes: "dim-label")
    private let icon = Make.icon(size: 96)

    init() {
      widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 12, [icon, title, text], classes: "empty")
      gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    }

    /// - Parameter isSearch: `true` if there are images, and none of them matches.
    func show(isSearch: Bool) {
      gtk_image_set_from_icon_name(
        OpaquePointer(icon), isSearch ? "system-search-symbolic" : "image-x-generic-symbolic")
      title.setText(isSearch ? "No Results Found" : "No Images")
      text.setText(
        isSearch
          ? "Try a different search."
          : "There are no images here. Pass another folder, an image, a URL or a list of these.")
    }
  }
#endif
