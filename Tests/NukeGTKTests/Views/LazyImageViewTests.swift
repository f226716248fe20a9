#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  @MainActor private func makeView(in window: TestWindow) -> (Loads, LazyImageView, Ending) {
    let (loads, view, ending) = (Loads(), LazyImageView(), Ending())
    view.options = loads.options
    view.onCompletion = ending.record
    window.show(view.widget)
    return (loads, view, ending)
  }

  final class LazyImageViewTests: XCTestCase {
    func testSettingAURLLoadsIt() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
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
        let (loads, view, ending) = makeView(in: window)
        view.url = loads.answer("a", with: .green)
        runLoop { ending.image != nil }
        view.url = nil
        XCTAssertNil(view.request)
        XCTAssertNil(try drawing(of: view.picture).bounds)
      }
    }

    func testARequestForNothingShowsTheFailureWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let (placeholder, failure) = (try XCTUnwrap(gtk_label_new("loading")), try XCTUnwrap(gtk_label_new("nothing")))
        view.placeholderWidget = placeholder
        view.failureWidget = failure
        view.url = loads.answer("a", with: .green)
        runLoop { ending.image != nil }
        loadImage(with: nil as URL?, into: view)
        XCTAssertNil(try drawing(of: view.picture).bounds)
        XCTAssertNotEqual(gtk_widget_get_visible(failure), 0)
        XCTAssertEqual(gtk_widget_get_visible(placeholder), 0)
      }
    }

    func testAViewThatWaitsForItsSizeKeepsItsImageUnlessItIsPreparedForReuse() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let loads = Loads()
        let picture = try XCTUnwrap(gtk_picture_new())
        g_object_ref_sink(picture)
        defer { g_object_unref(picture) }
        let view = LazyImageView(picture: picture)
        let url = Loads.url("a")
        loads.pipeline.cache[url] = ImageContainer(image: plain(.blue, width: 5, height: 5))
        view.options = loads.options
        view.url = url
        view.resizesToAllocation = true
        view.options.isPrepareForReuseEnabled = false
        view.url = loads.answer("b", with: .green)
        XCTAssertEqual(view.binding.paintable.naturalSize.width, 5 / view.binding.paintable.displayScale)
        view.options.isPrepareForReuseEnabled = true
        view.url = loads.answer("c", with: .green)
        XCTAssertEqual(view.binding.paintable.naturalSize, .zero)
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

    func testRetryLoadsAgainWhatFailed() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        view.url = Loads.url("a")
        runLoop { ending.hasFailed }
        loads.answer("a", with: .green)
        view.retry()
        runLoop { ending.image != nil }
        XCTAssertEqual(ending.results.count, 2)
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 255, 0))
      }
    }

    func testRetryLoadsAgainWhatWasCancelled() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let gate = Gate()
        view.url = loads.answer("a", with: .green, heldBy: gate)
        runLoop { loads.loader.requests.count == 1 }
        view.cancel()
        XCTAssertFalse(view.isLoading)
        // The loader may not have returned its transfer yet, which is then canceled when it does.
        runLoop { loads.loader.cancelledRequests.count == 1 }
        gate.open()
        view.retry()
        runLoop { ending.image != nil }
        XCTAssertEqual(ending.results.count, 1)
      }
    }

    func testStandInWidgetsShowHowFarItIs() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let spinner = try XCTUnwrap(gtk_spinner_new())
        let button = try XCTUnwrap(gtk_button_new_with_label("Retry"))
        view.placeholderWidget = spinner
        view.failureWidget = button
        func seen() -> [Bool] { [spinner, button].map { gtk_widget_get_visible($0) != 0 } }
        XCTAssertEqual(seen(), [false, false])
        let gate = Gate()
        view.url = loads.answer("a", with: .green, heldBy: gate)
        XCTAssertEqual(seen(), [true, false])
        gate.open()
        runLoop { ending.image != nil }
        XCTAssertEqual(seen(), [false, false])
        view.url = Loads.url("missing")
        XCTAssertEqual(seen(), [true, false])
        runLoop { ending.hasFailed }
        XCTAssertEqual(seen(), [false, true])
        view.url = Loads.url("a")
        XCTAssertEqual(seen(), [false, false])
        g_object_ref(spinner)
        defer { g_object_unref(spinner) }
        view.placeholderWidget = nil
        XCTAssertNil(gtk_widget_get_parent(spinner))
      }
    }

    func testThePlaceholderStaysAfterAFailureIfItIsToReplaceTheFailureImage() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (_, view, ending) = makeView(in: window)
        view.placeholderImage = plain(.blue, width: 4, height: 4)
        XCTAssertFalse(view.showPlaceholderOnFailure)
        view.url = Loads.url("missing")
        runLoop { ending.results.count == 1 }
        XCTAssertNil(try drawing(of: view.picture).bounds)
        view.showPlaceholderOnFailure = true
        view.url = Loads.url("missing")
        runLoop { ending.results.count == 2 }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 0, 255))
        view.failureImage = plain(.red, width: 4, height: 4)
        view.url = Loads.url("missing")
        runLoop { ending.results.count == 3 }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(255, 0, 0))
      }
    }

    func testThePlaceholderWidgetStaysAfterAFailureUnlessThereIsAWidgetForIt() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (_, view, ending) = makeView(in: window)
        let (spinner, label) = (try XCTUnwrap(gtk_spinner_new()), try XCTUnwrap(gtk_label_new("nothing")))
        view.placeholderWidget = spinner
        view.showPlaceholderOnFailure = true
        view.url = Loads.url("missing")
        runLoop { ending.results.count == 1 }
        XCTAssertNotEqual(gtk_widget_get_visible(spinner), 0)
        view.failureWidget = label
        view.url = Loads.url("missing")
        runLoop { ending.results.count == 2 }
        XCTAssertEqual(gtk_widget_get_visible(spinner), 0)
        XCTAssertNotEqual(gtk_widget_get_visible(label), 0)
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
        let (loads, view, _) = makeView(in: window)
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
        let (loads, view, ending) = makeView(in: window)
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
        let (loads, view, ending) = makeView(in: window)
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

    func testAFailureImageTakesThePlaceOfTheWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (_, view, ending) = makeView(in: window)
        let button = try XCTUnwrap(gtk_button_new_with_label("Retry"))
        view.failureWidget = button
        view.options.failureImage = plain(.red, width: 4, height: 4)
        view.url = Loads.url("missing")
        runLoop { ending.hasFailed }
        XCTAssertEqual(gtk_widget_get_visible(button), 0)
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(255, 0, 0))
      }
    }

    func testImagesAreBroughtToTheSizeOfTheWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 120, height: 90)
        let loads = Loads()
        let view = LazyImageView()
        let ending = Ending()
        view.options = loads.options
        view.onCompletion = ending.record
        view.contentMode = .aspectFit
        view.resizesToAllocation = true
        view.url = loads.answer("a", with: .green, width: 600, height: 600)
        XCTAssertTrue(view.isLoading)
        XCTAssertTrue(loads.loader.requests.isEmpty)
        window.show(view.widget)
        runLoop { ending.image != nil }
        let (width, height) = (gtk_widget_get_width(view.picture), gtk_widget_get_height(view.picture))
        let side = Int(min(width, height)) * Int(gtk_widget_get_scale_factor(view.picture))
        XCTAssertEqual(ending.image?.pixelWidth, side)
        XCTAssertEqual(ending.image?.pixelHeight, side)
      }
    }

    func testAWidgetThatGrowsGetsALargerImage() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 300, height: 300)
        let loads = Loads()
        let view = LazyImageView()
        let ending = Ending()
        view.options = loads.options
        view.onCompletion = ending.record
        gtk_widget_set_halign(view.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(view.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_size_request(view.widget, 40, 40)
        window.show(view.widget)
        view.resizesToAllocation = true
        view.url = loads.answer("a", with: .green, width: 600, height: 600)
        let pixelsPerPoint = Int(gtk_widget_get_scale_factor(view.widget))
        runLoop { ending.image?.pixelWidth == 40 * pixelsPerPoint }
        gtk_widget_set_size_request(view.widget, 80, 80)
        runLoop { ending.image?.pixelWidth == 80 * pixelsPerPoint }
        XCTAssertEqual(ending.results.count, 2)
      }
    }

    func testAnAnimatedImagePlaysWhileItIsSeen() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let frames = [plain(.red, width: 8, height: 8), plain(.blue, width: 8, height: 8)]
        let animation = try XCTUnwrap(Animation(frames: frames, delays: [0.03, 0.03]))
        loads.loader.answer(Loads.url("moving.gif"), with: .data(try GIFWriter().encode(animation)))
        view.url = Loads.url("moving.gif")
        runLoop { ending.image != nil }
        var seen: [Pixel] = []
        runLoop {
          if let pixel = try? drawing(of: view.picture).middle, pixel != seen.last { seen.append(pixel) }
          return seen.count == 4
        }
        let (red, blue) = (Pixel(255, 0, 0), Pixel(0, 0, 255))
        XCTAssertTrue(seen == [red, blue, red, blue] || seen == [blue, red, blue, red], "\(seen)")
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
        window.show(nil)
        XCTAssertNil(view.binding.playback.flatMap { $0.isPlaying ? $0 : nil })
        window.show(view.widget)
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
        view.isAnimationPlaybackEnabled = false
        XCTAssertEqual(view.binding.playback?.isPlaying, false)
      }
    }

    func testAnAnimationPlaysAsOftenAsItSays() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let frames = [plain(.red, width: 8, height: 8), plain(.blue, width: 8, height: 8)]
        let animation = try XCTUnwrap(Animation(frames: frames, delays: [0.02, 0.02], loopCount: 2))
        loads.loader.answer(Loads.url("twice.gif"), with: .data(try GIFWriter().encode(animation)))
        view.url = Loads.url("twice.gif")
        runLoop { ending.image != nil }
        runLoop { view.binding.playback?.isPlaying == false }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 0, 255))
      }
    }

    func testAShortVideoPlays() throws {
      try XCTSkipUnless(ImageFormat.mp4.isReadable)
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        // The upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
        let clip = URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "../../NukeCodecsTests/Fixtures/Video/h264.mp4")
        loads.loader.answer(Loads.url("clip.mp4"), with: .data(try Data(contentsOf: clip)))
        view.url = Loads.url("clip.mp4")
        runLoop { ending.image != nil }
        var shown: Set<Int> = []
        runLoop {
          if let drawing = try? drawing(of: view.picture) {
            shown.insert((Int(drawing[drawing.width * 3 / 8, drawing.height * 3 / 8].red) + 10) / 20)
          }
          return shown.count >= 4
        }
        XCTAssertTrue(shown.isSubset(of: Set(0..<12)), "\(shown)")
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
      }
    }

    func testAnotherImageEndsAnAnimation() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeView(in: window)
        let frames = [plain(.red, width: 8, height: 8), plain(.blue, width: 8, height: 8)]
        let animation = try XCTUnwrap(Animation(frames: frames, delays: [0.02, 0.02]))
        loads.loader.answer(Loads.url("moving.gif"), with: .data(try GIFWriter().encode(animation)))
        view.url = Loads.url("moving.gif")
        runLoop { ending.results.count == 1 }
        weak let playback = view.binding.playback
        XCTAssertNotNil(playback)
        view.url = loads.answer("still", with: .green)
        XCTAssertNil(playback)
        runLoop { ending.results.count == 2 }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 255, 0))
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
