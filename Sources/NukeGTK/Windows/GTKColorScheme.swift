#if GTK
  import CNukeGTK

  /// The light or dark style of all windows of the program.
  public enum GTKColorScheme: Sendable {
    /// The style that the desktop prefers, also when it changes. Without a preference, GTK's own settings apply.
    case desktop
    case light
    case dark

    private static let schema = "org.gnome.desktop.interface"
    private static let key = "color-scheme"
    private static let property = "gtk-application-prefer-dark-theme"
    /// GTK's own setting; `nil` until the first call.
    @MainActor private static var isDarkInitially: Bool?

    /// Applies the style to the default display. Call it on the main thread, after `gtk_init`.
    ///
    /// The preference of the desktop is the key `color-scheme` of `org.gnome.desktop.interface`. Where it does not exist,
    /// ``desktop`` restores GTK's own setting. The environment variable `GTK_THEME` takes precedence.
    @MainActor public func apply() {
      guard let display = gdk_display_get_default(), let settings = gtk_settings_get_for_display(display) else {
        return
      }
      let isDarkInitially = Self.isDarkInitially ?? isDarkStyle(of: display)
      Self.isDarkInitially = isDarkInitially
      g_settings_unbind(UnsafeMutableRawPointer(settings), Self.property)
      switch self {
      case .light: setDarkStyle(false, of: display)
      case .dark: setDarkStyle(true, of: display)
      case .desktop:
        // Where there is no preference, an earlier style must not stay.
        setDarkStyle(isDarkInitially, of: display)
        Self.follow(for: settings, isDarkInitially: isDarkInitially)
      }
    }

    @MainActor private static func follow(for settings: OpaquePointer, isDarkInitially: Bool) {
      // Opening a schema that is not installed ends the program.
      guard let source = g_settings_schema_source_get_default(),
        let schema = g_settings_schema_source_lookup(source, schema, 1)
      else { return }
      defer { g_settings_schema_unref(schema) }
      guard g_settings_schema_has_key(schema, key) != 0, let preferences = g_settings_new(Self.schema) else { return }
      g_settings_bind_with_mapping(
        preferences, key, UnsafeMutableRawPointer(settings), property, G_SETTINGS_BIND_GET,
        { value, scheme, initial in
          let name = g_variant_get_string(scheme, nil).map { String(cString: $0) }
          let isDark = name == "prefer-dark" || (name != "prefer-light" && initial != nil)
          g_value_set_boolean(value, isDark ? 1 : 0)
          return 1
        }, nil, UnsafeMutableRawPointer(bitPattern: isDarkInitially ? 1 : 0), nil)
      // The binding has a reference of its own.
      g_object_unref(preferences)
    }
  }
#endif
