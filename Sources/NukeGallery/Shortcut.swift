#if GTK
  import NukeGTK

  /// The action of a keyboard shortcut.
  @MainActor final class Shortcut {
    private let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }

    /// Creates a `GtkShortcutAction` that retains this object.
    func makeAction() -> OpaquePointer {
      gtk_callback_action_new(
        { _, _, shortcut in
          guard let shortcut else { return 0 }
          nonisolated(unsafe) let called = shortcut
          MainActor.assumeIsolated { Unmanaged<Shortcut>.fromOpaque(called).takeUnretainedValue().body() }
          return 1
        }, Unmanaged.passRetained(self).toOpaque(), { releaseRetained($0) })
    }
  }
#endif
