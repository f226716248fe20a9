#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  @testable import NukeGTK
  import XCTest

  /// Runs a test in a window whose surface has the scale 1.25.
  private func onFractionalDisplay(_ body: @MainActor @Sendable (TestWindow) throws -> Void) throws {
    try MainActor.assumeIsolated {
      let window = try TestWindow(width: 120, height: 120)
      let function = SurfaceScale.function
      defer { SurfaceScale.function = function }
      SurfaceScale.function = { _ in 1.25 }
      try body(window)
      window.close()
    }
  }

  @MainActor private func makeView(_ loads: Loads, _ ending: Ending, in window: TestWindow) -> LazyImageView {
    let view = LazyImageView()
    view.options = loads.options
    view.onCompletion = ending.record
    view.resizesToAllocation = true
    gtk_widget_set_halign(view.widget, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(view.widget, GTK_ALIGN_CENTER)
    gtk_widget_set_size_request(view.widget, 40, 40)
    view.url = loads.answer("a", with: .green, width: 600, height: 600)
    window.show(view.widget)
    return view
  }

  /// Displays whose scale is a fraction. GDK reports such scales since version 4.12; the tests do it in its place.
  final class FractionalScaleTests: XCTestCase {
    func testAnImageHasThePixelsOfTheDisplay() throws {
      try onFractionalDisplay { window in
        let ending = Ending()
        let view = makeView(Loads(), ending, in: window)
        runLoop { ending.image != nil }
        XCTAssertEqual(ending.image?.pixelWidth, 50)
        XCTAssertEqual(view.binding.paintable.displayScale, 1.25)
        XCTAssertEqual(view.binding.paintable.naturalSize, CGSize(width: 40, height: 40))
        XCTAssertEqual(DisplayScale.current, 1.25)
      }
      MainActor.assumeIsolated { XCTAssertEqual(DisplayScale.current, 1) }
    }

    func testAnImageIsLoadedAgainOnADisplayWithALargerFraction() throws {
      try onFractionalDisplay { window in
        let ending = Ending()
        let view = makeView(Loads(), ending, in: window)
        runLoop { ending.image?.pixelWidth == 50 }
        SurfaceScale.function = { _ in 1.75 }
        let surface = try XCTUnwrap(gtk_native_get_surface(gtk_widget_get_native(view.widget)))
        // GTK 4.8 has no such property, and notifies of any.
        let property = try XCTUnwrap(
          g_param_spec_double("scale", nil, nil, 0, 10, 1, GParamFlags(rawValue: G_PARAM_READABLE.rawValue)))
        g_param_spec_ref_sink(property)
        defer { g_param_spec_unref(property) }
        let object = UnsafeMutableRawPointer(surface).assumingMemoryBound(to: GObject.self)
        g_object_notify_by_pspec(object, property)
        runLoop { ending.image?.pixelWidth == 70 }
        XCTAssertEqual(DisplayScale.current, 1.75)
        XCTAssertEqual(view.binding.paintable.displayScale, 1.75)
      }
    }
  }
#endif
