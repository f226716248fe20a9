#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  @MainActor private func title(_ window: ImageWindow) -> String {
    gtk_window_get_title(window.pointer).map { String(cString: $0) } ?? ""
  }

  @MainActor private func isShown(_ color: Pixel, in window: ImageWindow) -> Bool {
    let picture = window.viewer.view.picture
    // Before its first allocation it draws nothing.
    guard gtk_widget_get_width(picture) > 0 else { return false }
    return (try? drawing(of: picture).middle.isNear(color)) ?? false
  }

  @MainActor private func makeGrid(_ names: [String], _ loads: Loads) -> ImageGrid {
    ImageGrid(items: names, options: loads.options) { ImageRequest(url: Loads.url($0)) }
  }

  final class ImageWindowTests: XCTestCase {
    func testItShowsOneImageUnderItsName() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let loads = Loads()
        loads.answer("leaf.png", with: .green)
        let window = ImageWindow(ImageRequest(url: Loads.url("leaf.png")), options: loads.options)
        defer { window.close() }
        window.present()
        runLoop { isShown(Pixel(0, 255, 0), in: window) }
        XCTAssertEqual(title(window), "leaf.png")
        XCTAssertEqual(window.viewer.view.accessibleLabel, "leaf.png")
        // There is nothing to go back to.
        window.goBack()
        window.step(by: 1)
        XCTAssertEqual(title(window), "leaf.png")
      }
    }

    func testItOpensTheImagesOfAGridAndGoesBackToTheLastOne() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let loads = Loads()
        loads.answer("a.png", with: .green)
        loads.answer("b.png", with: .red)
        let grid = makeGrid(["a.png", "b.png"], loads)
        let window = ImageWindow(grid, title: "Photos")
        defer { window.close() }
        window.present()
        XCTAssertEqual(title(window), "Photos")
        grid.onOpen?(0)
        runLoop { isShown(Pixel(0, 255, 0), in: window) }
        XCTAssertEqual(title(window), "a.png")
        window.step(by: 1)
        runLoop { isShown(Pixel(255, 0, 0), in: window) }
        XCTAssertEqual(title(window), "b.png")
        // There are no such images.
        for count in [1, .max, -2, .min] {
          window.step(by: count)
          XCTAssertEqual(window.openedPosition, 1)
        }
        window.goBack()
        XCTAssertEqual(title(window), "Photos")
        XCTAssertNil(window.openedPosition)
        XCTAssertEqual(grid.selectedPosition, 1)
        XCTAssertNil(window.viewer.view.request)
        // Without an open image, steps have no effect.
        window.step(by: -1)
        XCTAssertNil(window.openedPosition)
      }
    }

    func testKeysOfAnImageAreLeftToTheGridWhileItIsShown() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let window = ImageWindow(makeGrid(["a", "b"], Loads()), title: "Photos")
        defer { window.close() }
        window.present()
        @MainActor func press(_ key: String) throws -> Bool {
          try XCTUnwrap(window.commands.first { $0.keys.contains(key) }).action()
        }
        for key in ["plus", "minus", "0", "Left", "Right", "Escape"] { XCTAssertFalse(try press(key), key) }
        window.open(0)
        XCTAssertTrue(try press("plus"))
        XCTAssertEqual(window.viewer.zoom, 1.25)
        XCTAssertTrue(try press("0"))
        XCTAssertEqual(window.viewer.zoom, 1)
        XCTAssertTrue(try press("Right"))
        XCTAssertEqual(window.openedPosition, 1)
        XCTAssertTrue(try press("Left"))
        XCTAssertEqual(window.openedPosition, 0)
        XCTAssertTrue(try press("Escape"))
        XCTAssertNil(window.openedPosition)
      }
    }

    func testAnOpenedImageHasTheFocusSoThatReturnPressesNoButton() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let loads = Loads()
        let opened = ImageWindow(makeGrid(["a", "b"], loads), title: "Photos")
        opened.open(0)
        let single = ImageWindow(ImageRequest(url: Loads.url("a")), options: loads.options)
        let later = ImageWindow(makeGrid(["a", "b"], loads), title: "Photos")
        for window in [opened, single, later] {
          defer { window.close() }
          window.present()
          window.open(0)
          runLoop { gtk_widget_get_mapped(window.viewer.widget) != 0 }
          runLoopUntilIdle()
          XCTAssertEqual(gtk_window_get_focus(window.pointer), window.viewer.widget)
        }
      }
    }

    func testAStepLeavesTheFocusWhereItIs() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let window = ImageWindow(makeGrid(["a", "b"], Loads()), title: "Photos")
        defer { window.close() }
        let button = try XCTUnwrap(gtk_button_new())
        gtk_header_bar_pack_end(window.headerBar, button)
        window.present()
        window.open(0)
        runLoop { gtk_widget_get_mapped(window.viewer.widget) != 0 }
        gtk_widget_grab_focus(button)
        window.step(by: 1)
        XCTAssertEqual(gtk_window_get_focus(window.pointer), button)
      }
    }

    func testTheListOfKeysIsAWindowAboveIt() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let window = ImageWindow(makeGrid(["a"], Loads()), title: "Photos")
        window.present()
        let before = g_list_model_get_n_items(gtk_window_get_toplevels())
        window.showKeys()
        XCTAssertEqual(g_list_model_get_n_items(gtk_window_get_toplevels()), before + 1)
        window.close()
        XCTAssertEqual(g_list_model_get_n_items(gtk_window_get_toplevels()), before - 1)
      }
    }

    func testCallsForAClosedWindowHaveNoEffect() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let window = ImageWindow(makeGrid(["a"], Loads()), title: "Photos")
        window.present()
        window.open(0)
        window.close()
        XCTAssertTrue(window.isClosed)
        window.close()
        window.present()
        window.open(0)
        window.goBack()
        window.showKeys()
        XCTAssertNil(window.openedPosition)
        XCTAssertNil(window.viewer.view.request)
      }
    }

    func testTheWindowOwnsWhatItShowsUntilItIsClosed() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let before = PictureBinding.count
        weak var window: ImageWindow?
        weak var grid: ImageGrid?
        weak var viewer: ImageViewer?
        let gate = Gate()
        let loads = Loads()
        loads.answer("a", with: .green, heldBy: gate)
        do {
          let made = ImageWindow(makeGrid(["a"], loads), title: "Photos")
          (window, grid, viewer) = (made, made.grid, made.viewer)
          made.present()
          made.open(0)
        }
        runLoop { !loads.loader.requests.isEmpty }
        XCTAssertNotNil(window)
        XCTAssertNotNil(grid)
        window?.close()
        XCTAssertNil(window)
        XCTAssertNil(grid)
        XCTAssertNil(viewer)
        runLoop { loads.pipeline.load.subscriptions == 0 && PictureBinding.count == before }
        gate.open()
      }
    }
  }
#endif
