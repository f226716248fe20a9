#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// The pixels that are loaded for the size of the widget.
  final class LazyImageViewSizeTests: XCTestCase {
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

    func testImagesAreBroughtToTheSizeOfTheWidget() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 120, height: 90)
        let (loads, view, ending) = makeLazyImageView()
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
        let (loads, view, ending) = makeLazyImageView()
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
  }
#endif
