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
