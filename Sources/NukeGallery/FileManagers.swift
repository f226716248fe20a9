#if GTK
  import Foundation
  import NukeGTK

  /// Shows files in the desktop's file manager.
  enum FileManagers {
    /// The time to wait for an answer, in milliseconds.
    private static let timeout: gint = 5000

    /// Shows the folder of a file with the file selected, by the D-Bus interface of file managers. Returns `false` if there
    /// is none. Blocks the calling thread.
    static func show(_ url: URL) -> Bool {
      guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return false }
      defer { g_object_unref(UnsafeMutableRawPointer(bus)) }
      let address = url.absoluteString.withCString { text in
        var addresses: [UnsafePointer<CChar>?] = [text]
        return g_variant_new_strv(&addresses, 1)
      }
      // The second argument is an identification for the desktop's startup notification.
      var arguments: [OpaquePointer?] = [address, g_variant_new_string("")]
      let result = g_dbus_connection_call_sync(
        bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1",
        "ShowItems", g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, timeout, nil, nil)
      if let result { g_variant_unref(result) }
      return result != nil
    }

    /// Opens the folder of a file in the default application for folders.
    @MainActor static func openFolder(of url: URL) throws(PhotoFailure) {
      let context = gdk_display_get_default().flatMap { gdk_display_get_app_launch_context($0) }
      defer { if let context { g_object_unref(UnsafeMutableRawPointer(context)) } }
      var error: UnsafeMutablePointer<GError>?
      let folder = url.deletingLastPathComponent().absoluteString
      guard
        g_app_info_launch_default_for_uri(
          folder, context.map { UnsafeMutablePointer<GAppLaunchContext>($0) }, &error) != 0
      else { throw .launch(application: "The file manager", reason: GLibError.takeText(of: error)) }
    }
  }
#endif
