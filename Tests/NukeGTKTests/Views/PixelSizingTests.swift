#if GTK
  import Foundation
  import Nuke
  @testable import NukeGTK
  import XCTest

  final class PixelSizingTests: XCTestCase {
    func testASizeIsKnownOnceTheViewHasBeenDrawn() {
      var sizing = PixelSizing()
      XCTAssertNil(sizing.request(displayScale: 2))
      XCTAssertFalse(sizing.draw(in: CGSize(width: 0, height: 20)))
      XCTAssertTrue(sizing.draw(in: CGSize(width: 30, height: 20)))
      XCTAssertFalse(sizing.draw(in: CGSize(width: 30, height: 20)))
      XCTAssertEqual(sizing.request(displayScale: 2), CGSize(width: 60, height: 40))
    }

    func testGrowingALittleIsNotWorthALoad() {
      var sizing = PixelSizing()
      sizing.isEnabled = true
      _ = sizing.draw(in: CGSize(width: 100, height: 100))
      _ = sizing.request(displayScale: 1)
      _ = sizing.draw(in: CGSize(width: 108, height: 50))
      XCTAssertFalse(sizing.isTooSmall(displayScale: 1))
      _ = sizing.draw(in: CGSize(width: 120, height: 50))
      XCTAssertTrue(sizing.isTooSmall(displayScale: 1))
    }

    func testAFinerDisplayNeedsMorePixels() {
      var sizing = PixelSizing()
      sizing.isEnabled = true
      _ = sizing.draw(in: CGSize(width: 100, height: 100))
      XCTAssertFalse(sizing.isTooSmall(displayScale: 2))
      _ = sizing.request(displayScale: 1)
      XCTAssertFalse(sizing.isTooSmall(displayScale: 1))
      XCTAssertTrue(sizing.isTooSmall(displayScale: 2))
      sizing.isEnabled = false
      XCTAssertFalse(sizing.isTooSmall(displayScale: 2))
    }

    func testResizingComesFirst() {
      let processors = PixelSizing.processors(
        [ImageProcessors.Circle()], resizingTo: CGSize(width: 8, height: 6), contentMode: .scaleDown)
      let resize = ImageProcessors.Resize(size: CGSize(width: 8, height: 6), unit: .pixels, contentMode: .aspectFit)
      XCTAssertEqual(processors.map { $0.identifier }, [resize.identifier, ImageProcessors.Circle().identifier])
    }
  }
#endif
