#if GTK
  @testable import NukeGTK
  import XCTest

  final class RecentSetTests: XCTestCase {
    func testItKeepsWhatItWasGiven() {
      var set = RecentSet<Int>(limit: 4)
      XCTAssertFalse(set.contains(1))
      set.insert(1)
      set.insert(1)
      XCTAssertTrue(set.contains(1))
      XCTAssertEqual(set.count, 1)
    }

    func testOfTooManyTheLastStay() {
      var set = RecentSet<Int>(limit: 4)
      for element in 0..<1000 {
        set.insert(element)
        XCTAssertLessThanOrEqual(set.count, 4)
        XCTAssertTrue(set.contains(element))
      }
      XCTAssertFalse(set.contains(990))
    }
  }
#endif
