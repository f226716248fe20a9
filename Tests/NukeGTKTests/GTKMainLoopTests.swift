#if GTK
  import CNukeGTK
  import Dispatch
  import NukeGTK
  import XCTest

  @MainActor private final class Arrivals {
    private(set) var count = 0
    func add() { count += 1 }
  }

  final class GTKMainLoopTests: XCTestCase {
    func testCodeOfTheMainActorRunsInsideTheLoop() {
      MainActor.assumeIsolated {
        var steps: [String] = []
        let thread = pthread_self()
        Task { @MainActor in
          steps.append("task")
          await Task.detached {}.value
          steps.append(pthread_equal(thread, pthread_self()) != 0 ? "back on the main thread" : "on another thread")
        }
        DispatchQueue.main.async { MainActor.assumeIsolated { steps.append("queue") } }
        XCTAssertEqual(steps, [])
        runLoop { steps.count == 3 }
        XCTAssertEqual(steps.first, "task")
        // In either order: a detached task that has ended already is not waited for.
        XCTAssertEqual(Set(steps.dropFirst()), ["queue", "back on the main thread"])
      }
    }

    func testAProgramHasANameForPeopleAndOneForDesktops() {
      MainActor.assumeIsolated {
        GTKMainLoop.setProgramName("Photos", id: "org.example.Photos")
        XCTAssertEqual(g_get_application_name().map { String(cString: $0) }, "Photos")
        // Screen readers get this one.
        XCTAssertEqual(g_get_prgname().map { String(cString: $0) }, "org.example.Photos")
      }
    }

    func testWhatOtherThreadsSendIsServed() {
      MainActor.assumeIsolated {
        let arrivals = Arrivals()
        for _ in 0..<100 { Task.detached { await arrivals.add() } }
        runLoop { arrivals.count == 100 }
        XCTAssertEqual(arrivals.count, 100)
      }
    }

    func testTheLoopRestsWhereThereIsNothingToDo() {
      MainActor.assumeIsolated {
        var isDone = false
        Task { @MainActor in isDone = true }
        runLoop { isDone }
        runLoopUntilIdle()
        XCTAssertEqual(g_main_context_pending(nil), 0)
      }
    }

    func testAttachingTwiceServesOnce() {
      MainActor.assumeIsolated {
        for _ in 0..<3 { GTKMainLoop.attach() }
        var count = 0
        Task { @MainActor in count += 1 }
        runLoop { count > 0 }
        runLoopUntilIdle()
        XCTAssertEqual(count, 1)
      }
    }
  }
#endif
