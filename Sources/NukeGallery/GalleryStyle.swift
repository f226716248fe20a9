#if GTK
  import Foundation
  import NukeGTK

  /// How the gallery looks.
  @MainActor enum GalleryStyle {
    private static let css = """
      .cell { padding: 10px 8px 6px 8px; }
      .cell label { font-size: 0.85em; opacity: 0.8; }
      .picture { border-radius: 8px; }
      gridview { padding: 12px; background: transparent; }
      gridview > child { border-radius: 12px; }
      gridview > child:selected { background: alpha(currentColor, 0.1); color: inherit; }
      .detail { padding: 16px; }
      .title-3 { font-size: 1.3em; font-weight: 600; }
      .statistics { padding: 18px; min-width: 190px; font-feature-settings: "tnum"; }
      """

    static func apply(isDark: Bool) {
      guard let display = gdk_display_get_default() else { return }
      let provider: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()
      gtk_css_provider_load_from_data(provider, css, -1)
      gtk_style_context_add_provider_for_display(
        display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
      g_object_unref(provider)
      guard let settings = gtk_settings_get_for_display(display) else { return }
      var value = GValue()
      g_value_init(&value, g_type_from_name("gboolean"))
      g_value_set_boolean(&value, isDark ? 1 : 0)
      g_object_set_property(
        UnsafeMutablePointer<GObject>(settings), "gtk-application-prefer-dark-theme", &value)
      g_value_unset(&value)
    }

    /// A plain ground until a picture is there.
    static func placeholder(isDark: Bool) -> PlatformImage? { plain(isDark ? 70 : 222, side: 1) }

    /// A small square in the middle of what could not be loaded.
    static func failure(isDark: Bool) -> PlatformImage? { plain(isDark ? 110 : 180, side: 24) }

    private static func plain(_ gray: UInt8, side: Int) -> PlatformImage? {
      PlatformImage(pixelWidth: side, pixelHeight: side, isOpaque: true) { bytes in
        for place in bytes.indices { bytes[place] = place % 4 == 3 ? 255 : gray }
      }
    }
  }
#endif
