#if GTK
  import CNukeGTK

  extension GTKMainLoop {
    /// Initializes GTK, calls a closure that opens windows, and runs the main loop until the last window is closed.
    ///
    /// ```swift
    /// GTKMainLoop.run(name: "Photos") { ImageWindow(url: url).present() }
    /// ```
    ///
    /// If there is no display, GTK prints a message and ends the program. Call it on the main thread, from a synchronous
    /// `main`. Programs with a `GtkApplication` call ``attach()`` and `g_application_run` instead.
    ///
    /// - Parameters:
    ///   - name: the name of the program for people.
    ///   - id: the name of the desktop file without `.desktop`, such as `org.example.Photos`. Desktops find the icon of the
    ///     program by it, and screen readers get it. The default is `name`.
    ///   - body: opens the windows.
    @MainActor public static func run(name: String, id: String? = nil, _ body: () -> Void) {
      setProgramName(name, id: id)
      gtk_init()
      attach()
      body()
      while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }

    /// Sets the names of the program, once and before GTK is initialized. See ``run(name:id:_:)``.
    @MainActor package static func setProgramName(_ name: String, id: String?) {
      g_set_application_name(name)
      g_set_prgname(id ?? name)
    }
  }
#endif
