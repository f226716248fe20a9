#if GTK
  import Foundation
  import NukeGTK

  /// The style of the gallery.
  @MainActor enum GalleryStyle {
    private static let css = """
      .cell { padding: 10px 8px 6px 8px; }
      .cell label { font-size: 0.85em; opacity: 0.8; }
      .thumbnail { border-radius: 8px; outline: 1px solid alpha(currentColor, 0.12); outline-offset: -1px; }
      gridview { padding: 12px; background: transparent; }
      gridview > child { border-radius: 12px; padding: 2px; }
      gridview > child:selected { background: alpha(currentColor, 0.1); color: inherit; }
      .detail { padding: 16px; }
      .detail.full-screen { padding: 0; background: black; color: white; }
      .notice { padding: 6px 6px 6px 18px; margin: 18px; border-radius: 12px; }
      .properties { padding: 18px; }
      .properties .caption { margin-top: 10px; font-size: 0.85em; }
      .heading { font-weight: 700; }
      .statistics .heading { margin-top: 10px; margin-bottom: 2px; }
      .empty image { opacity: 0.5; }
      .title-3 { font-size: 1.3em; font-weight: 600; }
      .statistics { padding: 18px; min-width: 200px; border-left: 1px solid alpha(currentColor, 0.12); font-feature-settings: "tnum"; }
      """

    static func apply(_ scheme: GTKColorScheme) {
      guard let display = gdk_display_get_default() else { return }
      let provider: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()
      gtk_css_provider_load_from_data(provider, css, -1)
      gtk_style_context_add_provider_for_display(
        display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
      g_object_unref(provider)
      scheme.apply()
    }

    /// The placeholder of an unknown image: a gray that suits both styles.
    static let ground = PlatformImage(pixelWidth: 1, pixelHeight: 1, isOpaque: false) { bytes in
      // Premultiplied.
      for (place, value) in [32, 32, 32, 64].enumerated() { bytes[place] = UInt8(value) }
    }
  }
#endif
