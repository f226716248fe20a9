#if GTK
  import Foundation
  @testable import NukeGTK
  import XCTest

  final class NumbersTests: XCTestCase {
    func testNumbersOfProgramsAreClampedForGTK() {
      let lengths: [(CGFloat, Int32)] = [
        (0, 0), (160, 160), (96.25, 97), (-1, 0), (-.infinity, 0), (.nan, 0), (1_000_000, 1_000_000),
        (1_000_001, 1_000_000), (2_147_483_648, 1_000_000), (1e300, 1_000_000), (.infinity, 1_000_000),
      ]
      for (length, expected) in lengths { XCTAssertEqual(Int32(points: length), expected, "\(length)") }
      let delays: [(TimeInterval, UInt32)] = [
        (0, 0), (0.15, 150), (0.0001, 1), (-1, 0), (-.infinity, 0), (.nan, 0), (4_294_967.295, 4_294_967_295),
        (4_294_967.296, 4_294_967_295), (1e300, 4_294_967_295), (.infinity, 4_294_967_295),
      ]
      for (delay, expected) in delays { XCTAssertEqual(UInt32(milliseconds: delay), expected, "\(delay)") }
    }
  }
#endif
