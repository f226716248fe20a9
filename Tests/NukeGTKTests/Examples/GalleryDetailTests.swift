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

    func testTheNeighborsOfAnImageAreInMemoryWhenTheyAreShown() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let cache = FakeImageCache()
        let loads = Loads { $0.imageCache = cache }
        for (name, color) in [("a", Color.green), ("b", .blue), ("c", .red)] { loads.answer(name, with: color) }
        let detail = GalleryDetail(options: loads.options)
        var events: [Bool] = []
        detail.onLoading = { events.append($0) }
        window.show(detail.widget)
        detail.show(Loads.url("a"), neighbors: { [Loads.url("b"), Loads.url("c")] })
        XCTAssertEqual(events, [false])
        runLoop { cache.count >= 3 && loads.loader.completedRequests.count == 3 }
        XCTAssertEqual(events, [false, true])
        XCTAssertEqual(loads.loader.requests.first?.url, Loads.url("a"))
        detail.show(Loads.url("b"))
        XCTAssertEqual(events, [false, true, false, true])
        XCTAssertEqual(loads.loader.requests.count, 3)
      }
    }

    func testAFileThatHasChangedIsLoadedAgain() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let loads = Loads()
        let url = Loads.url("a")
        loads.answer("a", with: .green)
        let detail = GalleryDetail(options: loads.options)
        window.show(detail.widget)
        detail.show(url)
        runLoop { (try? drawing(of: detail.viewer.view.picture).middle.isNear(Pixel(0, 255, 0))) ?? false }
        loads.answer("a", with: .red)
        detail.show(url)
        XCTAssertEqual(loads.loader.requests.count, 1)
        detail.didChange(url)
        detail.show(url)
        runLoop { (try? drawing(of: detail.viewer.view.picture).middle.isNear(Pixel(255, 0, 0))) ?? false }
      }
    }

    func testThePropertiesAreReadWhileTheyAreShownAndCanBeSelected() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 600, height: 400)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("photo.png")
        try XCTUnwrap(plain(.green, width: 30, height: 20).pngData()).write(to: file)
        let detail = GalleryDetail(options: Loads.files)
        window.show(detail.widget)
        detail.show(file)
        XCTAssertEqual(labels(in: detail.properties.widget), [])
        detail.properties.isShown = true
        runLoop { labels(in: detail.properties.widget).contains("30 × 20 pixels") }
        XCTAssertTrue(labels(in: detail.properties.widget).contains("PNG"))
        XCTAssertTrue(labels(in: detail.properties.widget, areSelectable: true).contains("photo.png"))
        XCTAssertFalse(labels(in: detail.properties.widget, areSelectable: true).contains("Name"))
      }
    }

    func testACopiedImageIsOnTheClipboardWithAllItsPixels() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let loads = Loads()
        loads.answer("a", with: .green, width: 300, height: 200)
        let notice = Notice()
        let commands = PhotoCommands(loads.pipeline, notice: notice)
        commands.request = ImageRequest(url: Loads.url("a"))
        commands.run(.copyImage)
        runLoop { notice.text == "The image was copied." }
        let clipboard = try XCTUnwrap(gdk_display_get_clipboard(gdk_display_get_default()))
        let content = try XCTUnwrap(gdk_clipboard_get_content(clipboard))
        var value = GValue()
        g_value_init(&value, gdk_texture_get_type())
        defer { g_value_unset(&value) }
        XCTAssertNotEqual(gdk_content_provider_get_value(content, &value, nil), 0)
        let texture = OpaquePointer(try XCTUnwrap(g_value_get_object(&value)))
        XCTAssertEqual(gdk_texture_get_width(texture), 300)
        XCTAssertEqual(downloaded(texture).first, Pixel(0, 255, 0))
        // The trash is for files.
        commands.run(.trash)
        XCTAssertEqual(notice.text, "This image is on the web, and has no file.")
      }
    }
  }

  /// The texts of all labels in a widget.
  @MainActor private func labels(
    in widget: UnsafeMutablePointer<GtkWidget>, areSelectable: Bool = false
  ) -> [String] {
    if widget.isLabel {
      let label = OpaquePointer(widget)
      return areSelectable && gtk_label_get_selectable(label) == 0 ? [] : [String(cString: gtk_label_get_text(label))]
    }
    return widget.children.flatMap { labels(in: $0, areSelectable: areSelectable) }
  }
#endif
