#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  @MainActor private func makeWindow(width: Int, height: Int) throws -> TestWindow {
    let window = try TestWindow(width: width, height: height)
    guard gtk_widget_get_scale_factor(window.widget) == 2 else {
      throw XCTSkip("the display has one pixel a point; run the tests with GDK_SCALE=2")
    }
    return window
  }

  /// On a display with two pixels a point, which `GDK_SCALE=2` makes of any.
  final class HiDPITests: XCTestCase {
    func testThePointsOfProcessorsFollowTheDisplaysInUse() throws {
      try MainActor.assumeIsolated {
        let window = try makeWindow(width: 60, height: 40)
        XCTAssertEqual(PictureBinding.count, 0, "a test before this one has left a view")
        XCTAssertEqual(DisplayScale.current, 1)
        let box = try XCTUnwrap(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        let pictures = try (0..<2).map { _ in
          let picture = try XCTUnwrap(gtk_picture_new())
          gtk_widget_set_size_request(picture, 10, 10)
          gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), picture)
          cancelRequest(for: picture)
          return picture
        }
        window.show(box)
        XCTAssertEqual(DisplayScale.current, 2)
        XCTAssertEqual(ImageProcessors.Resize(width: 10), ImageProcessors.Resize(width: 20, unit: .pixels))
        gtk_box_remove(UnsafeMutablePointer(OpaquePointer(box)), pictures[0])
        XCTAssertEqual(DisplayScale.current, 2, "one is left")
        window.close()
        XCTAssertEqual(DisplayScale.current, 1)
      }
    }

    func testAnImageIsAsSharpAsTheDisplay() throws {
      try MainActor.assumeIsolated {
        let window = try makeWindow(width: 60, height: 40)
        let loads = Loads()
        let board = try XCTUnwrap(
          Bitmap(pixelWidth: 40, pixelHeight: 40, isOpaque: true) { bytes in
            for place in bytes.indices {
              let (x, y) = (place / 4 % 40, place / 4 / 40)
              bytes[place] = place % 4 == 3 || (x + y) % 2 == 0 ? 255 : 0
            }
          })
        let url = Loads.url("board")
        loads.loader.answer(url, with: .data(board.pngData() ?? Data()))
        let picture = try XCTUnwrap(gtk_picture_new())
        gtk_widget_set_halign(picture, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(picture, GTK_ALIGN_CENTER)
        // An empty image has no size that could be waited for.
        let box = try XCTUnwrap(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
        gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), picture)
        window.show(box)
        let ending = Ending()
        loadImage(with: url, options: loads.options, into: picture, completion: ending.record)
        runLoop { ending.image != nil && gtk_widget_get_width(picture) == 20 }
        XCTAssertEqual(gtk_widget_get_height(picture), 20)
        let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(picture)))
        let drawn = try draw(paintable, width: 20, height: 20, displayScale: 2)
        for y in 0..<40 {
          for x in 0..<40 {
            let level: UInt8 = (x + y) % 2 == 0 ? 255 : 0
            guard drawn[x, y] == Pixel(level, level, level) else { return XCTFail("\(x), \(y): \(drawn[x, y])") }
          }
        }
      }
    }
  }
#endif
