#if GTK
  import NukeGTK

  /// What a key does.
  @MainActor final class Shortcut {
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }

    /// A `GtkShortcutAction` that keeps this object.
    func makeAction() -> OpaquePointer {
      gtk_callback_action_new(
        { _, _, shortcut in
          guard let shortcut else { return 0 }
          nonisolated(unsafe) let called = shortcut
          MainActor.assumeIsolated { Unmanaged<Shortcut>.fromOpaque(called).takeUnretainedValue().body() }
          return 1
        }, Unmanaged.passRetained(self).toOpaque(),
        { shortcut in
          if let shortcut { Unmanaged<AnyObject>.fromOpaque(shortcut).release() }
        })
    }
  }
#endif
