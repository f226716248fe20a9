#if GTK
  import CNukeGTK
  @testable import NukeGTK
  import XCTest

  final class KeyCommandTests: XCTestCase {
    func testTheListContainsTheCommandsWithATitleInTheirOrder() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        window.show(gtk_label_new("Some text"))
        let commands = [
          KeyCommand(["<Control>q", "Escape"], "Close <& leave") { true }, KeyCommand(["F5"], "") { true },
          KeyCommand(["0", "KP_0"], "Fit") { true },
        ]
        let description = KeyCommand.description(of: commands)
        XCTAssertTrue(description.contains("&lt;Control&gt;q Escape"))
        XCTAssertTrue(description.contains("Close &lt;&amp; leave"))
        XCTAssertFalse(description.contains("F5"))
        XCTAssertTrue(description.contains(">0<"))
        XCTAssertFalse(description.contains("KP_0"))
        let before = g_list_model_get_n_items(gtk_window_get_toplevels())
        KeyCommand.showList(of: commands, over: window.window)
        XCTAssertEqual(g_list_model_get_n_items(gtk_window_get_toplevels()), before + 1)
        // It is closed with the window it belongs to.
        window.close()
        XCTAssertEqual(g_list_model_get_n_items(gtk_window_get_toplevels()), before - 1)
      }
    }

    func testOnlyArrowsComeBeforeTheFocus() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let controllers = gtk_widget_observe_controllers(window.widget)
        defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
        func shortcuts(_ phase: GtkPropagationPhase) -> guint {
          (0..<g_list_model_get_n_items(controllers)).reduce(0) { count, index in
            guard let item = g_list_model_get_item(controllers, index) else { return count }
            defer { g_object_unref(item) }
            let isShortcut =
              g_type_check_instance_is_a(
                item.assumingMemoryBound(to: GTypeInstance.self), gtk_shortcut_controller_get_type()) != 0
            guard isShortcut, gtk_shortcut_controller_get_scope(OpaquePointer(item)) == GTK_SHORTCUT_SCOPE_GLOBAL,
              gtk_event_controller_get_propagation_phase(OpaquePointer(item)) == phase
            else { return count }
            return count + g_list_model_get_n_items(OpaquePointer(item))
          }
        }
        let before = (shortcuts(GTK_PHASE_CAPTURE), shortcuts(GTK_PHASE_BUBBLE))
        KeyCommand.add(
          [KeyCommand(["Left", "<Alt>Left"], "Previous") { true }, KeyCommand(["F5"], "Show") { true }],
          to: window.window)
        XCTAssertEqual(shortcuts(GTK_PHASE_CAPTURE), before.0 + 1)
        XCTAssertEqual(shortcuts(GTK_PHASE_BUBBLE), before.1 + 2)
      }
    }

    func testEachKeyOfACommandIsOneThatGTKKnows() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        for keys in [["plus", "equal", "KP_Add"], ["<Control>question", "F1"], ["Left", "<Alt>Left"]] {
          let trigger = try XCTUnwrap(gtk_shortcut_trigger_parse_string(keys.joined(separator: "|")))
          g_object_unref(UnsafeMutableRawPointer(trigger))
        }
      }
    }
  }
#endif
