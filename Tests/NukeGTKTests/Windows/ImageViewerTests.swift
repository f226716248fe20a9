#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  final class ImageViewerTests: XCTestCase {
    func testItShowsThatItLoadsThenTheImage() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let gate = Gate()
        let loads = Loads()
        loads.answer("a", with: .green, heldBy: gate)
        let viewer = ImageViewer(options: loads.options)
        window.show(viewer.widget)
        viewer.show(ImageRequest(url: Loads.url("a")), named: "A leaf")
        let spinner = try XCTUnwrap(viewer.view.placeholderWidget)
        runLoop { loads.loader.requests.count == 1 }
        XCTAssertNotEqual(gtk_widget_get_visible(spinner), 0)
        gate.open()
        runLoop { (try? drawing(of: viewer.view.picture).middle.isNear(Pixel(0, 255, 0))) ?? false }
        XCTAssertEqual(gtk_widget_get_visible(spinner), 0)
        XCTAssertEqual(viewer.view.accessibleLabel, "A leaf")
        viewer.show(nil)
        XCTAssertNil(viewer.view.accessibleLabel)
        XCTAssertNil(viewer.view.request)
      }
    }

    func testAFailureSaysWhyAndOffersARetryIfItMayHelp() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        loads.loader.answer(Loads.url("busy"), with: .status(503))
        loads.loader.answer(Loads.url("gone"), with: .status(404))
        let viewer = ImageViewer(options: loads.options)
        window.show(viewer.widget)
        for (name, status, canRetry) in [("gone", "404", false), ("busy", "503", true)] {
          viewer.show(ImageRequest(url: Loads.url(name)))
          runLoop { viewer.failure.text.contains(status) && viewer.failure.isShown }
          XCTAssertEqual(gtk_widget_get_visible(viewer.failure.retryButton) != 0, canRetry, name)
        }
        loads.answer("busy", with: .green)
        gtk_widget_activate(viewer.failure.retryButton)
        runLoop { !viewer.failure.isShown && viewer.view.request != nil && !viewer.view.isLoading }
        XCTAssertTrue(try drawing(of: viewer.view.picture).middle.isNear(Pixel(0, 255, 0)))
      }
    }

    func testAFailedTransferIsASentence() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let viewer = ImageViewer(options: Loads.files)
        window.show(viewer.widget)
        let failures = [
          ("file:///nowhere/photo.jpg", "There is no file at /nowhere/photo.jpg."),
          ("http://127.0.0.1:1/photo.jpg", "Could not connect to "),
        ]
        for (url, reason) in failures {
          viewer.show(ImageRequest(url: URL(string: url)))
          runLoop { viewer.failure.isShown && viewer.failure.text.hasPrefix(reason) }
        }
      }
    }

    func testZoomEnlargesTheImageUpToEightTimesAroundItsMiddle() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        loads.answer("a", with: .blue)
        let viewer = ImageViewer(options: loads.options)
        window.show(viewer.widget)
        viewer.show(ImageRequest(url: Loads.url("a")))
        runLoop { (try? drawing(of: viewer.view.picture).middle.isNear(Pixel(0, 0, 255))) ?? false }
        let content = viewer.view.widget
        let width = gtk_widget_get_width(content)
        viewer.zoom = 3
        runLoop { gtk_widget_get_width(content) == width * 3 }
        let adjustment = try XCTUnwrap(gtk_scrolled_window_get_hadjustment(OpaquePointer(viewer.widget)))
        XCTAssertEqual(gtk_adjustment_get_value(adjustment), Double(width), accuracy: 1)
        viewer.zoom = 100
        XCTAssertEqual(viewer.zoom, 8)
        viewer.zoom = .nan
        XCTAssertEqual(viewer.zoom, 8)
        viewer.zoom = 1
        viewer.zoomIn()
        XCTAssertEqual(viewer.zoom, 1.25)
        viewer.zoomOut()
        runLoop { gtk_widget_get_width(content) == width }
        // Another image fits again.
        viewer.zoom = 2
        viewer.show(ImageRequest(url: Loads.url("a")))
        XCTAssertEqual(viewer.zoom, 1)
      }
    }

    func testTheWheelZoomsAroundThePointer() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 400, height: 300)
        let viewer = ImageViewer(options: Loads().options)
        window.show(viewer.widget)
        let adjustment = try XCTUnwrap(gtk_scrolled_window_get_hadjustment(OpaquePointer(viewer.widget)))
        // Two steps, before the first one is laid out: 100 points from the edge are 156.25 at the new size.
        viewer.scaling.turnWheel(by: -1, at: (100, 0))
        viewer.scaling.turnWheel(by: -1, at: (100, 0))
        XCTAssertEqual(viewer.zoom, 1.5625)
        runLoop { gtk_widget_get_width(viewer.view.widget) == 625 }
        XCTAssertEqual(gtk_adjustment_get_value(adjustment), 56.25, accuracy: 1)
        viewer.scaling.turnWheel(by: 2, at: (0, 0))
        XCTAssertEqual(viewer.zoom, 1, accuracy: 1e-9)
        runLoop { gtk_widget_get_width(viewer.view.widget) == 400 }
      }
    }

    func testTheEnlargedImageFollowsTheSizeOfTheWindow() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let viewer = ImageViewer(options: Loads().options)
        window.show(viewer.widget)
        let width = gtk_widget_get_width(viewer.widget)
        viewer.zoom = 2
        runLoop { gtk_widget_get_width(viewer.view.widget) == width * 2 }
        gtk_window_set_default_size(window.window, 300, 225)
        runLoop { gtk_widget_get_width(viewer.widget) == 300 && gtk_widget_get_width(viewer.view.widget) == 600 }
      }
    }

    func testAViewerLeavesNothingBehind() throws {
      try MainActor.assumeIsolated {
        let before = PictureBinding.count
        weak var viewer: ImageViewer?
        do {
          let window = try TestWindow()
          let made = ImageViewer(options: Loads().options)
          viewer = made
          window.show(made.widget)
          made.zoom = 2
          window.close()
        }
        runLoopUntilIdle()
        XCTAssertNil(viewer)
        XCTAssertEqual(PictureBinding.count, before)
      }
    }
  }
#endif
