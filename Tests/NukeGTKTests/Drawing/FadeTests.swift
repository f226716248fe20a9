#if GTK
  @testable import NukeGTK
  import XCTest

  final class FadeTests: XCTestCase {
    func testBeginsWithTheFirstBeat() {
      var fade = Fade(duration: 0.5)
      XCTAssertEqual(fade.progress(at: 100), 0)
      XCTAssertEqual(fade.progress(at: 100.25), 0.5, accuracy: 1e-9)
      XCTAssertEqual(fade.progress(at: 100.5), 1)
      XCTAssertEqual(fade.progress(at: 107), 1)
    }

    func testIsSlowAtBothEnds() {
      var fade = Fade(duration: 1)
      XCTAssertEqual(fade.progress(at: 0), 0)
      XCTAssertLessThan(fade.progress(at: 0.1), 0.1)
      XCTAssertGreaterThan(fade.progress(at: 0.9), 0.9)
    }

    func testWithoutADurationItIsOver() {
      var fade = Fade(duration: 0)
      XCTAssertEqual(fade.progress(at: 3), 1)
    }
  }
#endif
