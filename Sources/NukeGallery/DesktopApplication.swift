#if GTK
  import Foundation
  import NukeGTK

  /// An application that the desktop knows.
  final class DesktopApplication: Sendable {
    let name: String
    /// A `GAppInfo`, which is immutable.
    private nonisolated(unsafe) let info: OpaquePointer

    /// Takes ownership of a `GAppInfo`.
    private init(owning info: OpaquePointer) {
      self.info = info
      name = g_app_info_get_name(info).map { String(cString: $0) } ?? ""
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(info)) }

    /// Returns the type of a file by its name, such as `image/jpeg`.
    static func contentType(ofFileNamed name: String) -> String {
      guard let type = g_content_type_guess(name, nil, 0, nil) else { return "" }
      defer { g_free(type) }
      return String(cString: type)
    }

    /// Returns the applications that open a type of files, the best first. Reads files, so it blocks the calling thread.
    static func recommended(for type: String) -> [DesktopApplication] {
      guard let list = g_app_info_get_recommended_for_type(type) else { return [] }
      defer { g_list_free(list) }
      return sequence(first: list) { $0.pointee.next }.compactMap { entry in
        entry.pointee.data.map { DesktopApplication(owning: OpaquePointer($0)) }
      }
    }

    /// Opens a file in the application.
    @MainActor func open(_ url: URL) throws(PhotoFailure) {
      guard let file = g_file_new_for_uri(url.absoluteString) else { return }
      let files = g_list_append(nil, UnsafeMutableRawPointer(file))
      let context = gdk_display_get_default().flatMap { gdk_display_get_app_launch_context($0) }
      defer {
        g_list_free(files)
        g_object_unref(UnsafeMutableRawPointer(file))
        if let context { g_object_unref(UnsafeMutableRawPointer(context)) }
      }
      var error: UnsafeMutablePointer<GError>?
      guard g_app_info_launch(info, files, context.map { UnsafeMutablePointer<GAppLaunchContext>($0) }, &error) != 0
      else { throw .launch(application: name, reason: GLibError.takeText(of: error)) }
    }
  }
#endif
