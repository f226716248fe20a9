#if GTK
  import CNukeGTK
  @testable import NukeGTK
  import XCTest

  final class GTKColorSchemeTests: XCTestCase {
    func testItFollowsTheDesktopUntilASchemeIsChosen() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let name = "org.gnome.desktop.interface"
        guard let schema = g_settings_schema_source_lookup(g_settings_schema_source_get_default(), name, 1) else {
          throw XCTSkip("\(name) is not installed")
        }
        g_settings_schema_unref(schema)
        guard let backend = getenv("GSETTINGS_BACKEND"), String(cString: backend) == "memory" else {
          throw XCTSkip("the test would change the user's settings; say GSETTINGS_BACKEND=memory")
        }
        let display = try XCTUnwrap(gdk_display_get_default())
        let settings = try XCTUnwrap(g_settings_new(name))
        defer {
          g_settings_reset(settings, "color-scheme")
          g_object_unref(settings)
          GTKColorScheme.desktop.apply()
        }
        let isDarkInitially = isDarkStyle(of: display)
        GTKColorScheme.desktop.apply()
        for (scheme, isDark) in [("prefer-dark", true), ("prefer-light", false), ("default", isDarkInitially)] {
          g_settings_set_string(settings, "color-scheme", scheme)
          runLoop { isDarkStyle(of: display) == isDark }
        }
        GTKColorScheme.dark.apply()
        XCTAssertTrue(isDarkStyle(of: display))
        g_settings_set_string(settings, "color-scheme", "prefer-light")
        runLoopUntilIdle()
        XCTAssertTrue(isDarkStyle(of: display))
        GTKColorScheme.light.apply()
        XCTAssertFalse(isDarkStyle(of: display))
      }
    }

    /// Has a preference only where the schema of the desktop is installed.
    func testTheDesktopsSchemeEndsThatOfTheProgram() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let display = try XCTUnwrap(gdk_display_get_default())
        defer { GTKColorScheme.desktop.apply() }
        GTKColorScheme.desktop.apply()
        let isDark = isDarkStyle(of: display)
        (isDark ? GTKColorScheme.light : .dark).apply()
        XCTAssertNotEqual(isDarkStyle(of: display), isDark)
        GTKColorScheme.desktop.apply()
        XCTAssertEqual(isDarkStyle(of: display), isDark)
      }
    }
  }
#endif
