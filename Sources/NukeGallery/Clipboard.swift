#if GTK
  import NukeGTK

  /// The clipboard of the desktop.
  @MainActor enum Clipboard {
    private static var pointer: OpaquePointer? { gdk_display_get_default().flatMap { gdk_display_get_clipboard($0) } }

    static func copy(_ text: String) {
      if let pointer { gdk_clipboard_set_text(pointer, text) }
    }

    static func copy(_ texture: ImageTexture) {
      if let pointer { gdk_clipboard_set_texture(pointer, texture.pointer) }
    }
  }
#endif
