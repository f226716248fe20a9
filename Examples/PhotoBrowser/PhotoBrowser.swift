#if GTK
  import Foundation
  import NukeGTK

  /// A browser for the photos of a folder: `swift run --traits GTK PhotoBrowser ~/Pictures`
  @main struct Program {
    @MainActor static func main() {
      let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? ".", isDirectory: true)
      let application = gtk_application_new("org.nuke.PhotoBrowser", G_APPLICATION_NON_UNIQUE)!
      GTKMainLoop.attach()
      var browser: PhotoBrowser?
      on(application, "activate") { browser = PhotoBrowser(PhotoBrowser.photos(in: folder), in: application) }
      let status = g_application_run(UnsafeMutablePointer(OpaquePointer(application)), 0, nil)
      withExtendedLifetime(browser) {}
      exit(status)
    }
  }

  /// A window with a grid of thumbnails, and a page with one photo that can be enlarged.
  ///
  /// Return or a click opens a photo, the arrow keys go to the next one, plus, minus or two fingers zoom, 0 fits the photo
  /// into the window, and Escape goes back.
  @MainActor final class PhotoBrowser {
    let window: UnsafeMutablePointer<GtkWindow>
    let photo = LazyImageView()
    private let photos: [URL]
    private let stack = OpaquePointer(gtk_stack_new()!)
    private let viewport = OpaquePointer(gtk_scrolled_window_new()!)
    private let selection: OpaquePointer
    private let factory: ListImageFactory
    private var opened: Int?
    /// The size of the photo in relation to that of the window.
    private(set) var zoom = 1.0

    /// The images of a folder and its subfolders, by name.
    static func photos(in folder: URL) -> [URL] {
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL]
      return (files ?? []).filter {
        ["jpg", "jpeg", "png", "webp", "heic", "avif"].contains($0.pathExtension.lowercased())
      }
      .sorted { $0.path < $1.path }
    }

    init(_ photos: [URL], in application: UnsafeMutablePointer<GtkApplication>) {
      self.photos = photos
      window = UnsafeMutablePointer(OpaquePointer(gtk_application_window_new(application)))
      let names = gtk_string_list_new(nil)
      for photo in photos { gtk_string_list_append(names, photo.lastPathComponent) }
      // The list model and the grid take ownership of what they are given.
      selection = gtk_single_selection_new(names)
      let thumbnail = CGSize(width: 160, height: 120)
      factory = ListImageFactory { item in
        ImageRequest(url: photos[item.position], processors: [.resize(size: thumbnail)])
      }
      factory.pictureSize = thumbnail
      // Screen readers read it, too.
      factory.bindRow = { row, item in gtk_widget_set_tooltip_text(row, photos[item.position].lastPathComponent) }
      g_object_ref(UnsafeMutableRawPointer(factory.pointer))
      let grid = gtk_grid_view_new(selection, factory.pointer)!
      layOut(grid)
      on(grid, "activate") { [unowned self] in open(Int(gtk_single_selection_get_selected(selection))) }
      addKeys()
      addZoomGesture()
      followColorScheme()
      show(nil)
      gtk_window_present(window)
    }

    private func layOut(_ grid: UnsafeMutablePointer<GtkWidget>) {
      gtk_grid_view_set_max_columns(OpaquePointer(grid), 12)
      let list = OpaquePointer(gtk_scrolled_window_new())
      gtk_scrolled_window_set_child(list, grid)
      gtk_scrolled_window_set_child(viewport, photo.widget)
      photo.contentMode = .aspectFit
      photo.resizesToAllocation = true
      photo.failureWidget = gtk_label_new("This photo cannot be shown.")
      gtk_stack_add_named(stack, UnsafeMutablePointer(list), "grid")
      gtk_stack_add_named(stack, UnsafeMutablePointer(viewport), "photo")
      gtk_stack_add_named(stack, gtk_label_new("There are no photos in this folder."), "empty")
      gtk_window_set_child(window, UnsafeMutablePointer(stack))
      gtk_window_set_default_size(window, 900, 640)
    }

    // MARK: Pages

    /// Shows the photo at a position; positions outside the folder have no effect.
    func open(_ position: Int) {
      guard photos.indices.contains(position) else { return }
      setZoom(1)
      photo.accessibleLabel = photos[position].lastPathComponent
      photo.url = photos[position]
      show(position)
    }

    /// Shows the grid, with the last photo selected.
    func close() {
      if let opened { gtk_single_selection_set_selected(selection, guint(opened)) }
      photo.reset()
      show(nil)
    }

    private func show(_ position: Int?) {
      opened = position
      let page = position != nil ? "photo" : photos.isEmpty ? "empty" : "grid"
      gtk_stack_set_visible_child_name(stack, page)
      gtk_window_set_title(window, position.map { photos[$0].lastPathComponent } ?? "Photos")
    }

    // MARK: Zoom

    /// - Parameter zoom: 1 for the size of the window, at most 8.
    func setZoom(_ zoom: Double) {
      self.zoom = min(max(zoom, 1), 8)
      let side = { (side: Int32) in self.zoom == 1 ? -1 : Int32(Double(side) * self.zoom) }
      let widget = UnsafeMutablePointer<GtkWidget>(viewport)
      gtk_widget_set_size_request(
        photo.widget, side(gtk_widget_get_width(widget)), side(gtk_widget_get_height(widget)))
    }

    private func addZoomGesture() {
      let gesture: OpaquePointer = gtk_gesture_zoom_new()
      var start = 1.0
      on(UnsafeMutableRawPointer(gesture), "begin") { [unowned self] in start = zoom }
      on(UnsafeMutableRawPointer(gesture), "scale-changed") { [unowned self] in
        setZoom(start * gtk_gesture_zoom_get_scale_delta(gesture))
      }
      gtk_widget_add_controller(UnsafeMutablePointer(viewport), gesture)
    }

    private func addKeys() {
      let keys: [(String, @MainActor (PhotoBrowser) -> Void)] = [
        ("Escape", { $0.close() }), ("Left", { $0.step(-1) }), ("Right", { $0.step(1) }),
        ("plus", { $0.setZoom($0.zoom * 1.25) }), ("minus", { $0.setZoom($0.zoom / 1.25) }), ("0", { $0.setZoom(1) }),
        ("<Control>w", { gtk_window_close($0.window) }), ("<Control>q", { gtk_window_close($0.window) }),
      ]
      let controller: OpaquePointer = gtk_shortcut_controller_new()
      for (trigger, action) in keys {
        let call = Handler { [unowned self] in action(self) }
        let callback = gtk_callback_action_new(
          { _, _, data in
            nonisolated(unsafe) let data = data
            MainActor.assumeIsolated { Handler.call(data) }
            return 1
          }, Unmanaged.passRetained(call).toOpaque(), { Unmanaged<Handler>.fromOpaque($0!).release() })
        gtk_shortcut_controller_add_shortcut(
          controller, gtk_shortcut_new(gtk_shortcut_trigger_parse_string(trigger), callback))
      }
      gtk_widget_add_controller(UnsafeMutablePointer(OpaquePointer(window)), controller)
    }

    func step(_ count: Int) { opened.map { open($0 + count) } }

    // MARK: Light and dark

    /// Follows the color scheme of the desktop, if its settings have one.
    private func followColorScheme() {
      let name = "org.gnome.desktop.interface"
      guard let schema = g_settings_schema_source_lookup(g_settings_schema_source_get_default(), name, 1) else {
        return
      }
      defer { g_settings_schema_unref(schema) }
      guard g_settings_schema_has_key(schema, "color-scheme") != 0 else { return }
      g_settings_bind_with_mapping(
        g_settings_new(name), "color-scheme", UnsafeMutableRawPointer(gtk_settings_get_default()),
        "gtk-application-prefer-dark-theme", G_SETTINGS_BIND_GET,
        { value, scheme, _ in
          g_value_set_boolean(value, String(cString: g_variant_get_string(scheme, nil)) == "prefer-dark" ? 1 : 0)
          return 1
        }, nil, nil, nil)
    }
  }

  // MARK: Signals

  /// A closure that GTK owns.
  final class Handler {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }

    @MainActor static func call(_ data: UnsafeMutableRawPointer?) {
      if let data { Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().body() }
    }
  }

  /// Calls a closure when an object emits a signal, until the object is disposed of.
  @MainActor func on(_ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping @MainActor () -> Void) {
    // With swapped arguments the data comes first, whatever else the signal has.
    let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
      nonisolated(unsafe) let data = data
      MainActor.assumeIsolated { Handler.call(data) }
    }
    g_signal_connect_data(
      object, signal, unsafeBitCast(call, to: GCallback.self), Unmanaged.passRetained(Handler(body)).toOpaque(),
      { data, _ in Unmanaged<Handler>.fromOpaque(data!).release() }, G_CONNECT_SWAPPED)
  }
#else
  @main struct Program {
    static func main() { print("PhotoBrowser: built without GTK; say `swift run --traits GTK PhotoBrowser`") }
  }
#endif
