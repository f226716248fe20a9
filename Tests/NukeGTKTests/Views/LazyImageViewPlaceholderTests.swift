#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// The widgets and images that are shown before an image and after a failure.
  final class LazyImageViewPlaceholderTests: XCTestCase {
    func testARequestForNothingShowsTheFailureWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
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

    func testRetryLoadsAgainWhatFailed() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
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
        let (loads, view, ending) = makeLazyImageView(in: window)
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
        let (loads, view, ending) = makeLazyImageView(in: window)
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
        let (_, view, ending) = makeLazyImageView(in: window)
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
        let (_, view, ending) = makeLazyImageView(in: window)
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

    func testAFailureImageTakesThePlaceOfTheWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (_, view, ending) = makeLazyImageView(in: window)
        let button = try XCTUnwrap(gtk_button_new_with_label("Retry"))
        view.failureWidget = button
        view.options.failureImage = plain(.red, width: 4, height: 4)
        view.url = Loads.url("missing")
        runLoop { ending.hasFailed }
        XCTAssertEqual(gtk_widget_get_visible(button), 0)
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(255, 0, 0))
      }
    }
  }
#endif
