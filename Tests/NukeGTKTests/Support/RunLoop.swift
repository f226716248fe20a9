#if GTK
  import CNukeGTK
  import NukeGTK
  import XCTest

  /// Runs GTK's loop until something has happened. What never does fails the test.
  @MainActor func runLoop(
    until isMet: () -> Bool, file: StaticString = #filePath, line: UInt = #line
  ) {
    GTKMainLoop.attach()
    let timer = g_timer_new()
    defer { g_timer_destroy(timer) }
    // Wakes a loop that has nothing else to do.
    let alarm = g_timeout_add(250, { _ in G_SOURCE_CONTINUE }, nil)
    defer { g_source_remove(alarm) }
    while !isMet() {
      g_main_context_iteration(nil, 1)
      if g_timer_elapsed(timer, nil) > 20 { return XCTFail("it never happened", file: file, line: line) }
    }
  }

  /// Runs what is ready in GTK's loop, and what that makes ready, without waiting.
  @MainActor func runLoopUntilIdle() {
    GTKMainLoop.attach()
    while g_main_context_iteration(nil, 0) != 0 {}
  }
#endif
