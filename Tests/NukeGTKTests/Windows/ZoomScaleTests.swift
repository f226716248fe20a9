#if GTK
  @testable import NukeGTK
  import XCTest

  final class ZoomScaleTests: XCTestCase {
    func testTheScaleStaysWithinItsRangeAndReportsTheRatioOfTheChange() {
      var scale = ZoomScale()
      let steps: [(set: Double, value: Double, ratio: Double)] = [
        (2, 2, 2), (4, 4, 2), (100, 8, 2), (8, 8, 1), (0.5, 1, 0.125), (-1, 1, 1), (.nan, 1, 1), (.infinity, 1, 1),
      ]
      for step in steps {
        XCTAssertEqual(scale.set(step.set), step.ratio, "\(step)")
        XCTAssertEqual(scale.value, step.value, "\(step)")
      }
    }

    func testThePointUnderThePointerStaysWhereItIs() {
      // 100 points from the edge of the area, and 300 of the image, which are 600 at twice the size.
      XCTAssertEqual(ZoomScale.position(keeping: 100, at: 200, ratio: 2), 500)
      // The middle of an area of 400 points.
      XCTAssertEqual(ZoomScale.position(keeping: 200, at: 0, ratio: 2), 200)
      XCTAssertEqual(ZoomScale.position(keeping: 200, at: 200, ratio: 0.5), 0)
      // Never before the beginning.
      XCTAssertEqual(ZoomScale.position(keeping: 300, at: 0, ratio: 0.5), 0)
    }
  }
#endif
