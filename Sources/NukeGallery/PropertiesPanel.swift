#if GTK
  import Foundation
  import NukeGTK

  /// The properties of the photo beside it. Values can be selected and copied.
  @MainActor final class PropertiesPanel {
    let widget: Widget
    private let list = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 2, classes: "properties")
    private let pipeline: ImagePipeline
    private var url: URL?
    private var task: Task<Void, Never>?

    init(pipeline: ImagePipeline) {
      self.pipeline = pipeline
      widget = gtk_revealer_new()
      let scrolled: Widget = gtk_scrolled_window_new()
      gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
      gtk_scrolled_window_set_child(OpaquePointer(scrolled), list)
      gtk_revealer_set_child(OpaquePointer(widget), scrolled)
      gtk_revealer_set_transition_type(OpaquePointer(widget), GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT)
      // The labels wrap at this width, and the photo gets the rest.
      gtk_widget_set_size_request(list, 260, -1)
      gtk_widget_set_hexpand(widget, 0)
      widget.setVisible(false)
    }

    /// `true` if the panel is shown. Nothing is read while it is hidden.
    var isShown: Bool {
      get { gtk_revealer_get_reveal_child(OpaquePointer(widget)) != 0 }
      set {
        // A revealer without its child still takes the spacing of its box.
        widget.setVisible(newValue)
        gtk_revealer_set_reveal_child(OpaquePointer(widget), newValue ? 1 : 0)
        read()
      }
    }

    /// Shows the properties of another photo, or reads those of the same one again.
    func show(_ url: URL?) {
      self.url = url
      read()
    }

    private func read() {
      task?.cancel()
      guard isShown, let url else { return }
      let pipeline = pipeline
      task = Task { [weak self] in
        let properties = await offMainThread { PhotoProperties.read(url, in: pipeline) }
        if !Task.isCancelled { self?.show(properties) }
      }
    }

    private func show(_ properties: PhotoProperties) {
      list.removeChildren()
      for row in properties.rows {
        let title = Make.label(row.title, classes: "dim-label", "caption")
        let value = Make.label(row.value)
        for label in [title, value] { gtk_label_set_xalign(OpaquePointer(label), 0) }
        gtk_label_set_selectable(OpaquePointer(value), 1)
        gtk_label_set_wrap(OpaquePointer(value), 1)
        gtk_label_set_wrap_mode(OpaquePointer(value), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_max_width_chars(OpaquePointer(value), 30)
        list.append([title, value])
      }
    }
  }
#endif
