#if GTK
  import NukeGTK

  /// The selection of a grid, which follows its image when others are inserted or removed before it.
  @MainActor final class GridSelection {
    private let scrolled: Widget
    /// Waits for the first layout of the grid.
    private var firstLayout: FrameTicks?

    /// - Parameter scrolled: a scrolled window with a `GtkGridView`, whose selection is a `GtkSingleSelection`.
    init(of scrolled: Widget) { self.scrolled = scrolled }

    private var grid: Widget? { gtk_scrolled_window_get_child(OpaquePointer(scrolled)) }
    private var model: OpaquePointer? { grid.flatMap { gtk_grid_view_get_model(OpaquePointer($0)) } }

    /// The position of the selected image; 0 if there is none.
    var position: Int {
      get {
        guard let model else { return 0 }
        let position = gtk_single_selection_get_selected(model)
        return position < g_list_model_get_n_items(model) ? Int(position) : 0
      }
      set { if let model { gtk_single_selection_set_selected(model, guint(newValue)) } }
    }

    /// Scrolls to the selected image, and gives it the focus if its cell exists.
    func focus() {
      guard let grid else { return }
      firstLayout = nil
      // GTK would leave a grid empty that scrolls far before its first layout, which is one of the next frames.
      guard gtk_widget_get_height(grid) > 0 else {
        firstLayout = FrameTicks(grid) { [weak self] _ in
          guard gtk_widget_get_height(grid) > 0 else { return true }
          self?.focus()
          return false
        }
        return
      }
      gtk_widget_activate_action_variant(grid, "list.scroll-to-item", g_variant_new_uint32(guint32(position)))
      let cell = grid.children.first {
        gtk_widget_get_state_flags($0).rawValue & GTK_STATE_FLAG_SELECTED.rawValue != 0
      }
      if let cell { gtk_widget_grab_focus(cell) }
    }
  }
#endif
