#if GTK
  import NukeGTK

  extension UnsafeMutablePointer<GtkWidget> {
    /// Says what a widget is, to those who see it by its tooltip and to those who do not.
    @MainActor func setLabel(_ text: String) {
      gtk_widget_set_tooltip_text(self, text)
      var property = GTK_ACCESSIBLE_PROPERTY_LABEL
      var value = GValue()
      gtk_accessible_property_init_value(property, &value)
      g_value_set_string(&value, text)
      gtk_accessible_update_property_value(OpaquePointer(self), 1, &property, &value)
      g_value_unset(&value)
    }
  }
#endif
