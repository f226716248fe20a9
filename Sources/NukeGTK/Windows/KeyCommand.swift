#if GTK
  import CNukeGTK

  /// A key of a window, and what it does.
  package struct KeyCommand {
    /// The accelerators, such as `<Control>q`, each of which calls the action.
    package let keys: [String]
    package let title: String
    /// Returns `false` if the key has no effect now, so that other widgets get it.
    package let action: @MainActor () -> Bool

    package init(_ keys: [String], _ title: String, _ action: @escaping @MainActor () -> Bool) {
      self.keys = keys
      self.title = title
      self.action = action
    }

    /// Adds commands to a window, which retains their actions.
    @MainActor package static func add(_ commands: [KeyCommand], to window: UnsafeMutablePointer<GtkWindow>) {
      let usual = makeController(GTK_PHASE_BUBBLE)
      // A window moves the focus with the arrows before its own shortcuts in this phase, so that they would never come.
      let arrows = makeController(GTK_PHASE_CAPTURE)
      for command in commands {
        let keys = Dictionary(grouping: command.keys) { arrowKeys.contains($0) }
        for (isArrow, keys) in keys { command.add(keys, to: isArrow ? arrows : usual) }
      }
      for controller in [usual, arrows] {
        gtk_widget_add_controller(UnsafeMutablePointer(OpaquePointer(window)), controller)
      }
    }

    private static let arrowKeys: Set<String> = ["Left", "Right", "Up", "Down"]

    @MainActor private static func makeController(_ phase: GtkPropagationPhase) -> OpaquePointer {
      let controller = Widgets.made(gtk_shortcut_controller_new())
      gtk_shortcut_controller_set_scope(controller, GTK_SHORTCUT_SCOPE_GLOBAL)
      gtk_event_controller_set_propagation_phase(controller, phase)
      return controller
    }

    @MainActor private func add(_ keys: [String], to controller: OpaquePointer) {
      let closure = RetainedClosure<@MainActor () -> Bool>(action)
      let action = gtk_callback_action_new(
        { _, _, closure in
          guard let closure else { return 0 }
          let body = RetainedClosure<@MainActor () -> Bool>.body(of: closure)
          return MainActor.assumeIsolated { Calls.observe { body() } } ? 1 : 0
        }, Unmanaged.passRetained(closure).toOpaque(), { releaseRetained($0) })
      let trigger = gtk_shortcut_trigger_parse_string(keys.joined(separator: "|"))
      gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, action))
    }

    /// Opens a list of commands in a window above another one. Commands without a title are not listed.
    @MainActor package static func showList(of commands: [KeyCommand], over window: UnsafeMutablePointer<GtkWindow>) {
      let builder = Widgets.made(gtk_builder_new())
      defer { g_object_unref(UnsafeMutableRawPointer(builder)) }
      guard gtk_builder_add_from_string(builder, description(of: commands), -1, nil) != 0,
        let list = gtk_builder_get_object(builder, "list")
      else { return }
      let shown = UnsafeMutablePointer<GtkWindow>(OpaquePointer(list))
      gtk_window_set_transient_for(shown, window)
      gtk_window_set_destroy_with_parent(shown, 1)
      gtk_window_present(shown)
    }

    /// A `GtkShortcutsWindow` in the language of `GtkBuilder`, which is the only way to create its parts.
    static func description(of commands: [KeyCommand]) -> String {
      let rows = commands.filter { !$0.title.isEmpty }.map { command in
        // Keys of the number pad look like the others.
        let keys = command.keys.filter { !$0.hasPrefix("KP_") }
        return """
          <child><object class="GtkShortcutsShortcut">\
          <property name="accelerator">\(escaped(keys.joined(separator: " ")))</property>\
          <property name="title">\(escaped(command.title))</property></object></child>
          """
      }
      return """
        <interface><object class="GtkShortcutsWindow" id="list"><property name="modal">1</property>
        <child><object class="GtkShortcutsSection"><property name="section-name">keys</property>
        <property name="max-height">12</property>
        <child><object class="GtkShortcutsGroup">
        \(rows.joined(separator: "\n"))
        </object></child></object></child></object></interface>
        """
    }

    private static func escaped(_ text: String) -> String {
      guard let escaped = g_markup_escape_text(text, -1) else { return "" }
      defer { g_free(escaped) }
      return String(cString: escaped)
    }
  }
#endif
