#if GTK
  import CNukeGTK
  import Foundation
  import NukeGTK
  @testable import PhotoBrowser
  import XCTest

  /// The application of all tests. A session bus accepts only one of a process. `nil` if it cannot be registered.
  @MainActor private let application: UnsafeMutablePointer<GtkApplication>? = {
    guard let application = gtk_application_new("org.nuke.PhotoBrowserTests", G_APPLICATION_NON_UNIQUE),
      g_application_register(UnsafeMutablePointer(OpaquePointer(application)), nil, nil) != 0
    else { return nil }
    return application
  }()

  @MainActor private func makeBrowser(_ folder: URL) throws -> PhotoBrowser {
    try requireDisplay()
    return PhotoBrowser(PhotoBrowser.photos(in: folder), in: try XCTUnwrap(application))
  }

  @MainActor private func title(_ browser: PhotoBrowser) -> String {
    String(cString: gtk_window_get_title(browser.window))
  }

  @MainActor private func isShown(_ color: Pixel, in browser: PhotoBrowser) -> Bool {
    // Before its first allocation it draws nothing.
    guard gtk_widget_get_width(browser.photo.picture) > 0 else { return false }
    return (try? drawing(of: browser.photo.picture).middle.isNear(color)) ?? false
  }

  final class PhotoBrowserTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUpWithError() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    func testItOpensThePhotosOfAFolderInTheirOrder() throws {
      for (name, color) in [("b.png", Color.red), ("a.png", .green)] {
        try XCTUnwrap(plain(color, width: 60, height: 40).pngData()).write(to: folder.appendingPathComponent(name))
      }
      try Data("not a photo".utf8).write(to: folder.appendingPathComponent("notes.txt"))
      let folder = folder
      try MainActor.assumeIsolated {
        let browser = try makeBrowser(folder)
        defer { gtk_window_destroy(browser.window) }
        XCTAssertEqual(title(browser), "Photos")
        browser.open(0)
        runLoop { isShown(Pixel(0, 255, 0), in: browser) }
        XCTAssertEqual(title(browser), "a.png")
        XCTAssertEqual(browser.photo.accessibleLabel, "a.png")
        browser.step(1)
        runLoop { isShown(Pixel(255, 0, 0), in: browser) }
        XCTAssertEqual(title(browser), "b.png")
        browser.step(1)
        XCTAssertEqual(title(browser), "b.png")
        browser.close()
        XCTAssertEqual(title(browser), "Photos")
      }
    }

    func testZoomEnlargesThePhotoUpToEightTimesAndNoSmallerThanTheWindow() throws {
      try XCTUnwrap(plain(.blue, width: 60, height: 40).pngData()).write(to: folder.appendingPathComponent("a.png"))
      let folder = folder
      try MainActor.assumeIsolated {
        let browser = try makeBrowser(folder)
        defer { gtk_window_destroy(browser.window) }
        browser.open(0)
        runLoop { isShown(Pixel(0, 0, 255), in: browser) }
        let width = gtk_widget_get_width(browser.photo.widget)
        browser.setZoom(3)
        runLoop { gtk_widget_get_width(browser.photo.widget) == width * 3 }
        browser.setZoom(100)
        XCTAssertEqual(browser.zoom, 8)
        browser.setZoom(0.1)
        runLoop { gtk_widget_get_width(browser.photo.widget) == width }
      }
    }
  }
#endif
