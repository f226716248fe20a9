#if GTK
  import CNukeGTK
  import Dispatch
  import Glibc

  /// Lets code of the main actor run inside of GTK's main loop.
  ///
  /// A program that runs `g_application_run` or `g_main_loop_run` never gives the main thread back to Swift, so that
  /// `Task { @MainActor in … }` and `DispatchQueue.main` wait for ever unless the loop serves them.
  ///
  /// ```swift
  /// GTKMainLoop.attach()
  /// g_application_run(application, 0, nil)
  /// ```
  ///
  /// The program's `main` has to be synchronous: behind the first `await` of an asynchronous one the main actor may
  /// stand on another thread than GTK.
  public enum GTKMainLoop {
    @MainActor private static var isAttached = false

    /// Serves the main actor and `DispatchQueue.main` from GLib's default main context, whoever runs it. Further calls
    /// do nothing. The views of this module call it when they are made.
    ///
    /// Work for the main actor has the priority of ordinary events, before drawing.
    @MainActor public static func attach() {
      guard !isAttached else { return }
      isAttached = true
      let queue = _dispatch_get_main_queue_handle_4CF()
      g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, queue, G_IO_IN,
        { queue, _, _ in
          // The counter is taken before the work, so that what comes meanwhile wakes the loop again; left as it is, it
          // would wake it for ever.
          var count: UInt64 = 0
          _ = read(queue, &count, MemoryLayout<UInt64>.size)
          MainThreadWork.count { _dispatch_main_queue_callback_4CF(nil) }
          return G_SOURCE_CONTINUE
        }, nil, nil)
      // What came before anyone listened.
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
#endif
