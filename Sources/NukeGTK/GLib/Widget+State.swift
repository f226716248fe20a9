#if GTK
  import CNukeGTK

  extension UnsafeMutablePointer<GtkWidget> {
    var isPicture: Bool {
      withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
        g_type_check_instance_is_a($0, gtk_picture_get_type()) != 0
      }
    }

    /// `true` if the widget is visible.
    var isMapped: Bool { gtk_widget_get_mapped(self) != 0 }

    /// Pixels per point.
    @MainActor var displayScale: Double { SurfaceScale.of(self) ?? Double(gtk_widget_get_scale_factor(self)) }

    /// `true` if the desktop's settings enable animations.
    var isMotionWanted: Bool {
      guard let settings = gtk_widget_get_settings(self) else { return true }
      var value = GValue()
      g_value_init(&value, nuke_gtk_boolean_type())
      defer { g_value_unset(&value) }
      let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
      g_object_get_property(object, "gtk-enable-animations", &value)
      return g_value_get_boolean(&value) != 0
    }

    /// Notifies assistive technologies whether the widget is loading.
    func setBusy(_ isBusy: Bool) {
      var state = GTK_ACCESSIBLE_STATE_BUSY
      var value = GValue()
      gtk_accessible_state_init_value(state, &value)
      g_value_set_boolean(&value, isBusy ? 1 : 0)
      gtk_accessible_update_state_value(OpaquePointer(self), 1, &state, &value)
      g_value_unset(&value)
    }

    /// Sets the tooltip and the label for assistive technologies.
    @MainActor package func setLabel(_ text: String) {
      SignalHandler.connectTooltip(self) { text }
      var property = GTK_ACCESSIBLE_PROPERTY_LABEL
      var value = GValue()
      gtk_accessible_property_init_value(property, &value)
      g_value_set_string(&value, text)
      gtk_accessible_update_property_value(OpaquePointer(self), 1, &property, &value)
      g_value_unset(&value)
    }
  }

  /// Returns `true` if GTK's settings select the dark style for a display.
  @MainActor func isDarkStyle(of display: OpaquePointer) -> Bool {
    guard let settings = gtk_settings_get_for_display(display) else { return false }
    var value = GValue()
    g_value_init(&value, nuke_gtk_boolean_type())
    defer { g_value_unset(&value) }
    g_object_get_property(UnsafeMutablePointer<GObject>(settings), "gtk-application-prefer-dark-theme", &value)
    return g_value_get_boolean(&value) != 0
  }

  /// Selects the dark or the light style for a display.
  @MainActor package func setDarkStyle(_ isDark: Bool, of display: OpaquePointer) {
    guard let settings = gtk_settings_get_for_display(display) else { return }
    var value = GValue()
    g_value_init(&value, nuke_gtk_boolean_type())
    g_value_set_boolean(&value, isDark ? 1 : 0)
    g_object_set_property(
      UnsafeMutablePointer<GObject>(settings), "gtk-application-prefer-dark-theme", &value)
    g_value_unset(&value)
  }
#endif
