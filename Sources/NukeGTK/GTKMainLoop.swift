#if GTK
  import CNukeGTK
  import Dispatch
  import Glibc

  /// Runs work of the main actor in GTK's main loop.
  ///
  /// `g_application_run` and `g_main_loop_run` never return the main thread to Swift. Without this type,
  /// `Task { @MainActor in … }` and `DispatchQueue.main` would wait forever.
  ///
  /// ```swift
  /// GTKMainLoop.attach()
  /// g_application_run(application, 0, nil)
  /// ```
  ///
  /// The program's `main` must be synchronous. After the first `await` of an asynchronous `main`, the main actor may run on
  /// another thread than GTK.
  public enum GTKMainLoop {
    @MainActor private static var isAttached = false

    /// Runs work of the main actor and `DispatchQueue.main` in GLib's default main context. Further calls have no effect.
    /// The views of this module call it.
    ///
    /// Work has the priority of ordinary events, before drawing.
    @MainActor public static func attach() {
      guard !isAttached else { return }
      isAttached = true
      let queue = _dispatch_get_main_queue_handle_4CF()
      g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, queue, G_IO_IN,
        { queue, _, _ in
          // The counter is reset before the work, so that work added in the meantime wakes the loop again. Without a
          // reset, it would wake the loop forever.
          var count: UInt64 = 0
          _ = read(queue, &count, MemoryLayout<UInt64>.size)
          Calls.observe { _dispatch_main_queue_callback_4CF(nil) }
          return G_SOURCE_CONTINUE
        }, nil, nil)
      // Runs work that was added before.
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
#endif
