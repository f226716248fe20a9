#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  @testable import NukeGallery
  import NukeTesting
  import XCTest

  final class GalleryDetailTests: XCTestCase {
    func testAnImageCanBeEnlargedUntilItIsLeft() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        loads.answer("a", with: .green)
        let detail = GalleryDetail(options: loads.options)
        window.show(detail.widget)
        detail.show(Loads.url("a"))
        runLoop { (try? drawing(of: detail.viewer.view.picture).middle.isNear(Pixel(0, 255, 0))) ?? false }
        let width = gtk_widget_get_width(detail.viewer.widget)
        detail.zoomIn()
        detail.zoomIn()
        detail.zoomOut()
        XCTAssertEqual(detail.viewer.zoom, 1.25)
        runLoop { gtk_widget_get_width(detail.viewer.view.widget) == Int32((Double(width) * 1.25).rounded()) }
        detail.clear()
        XCTAssertEqual(detail.viewer.zoom, 1)
        XCTAssertNil(detail.viewer.view.request)
      }
    }

    func testOnlyFailuresThatMayEndOfferARetry() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        loads.loader.answer(Loads.url("gone"), with: .status(404))
        loads.loader.answer(Loads.url("busy"), with: .status(503))
        let detail = GalleryDetail(options: loads.options)
        window.show(detail.widget)
        for (name, status, canRetry) in [("gone", "404", false), ("busy", "503", true)] {
          detail.show(Loads.url(name))
          runLoop { detail.viewer.failure.isShown && detail.viewer.failure.text.contains(status) }
          XCTAssertEqual(gtk_widget_get_visible(detail.viewer.failure.retryButton) != 0, canRetry, name)
        }
      }
    }
  }
#endif
