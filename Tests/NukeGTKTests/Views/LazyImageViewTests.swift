#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// Loading, its callbacks and its end.
  final class LazyImageViewTests: XCTestCase {
    func testSettingAURLLoadsIt() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        view.contentMode = .fill
        var started = 0
        view.onStart = { _ in started += 1 }
        view.url = loads.answer("a", with: .green)
        XCTAssertTrue(view.isLoading)
        XCTAssertEqual(started, 1)
        XCTAssertEqual(view.request?.url, Loads.url("a"))
        runLoop { ending.image != nil }
        XCTAssertFalse(view.isLoading)
        let drawn = try drawing(of: view.picture)
        XCTAssertEqual(drawn.middle, Pixel(0, 255, 0))
        XCTAssertEqual(drawn.bounds?.width, CGFloat(drawn.width))
      }
    }

    func testWithoutAURLItIsEmpty() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        view.url = loads.answer("a", with: .green)
        runLoop { ending.image != nil }
        view.url = nil
        XCTAssertNil(view.request)
        XCTAssertNil(try drawing(of: view.picture).bounds)
      }
    }

    func testTheWidgetNeedsNobodyToKeepTheView() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        let gate = Gate()
        let ending = Ending()
        let url = loads.answer("a", with: .green, heldBy: gate)
        let picture: UnsafeMutablePointer<GtkWidget>
        weak var gone: LazyImageView?
        do {
          let view = LazyImageView()
          gone = view
          view.options = loads.options
          window.show(view.widget)
          picture = view.picture
          // Each spelling has to find the function that is meant for these views.
          loadImage(with: url, into: view)
          loadImage(with: url, into: view, progress: { _, _, _ in })
          loadImage(with: ImageRequest(url: url), into: view)
          loadImage(with: ImageRequest(url: url), into: view) { ending.record($0) }
          loadImage(with: ImageRequest(url: url), into: view, progress: nil, completion: ending.record)
          loadImage(with: url, into: view) { ending.record($0) }
        }
        XCTAssertNil(gone)
        gate.open()
        runLoop { ending.image != nil }
        XCTAssertEqual(ending.results.count, 1)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }

    func testAViewThatIsNowhereIsReleasedWithItsLoad() throws {
      try MainActor.assumeIsolated {
        _ = try TestWindow()
        let before = PictureBinding.count
        let loads = Loads()
        let gate = Gate()
        do {
          let view = LazyImageView()
          view.options = loads.options
          view.url = loads.answer("a", with: .green, heldBy: gate)
          runLoop { loads.loader.requests.count == 1 }
        }
        runLoop { loads.loader.cancelledRequests.count == 1 }
        XCTAssertEqual(PictureBinding.count, before)
        gate.open()
      }
    }

    func testTheNamesOfNukeChangeTheOptions() throws {
      try MainActor.assumeIsolated {
        _ = try TestWindow()
        let (loads, view) = (Loads(), LazyImageView())
        XCTAssertNil(view.placeholderImage)
        XCTAssertNil(view.failureImage)
        XCTAssertNil(view.transition)
        XCTAssertNil(view.processors)
        XCTAssertNil(view.priority)
        XCTAssertNil(view.options.pipeline)
        XCTAssertTrue(view.isResetEnabled && view.isProgressiveImageRenderingEnabled)
        let image = plain(.gray, width: 4, height: 4)
        view.placeholderImage = image
        view.failureImage = image
        view.transition = .fadeIn(duration: 0.33)
        view.processors = [.resize(width: 10)]
        view.pipeline = loads.pipeline
        view.isResetEnabled = false
        view.isProgressiveImageRenderingEnabled = false
        let options = view.options
        XCTAssertTrue(options.placeholder === image && options.failureImage === image && options.transition != nil)
        XCTAssertEqual(options.processors.count, 1)
        XCTAssertTrue(options.pipeline === loads.pipeline)
        XCTAssertFalse(options.isPrepareForReuseEnabled || options.isProgressiveRenderingEnabled)
        view.processors = nil
        XCTAssertTrue(view.options.processors.isEmpty)
      }
    }

    func testSuccessAndFailureAreReportedBeforeTheCompletion() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, _) = makeLazyImageView(in: window)
        var log: [String] = []
        view.onSuccess = { log.append("success \($0.image.pixelWidth)") }
        view.onFailure = { log.append("failure \($0.isCancelled)") }
        view.onCompletion = { log.append((try? $0.get()) == nil ? "no image" : "image") }
        view.url = loads.answer("a", with: .green)
        runLoop { log.count == 2 }
        view.url = Loads.url("missing")
        runLoop { log.count == 4 }
        XCTAssertEqual(log, ["success 20", "image", "failure false", "no image"])
      }
    }

    func testALoadThatIsReplacedInOnSuccessHasNoCompletion() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        let gate = Gate()
        let (first, second) = (Loads.url("first"), loads.answer("second", with: .green, heldBy: gate))
        loads.pipeline.cache[first] = ImageContainer(image: plain(.blue, width: 5, height: 5))
        view.onSuccess = { [weak view] response in
          if response.request.url == first { view?.url = second }
        }
        view.url = first
        XCTAssertEqual(view.imageTask?.request.url, second)
        gate.open()
        runLoop { !ending.results.isEmpty }
        XCTAssertEqual(ending.results.count, 1)
        XCTAssertEqual(ending.image?.pixelWidth, 20)
      }
    }

    func testThePriorityAppliesToTheRunningLoadAndToLaterOnes() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        XCTAssertNil(view.imageTask)
        let gate = Gate()
        view.request = ImageRequest(url: loads.answer("a", with: .green, heldBy: gate), priority: .low)
        XCTAssertEqual(view.imageTask?.priority, .low)
        view.priority = .veryHigh
        XCTAssertEqual(view.imageTask?.priority, .veryHigh)
        view.priority = nil
        XCTAssertEqual(view.imageTask?.priority, .low)
        view.priority = .high
        gate.open()
        runLoop { ending.image != nil }
        XCTAssertNil(view.imageTask)
        let held = Gate()
        view.url = loads.answer("b", with: .green, heldBy: held)
        XCTAssertEqual(view.imageTask?.priority, .high)
        XCTAssertEqual(view.request?.priority, .normal)
        held.open()
      }
    }

    func testProgressAndPreviewsAreReported() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending, gate) = (Loads.withPreviews(), LazyImageView(), Ending(), Gate())
        view.pipeline = loads.pipeline
        view.onCompletion = ending.record
        window.show(view.widget)
        var (received, previews): ([ImageTask.Progress], [Int]) = ([], [])
        view.onProgress = { received.append($0) }
        view.onPreview = { previews.append($0.image.pixelWidth) }
        view.url = loads.answerInHalves("a", heldBy: gate)
        runLoop { !previews.isEmpty }
        XCTAssertEqual(received.map(\.completed), [100])
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(255, 0, 0))
        gate.open()
        runLoop { ending.image != nil }
        XCTAssertEqual(received.map(\.completed), [100, 200])
        XCTAssertTrue(previews.allSatisfy { $0 == 8 })
      }
    }

    func testAssistiveTechnologiesAreToldWhatIsShown() throws {
      try MainActor.assumeIsolated {
        _ = try TestWindow()
        let view = LazyImageView()
        XCTAssertNil(view.accessibleLabel)
        view.accessibleLabel = "A leaf"
        XCTAssertEqual(view.accessibleLabel, "A leaf")
        XCTAssertEqual(gtk_accessible_get_accessible_role(OpaquePointer(view.picture)), GTK_ACCESSIBLE_ROLE_IMG)
      }
    }

    func testTheViewsOfOnePictureAreTheSame() throws {
      try MainActor.assumeIsolated {
        _ = try TestWindow()
        let picture = try XCTUnwrap(gtk_picture_new())
        let view = LazyImageView(picture: picture)
        view.contentMode = .center
        XCTAssertEqual(LazyImageView(picture: picture).contentMode, .center)
        XCTAssertEqual(view.widget, picture)
        view.placeholderWidget = gtk_spinner_new()
        XCTAssertNil(view.placeholderWidget)
      }
    }
  }
#endif
