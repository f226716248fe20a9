#if GTK
  import Foundation
  @testable import NukeGTK
  import XCTest

  final class DisplayScalesTests: XCTestCase {
    /// The scale of the process, as `DisplayScale.current` would have it.
    private var current: CGFloat = 1
    private var scales = DisplayScales()

    private func replace(_ old: Double?, with new: Double?) {
      current = scales.replace(old, with: new, current: current)
    }

    func testTheScaleIsTheLargestOfTheViews() {
      replace(nil, with: 1)
      XCTAssertEqual(current, 1)
      replace(nil, with: 3)
      replace(nil, with: 2)
      XCTAssertEqual(current, 3)
    }

    func testTheScaleIsLoweredWithTheLastViewOfTheFinestDisplay() {
      replace(nil, with: 2)
      replace(nil, with: 3)
      replace(nil, with: 3)
      replace(3, with: nil)
      XCTAssertEqual(current, 3, "one is left")
      replace(3, with: nil)
      XCTAssertEqual(current, 2)
      replace(2, with: nil)
      XCTAssertEqual(current, 1)
    }

    func testAViewThatMovesToAnotherDisplayTakesItsScaleAlong() {
      replace(nil, with: 1)
      replace(1, with: 2)
      XCTAssertEqual(current, 2)
      replace(2, with: 1)
      XCTAssertEqual(current, 1)
    }

    func testAScaleThatTheProgramHasSetIsNotLowered() {
      current = 2
      replace(nil, with: 1)
      XCTAssertEqual(current, 2)
      replace(nil, with: 3)
      XCTAssertEqual(current, 3)
      replace(3, with: nil)
      XCTAssertEqual(current, 2)
    }

    func testAScaleThatTheProgramSetsWhileThereAreViewsIsNotLowered() {
      replace(nil, with: 2)
      current = 4
      replace(2, with: nil)
      XCTAssertEqual(current, 4)
      replace(nil, with: 3)
      XCTAssertEqual(current, 4)
    }
  }
#endif
