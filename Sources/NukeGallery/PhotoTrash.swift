#if GTK
  import Foundation
  import NukeGTK

  /// Moves photos to the trash of the desktop.
  enum PhotoTrash {
    /// Moves a file to the trash, from which the desktop's file manager can restore it. Never deletes it instead. Blocks
    /// the calling thread.
    static func move(_ url: URL) throws(PhotoFailure) {
      guard let file = g_file_new_for_uri(url.absoluteString) else { return }
      defer { g_object_unref(UnsafeMutableRawPointer(file)) }
      var error: UnsafeMutablePointer<GError>?
      guard g_file_trash(file, nil, &error) == 0 else { return }
      let name = url.displayName
      // The error may also mean that the trash does not exist.
      let isMissing = g_file_query_exists(file, nil) == 0
      let reason = GLibError.takeText(of: error)
      throw isMissing ? .missing(name: name) : .trash(name: name, reason: reason)
    }
  }

  enum GLibError {
    /// Returns the message of an error as a sentence, and frees the error.
    static func takeText(of error: UnsafeMutablePointer<GError>?) -> String {
      guard let error else { return "the reason is unknown." }
      defer { g_error_free(error) }
      let text = error.pointee.message.map { String(cString: $0) } ?? ""
      return text.hasSuffix(".") ? text : text + "."
    }
  }
#endif
