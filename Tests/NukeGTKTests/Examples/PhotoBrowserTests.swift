#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  @testable import PhotoBrowser
  import XCTest

  @MainActor private func makeBrowser(_ folder: URL) throws -> ImageWindow {
    try requireDisplay()
    let window = PhotoBrowser(folder, options: Loads.files).window
    window.grid?.factory.dwell = 0
    window.present()
    return window
  }

  @MainActor private func isShown(_ color: Pixel, in window: ImageWindow) -> Bool {
    let picture = window.viewer.view.picture
    // Before its first allocation it draws nothing.
    guard gtk_widget_get_width(picture) > 0 else { return false }
    return (try? drawing(of: picture).middle.isNear(color)) ?? false
  }

  final class PhotoBrowserTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUpWithError() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    private func write(_ name: String, _ data: Data?) throws {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try XCTUnwrap(data).write(to: file)
    }

    func testItOpensThePhotosOfAFolderInTheirOrder() throws {
      try write("b.png", plain(.red, width: 60, height: 40).pngData())
      try write("a.png", plain(.green, width: 60, height: 40).pngData())
      try write("notes.txt", Data("not a photo".utf8))
      try write(".cache/c.png", Data("not mine".utf8))
      let folder = folder
      try MainActor.assumeIsolated {
        let window = try makeBrowser(folder)
        defer { window.close() }
        XCTAssertEqual(window.grid?.count, 2)
        window.open(0)
        runLoop { isShown(Pixel(0, 255, 0), in: window) }
        XCTAssertEqual(window.viewer.view.accessibleLabel, "a.png")
        window.step(by: 1)
        runLoop { isShown(Pixel(255, 0, 0), in: window) }
        window.goBack()
        XCTAssertEqual(window.grid?.selectedPosition, 1)
      }
    }

    func testAPhotoOpensItsFolderAtItsPosition() throws {
      for name in ["a.png", "b.png", "c.png"] { try write(name, plain(.red, width: 8, height: 8).pngData()) }
      let folder = folder
      try MainActor.assumeIsolated {
        let window = try makeBrowser(folder.appendingPathComponent("b.png"))
        defer { window.close() }
        XCTAssertEqual(window.grid?.count, 3)
        XCTAssertEqual(window.openedPosition, 1)
      }
    }

    func testAPhotoThatCannotBeReadIsShownWithTheReasonInTheGridAndOnItsPage() throws {
      try write("broken.jpg", Data("not a photo".utf8))
      let folder = folder
      try MainActor.assumeIsolated {
        let window = try makeBrowser(folder)
        defer { window.close() }
        runLoop { window.grid?.cells.failures.count == 1 }
        let cell = try XCTUnwrap(window.grid?.cells.failures.first)
        XCTAssertTrue(cell.text.hasPrefix("broken.jpg\n"), cell.text)
        window.open(0)
        runLoop { window.viewer.failure.isShown }
        XCTAssertEqual("broken.jpg\n" + window.viewer.failure.text, cell.text)
        XCTAssertTrue(window.viewer.failure.text.hasSuffix("."), cell.text)
        // It would fail again.
        XCTAssertEqual(gtk_widget_get_visible(window.viewer.failure.retryButton), 0)
      }
    }

    func testItSaysWhichFolderHasNoPhotos() throws {
      try write("notes.txt", Data())
      let missing = folder.appendingPathComponent("missing")
      let file = folder.appendingPathComponent("notes.txt")
      let folder = folder
      try MainActor.assumeIsolated {
        XCTAssertEqual(PhotoBrowser.photos(in: missing).message, "There is no folder \(missing.path).")
        XCTAssertEqual(PhotoBrowser.photos(in: file).message, "\(file.path) is not a folder that can be read.")
        XCTAssertEqual(PhotoBrowser.photos(in: folder).message, "There are no photos in \(folder.path).")
        XCTAssertTrue(PhotoBrowser.photos(in: folder).photos.isEmpty)
        let window = try makeBrowser(missing)
        XCTAssertEqual(window.grid?.count, 0)
        window.close()
      }
    }
  }
#endif
