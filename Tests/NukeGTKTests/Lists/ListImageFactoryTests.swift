#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// A list of a thousand images in a window of a few rows, with a clock that the test sets.
  @MainActor private final class ListOfImages {
    let window: TestWindow
    let loads: Loads
    let images: ListImages
    private let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let clock = Clock()

    private final class Clock {
      var time = 0.0
    }

    init(
      heldBy gate: Gate? = nil, screensAhead: Int = 0, dataCache: (any DataCaching)? = nil,
      delegate: (any ImagePipeline.Delegate)? = nil, configure: (Loads) -> Void = { _ in }
    ) throws {
      window = try TestWindow(width: 200, height: 300)
      let loader = FakeDataLoader { request in
        let answer = FakeDataLoader.Answer.data(plain(.green, width: 8, height: 8).pngData() ?? Data())
        return gate.map { answer.held(by: $0) } ?? answer
      }
      loads = Loads(loader: loader, delegate: delegate) { $0.dataCache = dataCache }
      configure(loads)
      let factory = ListImageFactory(options: loads.options) { ImageRequest(url: Loads.url("\($0.position)")) }
      factory.pictureSize = CGSize(width: 60, height: 60)
      factory.screensAhead = screensAhead
      images = factory.images
      let names = try XCTUnwrap(gtk_string_list_new(nil))
      for position in 0..<1000 { gtk_string_list_append(names, "\(position)") }
      let model = try XCTUnwrap(gtk_no_selection_new(names))
      g_object_ref(UnsafeMutableRawPointer(factory.pointer))
      let list = try XCTUnwrap(gtk_list_view_new(model, factory.pointer))
      let scrolled = try XCTUnwrap(gtk_scrolled_window_new())
      gtk_scrolled_window_set_child(OpaquePointer(scrolled), list)
      adjustment = try XCTUnwrap(gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled)))
      images.now = { [clock] in clock.time }
      window.show(scrolled)
      runLoop { !self.images.schedule.seen.isEmpty }
      settle()
    }

    /// Rows that are seen.
    var seen: [Int] { images.schedule.seen.sorted() }
    var requested: Set<String> { Set(loads.loader.requests.compactMap { $0.url?.lastPathComponent }) }

    func wait(_ seconds: Double) {
      clock.time += seconds
      images.proceed()
    }

    func scroll(to position: Int) {
      let before = seen
      gtk_adjustment_set_value(adjustment, Double(position * 60))
      runLoop { self.seen != before }
      settle()
    }

    /// Lets GTK allocate and draw what has changed.
    private func settle() {
      var frames = 0
      let ticks = FrameTicks(window.widget) { _ in
        frames += 1
        return frames < 4
      }
      runLoop { frames >= 4 }
      ticks.cancel()
    }
  }

  /// Counts what a list asks for.
  private final class CountedTasks: ImagePipeline.Delegate {
    private let state = Lock((ahead: [String](), seen: Set<String>(), seenBefore: Set<String>()))

    /// What was fetched ahead, as often as it was.
    var ahead: [String] { state.withLock { $0.ahead } }
    /// What was fetched ahead after it had been loaded to be seen.
    var seenBefore: Set<String> { state.withLock { $0.seenBefore } }

    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {
      guard let name = task.request.url?.lastPathComponent else { return }
      state.withLock { state in
        guard task.priority == .low else {
          state.seen.insert(name)
          return
        }
        state.ahead.append(name)
        if state.seen.contains(name) { state.seenBefore.insert(name) }
      }
    }
  }

  final class ListImageFactoryTests: XCTestCase {
    func testOnlyRowsThatAreSeenLoad() throws {
      try MainActor.assumeIsolated {
        let list = try ListOfImages()
        XCTAssertTrue((3...12).contains(list.seen.count), "\(list.seen)")
        XCTAssertGreaterThan(list.images.boundCount, list.seen.count * 2)
        list.wait(0.09)
        runLoopUntilIdle()
        XCTAssertTrue(list.requested.isEmpty)
        list.wait(0.02)
        runLoop { list.loads.loader.completedRequests.count == list.seen.count }
        XCTAssertEqual(list.requested, Set(list.seen.map(String.init)))
      }
    }

    func testRowsThatFlyPastDecodeNothing() throws {
      try MainActor.assumeIsolated {
        let list = try ListOfImages()
        for step in 1...10 {
          list.scroll(to: step * 30)
          list.wait(0.05)
        }
        runLoopUntilIdle()
        XCTAssertEqual(list.loads.pipeline.counters.decodes, 0)
        XCTAssertTrue(list.requested.isEmpty)
        list.wait(0.1)
        runLoop { list.loads.pipeline.counters.decodes == list.seen.count }
        XCTAssertEqual(list.requested, Set(list.seen.map(String.init)))
      }
    }

    func testRowsThatHaveGoneCancelTheirLoads() throws {
      try MainActor.assumeIsolated {
        let gate = Gate()
        let list = try ListOfImages(heldBy: gate)
        list.wait(0.2)
        let first = Set(list.seen.map(String.init))
        runLoop { list.loads.loader.requests.count == min(first.count, 6) }
        list.scroll(to: 500)
        runLoop { list.loads.loader.cancelledRequests.count == min(first.count, 6) }
        XCTAssertEqual(list.loads.pipeline.load.subscriptions, 0)
        gate.open()
      }
    }

    func testImagesInMemoryAreShownAtOnce() throws {
      try MainActor.assumeIsolated {
        let list = try ListOfImages {
          for position in 0..<50 {
            $0.pipeline.cache[Loads.url("\(position)")] = ImageContainer(image: plain(.blue, width: 4, height: 4))
          }
        }
        XCTAssertEqual(list.images.shownCount, list.seen.count)
        list.wait(1)
        runLoopUntilIdle()
        XCTAssertTrue(list.requested.isEmpty)
      }
    }

    func testWhatIsAheadIsFetchedAndNotDecoded() throws {
      try MainActor.assumeIsolated {
        let list = try ListOfImages(screensAhead: 2)
        list.wait(0.2)
        let count = list.seen.count
        runLoop { list.loads.loader.completedRequests.count == 3 * count }
        XCTAssertEqual(list.requested, Set((0..<3 * count).map(String.init)))
        runLoop { list.loads.pipeline.counters.decodes == count }
        runLoopUntilIdle()
        XCTAssertEqual(list.loads.pipeline.counters.decodes, count)
      }
    }

    func testWhatWasLoadedOnceIsNotFetchedAheadAgain() throws {
      try MainActor.assumeIsolated {
        let tasks = CountedTasks()
        let cache = FakeDataCache()
        let list = try ListOfImages(screensAhead: 2, dataCache: cache, delegate: tasks)
        // To and fro, with a rest each time, over rows that were seen, fetched ahead, or neither.
        for position in [0, 3, 8, 20, 14, 6, 0, 11] {
          if position > 0 { list.scroll(to: position) }
          list.wait(0.2)
          runLoop { list.loads.pipeline.load == (0, 0) && list.images.shownCount == list.seen.count }
        }
        let ahead = tasks.ahead
        XCTAssertGreaterThan(ahead.count, 2 * list.seen.count)
        XCTAssertEqual(ahead.count, Set(ahead).count, "\(ahead)")
        XCTAssertEqual(list.loads.loader.requests.count, list.requested.count)
        // The disk would have answered.
        XCTAssertEqual(tasks.seenBefore, [])
        XCTAssertEqual(list.loads.loader.cancelledRequests.count, 0)
      }
    }

    func testWhatCouldNotBeFetchedToItsEndIsFetchedAgain() throws {
      try MainActor.assumeIsolated {
        let gate = Gate()
        let tasks = CountedTasks()
        let list = try ListOfImages(heldBy: gate, screensAhead: 2, dataCache: FakeDataCache(), delegate: tasks)
        list.wait(0.2)
        // As many as a prefetcher loads at a time.
        runLoop { tasks.ahead.count == 2 }
        let first = Set(tasks.ahead)
        XCTAssertEqual(first.count, 2)
        list.scroll(to: 500)
        list.wait(0.2)
        gate.open()
        list.scroll(to: 0)
        list.wait(0.2)
        runLoop { list.loads.pipeline.load == (0, 0) && first.isSubset(of: list.requested) }
        XCTAssertTrue(first.isSubset(of: list.requested))
        XCTAssertTrue(first.isSubset(of: list.loads.loader.completedRequests.compactMap { $0.url?.lastPathComponent }))
      }
    }

    func testRowsThatAreNotSeenKeepNoPixels() throws {
      try MainActor.assumeIsolated {
        let list = try ListOfImages()
        list.wait(0.2)
        runLoop { list.images.shownCount == list.seen.count }
        list.scroll(to: 500)
        XCTAssertEqual(list.images.shownCount, 0)
      }
    }

    func testRowsMayBeMoreThanAnImage() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 200, height: 300)
        let loads = Loads()
        let factory = ListImageFactory(options: loads.options) { _ in nil }
        var bound: Set<Int> = []
        var labels: Set<String> = []
        factory.makeRow = { view in
          view.accessibleLabel = "An image"
          guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6) else { return view.widget }
          gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), view.widget)
          return box
        }
        factory.bindRow = { row, item in
          bound.insert(item.position)
          guard let name = gtk_string_object_get_string(OpaquePointer(item.object)),
            let picture = gtk_widget_get_first_child(row), picture.isPicture
          else { return }
          labels.insert(String(cString: name))
        }
        let names = try XCTUnwrap(gtk_string_list_new(nil))
        for position in 0..<3 { gtk_string_list_append(names, "leaf \(position)") }
        g_object_ref(UnsafeMutableRawPointer(factory.pointer))
        window.show(gtk_list_view_new(gtk_no_selection_new(names), factory.pointer))
        runLoop { bound == [0, 1, 2] }
        XCTAssertEqual(labels, ["leaf 0", "leaf 1", "leaf 2"])
      }
    }

    func testAListLeavesNothingBehind() throws {
      try MainActor.assumeIsolated {
        let before = PictureBinding.count
        weak var images: ListImages?
        let gate = Gate()
        let loads: Loads
        do {
          let list = try ListOfImages(heldBy: gate)
          images = list.images
          loads = list.loads
          list.wait(0.2)
          XCTAssertGreaterThan(PictureBinding.count, before)
          list.window.close()
        }
        runLoop { loads.pipeline.load.subscriptions == 0 }
        XCTAssertEqual(PictureBinding.count, before)
        XCTAssertNil(images)
        gate.open()
      }
    }
  }
#endif
