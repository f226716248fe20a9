#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// Lets the rows that are seen load, whose dwell the test does not want to wait for.
  @MainActor private func makeGrid(_ names: [String], _ loads: Loads) -> ImageGrid {
    let grid = ImageGrid(items: names, options: loads.options) { ImageRequest(url: Loads.url($0)) }
    grid.factory.dwell = 0
    grid.factory.screensAhead = 0
    return grid
  }

  final class ImageGridTests: XCTestCase {
    func testItLoadsVisibleItemsAtTheSizeOfTheCells() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 400, height: 300)
        let loads = Loads()
        for name in ["a", "b"] { loads.answer(name, with: .green, width: 640, height: 480) }
        let grid = makeGrid(["a", "b"], loads)
        window.show(grid.widget)
        runLoop { grid.factory.images.shownCount == 2 }
        XCTAssertEqual(Set(loads.loader.requests.compactMap { $0.url?.lastPathComponent }), ["a", "b"])
        let scale = Int(gtk_widget_get_scale_factor(grid.widget))
        for name in ["a", "b"] {
          var request = ImageRequest(url: Loads.url(name))
          request.processors = [
            ImageProcessors.Resize(
              size: CGSize(width: 160 * scale, height: 120 * scale), unit: .pixels, contentMode: .aspectFill)
          ]
          XCTAssertEqual(loads.pipeline.cache[request]?.image.pixelWidth, min(640, 160 * scale))
        }
      }
    }

    func testTheItemThatIsActivatedIsReported() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let grid = makeGrid(["a", "b", "c"], Loads())
        var opened: [Int] = []
        grid.onOpen = { opened.append($0) }
        grid.selectedPosition = 2
        XCTAssertEqual(grid.selectedPosition, 2)
        let window = try TestWindow()
        window.show(grid.widget)
        _ = gtk_widget_activate_action_variant(
          UnsafeMutablePointer(grid.gridView), "list.activate-item", g_variant_new_uint32(1))
        XCTAssertEqual(opened, [1])
        // Positions without an item have no effect.
        grid.selectedPosition = 3
        XCTAssertEqual(grid.selectedPosition, 2)
      }
    }

    func testItemsHaveTheNamesOfTheirFilesOrThoseOfTheProgram() throws {
      try MainActor.assumeIsolated {
        try requireDisplay()
        let grid = makeGrid(["a.png"], Loads())
        XCTAssertEqual(grid.name(at: 0), "a.png")
        XCTAssertNil(grid.name(at: 1))
        XCTAssertNil(grid.request(at: -1))
        grid.replaceItems(with: [1, 2], name: { "photo \($0)" }, request: { ImageRequest(url: Loads.url("\($0)")) })
        XCTAssertEqual(grid.count, 2)
        XCTAssertEqual(grid.name(at: 1), "photo 2")
        XCTAssertEqual(grid.request(at: 0)?.url, Loads.url("1"))
        XCTAssertEqual(g_list_model_get_n_items(grid.selection), 2)
        grid.replaceItems(with: [URL](), request: { ImageRequest(url: $0) })
        XCTAssertEqual(g_list_model_get_n_items(grid.selection), 0)
        XCTAssertNil(grid.selectedPosition)
      }
    }

    func testACellShowsWhyItHasNoImageAndOffersARetryThatMayHelp() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 400, height: 300)
        let loads = Loads()
        let url = Loads.url("a")
        loads.loader.answer(url, with: .status(503))
        let grid = makeGrid(["a"], loads)
        window.show(grid.widget)
        runLoop { grid.cells.failures.count == 1 }
        let failure = try XCTUnwrap(grid.cells.failures.first)
        XCTAssertFalse(failure.text.isEmpty)
        XCTAssertNotEqual(gtk_widget_get_visible(failure.retryButton), 0)
        loads.answer("a", with: .green)
        gtk_widget_activate(failure.retryButton)
        runLoop { grid.factory.images.shownCount == 1 }
        XCTAssertTrue(grid.cells.failures.isEmpty)
      }
    }

    func testAPermanentFailureHasNoRetryButton() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow(width: 400, height: 300)
        let loads = Loads()
        loads.loader.answer(Loads.url("a"), with: .status(404))
        loads.loader.answer(Loads.url("b"), with: .data(Data("not an image".utf8)))
        let grid = makeGrid(["a", "b"], loads)
        window.show(grid.widget)
        runLoop { grid.cells.failures.count == 2 }
        for failure in grid.cells.failures { XCTAssertEqual(gtk_widget_get_visible(failure.retryButton), 0) }
        XCTAssertTrue(grid.cells.failures.contains { $0.text.contains("404") })
      }
    }

    func testAGridLeavesNothingBehind() throws {
      try MainActor.assumeIsolated {
        let before = PictureBinding.count
        weak var images: ListImages?
        weak var cells: GridCells?
        let gate = Gate()
        let loads = Loads()
        do {
          let window = try TestWindow(width: 400, height: 300)
          loads.answer("a", with: .green, heldBy: gate)
          let grid = makeGrid(["a"], loads)
          images = grid.factory.images
          cells = grid.cells
          window.show(grid.widget)
          runLoop { loads.loader.requests.count == 1 }
          window.close()
        }
        runLoop { loads.pipeline.load.subscriptions == 0 }
        XCTAssertEqual(loads.loader.cancelledRequests.count, 1)
        XCTAssertEqual(PictureBinding.count, before)
        XCTAssertNil(images)
        XCTAssertNil(cells)
        gate.open()
      }
    }
  }
#endif
