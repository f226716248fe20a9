#if GTK
  @testable import NukeGTK
  import XCTest

  final class ListScheduleTests: XCTestCase {
    /// Rows 0 to `count`, each bound to the position of its number.
    private func schedule(count: Int) -> ListSchedule {
      var schedule = ListSchedule()
      for row in 0..<count {
        schedule.add(row)
        schedule.bind(row, to: row)
      }
      return schedule
    }

    func testBoundRowsAloneDoNothing() {
      var schedule = schedule(count: 200)
      XCTAssertNil(schedule.nextChange)
      XCTAssertEqual(schedule.proceed(at: 1000), .init())
    }

    func testARowLoadsWhenItHasBeenSeenForLongEnough() {
      var schedule = schedule(count: 3)
      schedule.screensAhead = 0
      schedule.map(2, at: 5)
      schedule.map(0, at: 5)
      XCTAssertEqual(schedule.nextChange, 5.1)
      XCTAssertEqual(schedule.proceed(at: 5.05), .init())
      XCTAssertEqual(schedule.proceed(at: 5.11), .init(starts: [0, 2], ahead: []))
      XCTAssertEqual(schedule.proceed(at: 6), .init())
      XCTAssertNil(schedule.nextChange)
    }

    func testARowThatFliesPastNeverLoads() {
      var schedule = schedule(count: 3)
      schedule.map(0, at: 0)
      schedule.unmap(0, at: 0.09)
      XCTAssertEqual(schedule.proceed(at: 1).starts, [])
    }

    func testEachVisitIsCountedByItself() {
      var schedule = schedule(count: 1)
      schedule.map(0, at: 0)
      schedule.unmap(0, at: 0.09)
      schedule.map(0, at: 0.1)
      XCTAssertEqual(schedule.proceed(at: 0.15).starts, [])
      XCTAssertEqual(schedule.proceed(at: 0.21).starts, [0])
      schedule.unmap(0, at: 0.3)
      schedule.map(0, at: 0.4)
      XCTAssertEqual(schedule.proceed(at: 0.51).starts, [0])
    }

    func testARowThatGetsAnotherImageWhileItIsSeenLoadsThat() {
      var schedule = schedule(count: 1)
      schedule.map(0, at: 0)
      XCTAssertEqual(schedule.proceed(at: 0.2).starts, [0])
      schedule.unbind(0)
      XCTAssertEqual(schedule.proceed(at: 0.3).starts, [])
      schedule.bind(0, to: 7)
      schedule.map(0, at: 0.3)
      XCTAssertEqual(schedule.proceed(at: 0.35).starts, [])
      XCTAssertEqual(schedule.proceed(at: 0.41).starts, [0])
    }

    func testWhatCameFromMemoryDoesNotLoad() {
      var schedule = schedule(count: 1)
      schedule.map(0, at: 0)
      schedule.start(0)
      XCTAssertEqual(schedule.proceed(at: 1).starts, [])
    }

    func testTwoScreensAheadAreFetchedTheNearestFirst() {
      var schedule = schedule(count: 200)
      for row in 10..<15 { schedule.map(row, at: 0) }
      XCTAssertEqual(schedule.proceed(at: 1).ahead, Array(15..<25))
    }

    func testGoingBackFetchesWhatIsBefore() {
      var schedule = schedule(count: 200)
      for row in 100..<103 { schedule.map(row, at: 0) }
      XCTAssertEqual(schedule.proceed(at: 1).ahead, Array(103..<109))
      for row in 101..<103 { schedule.unmap(row, at: 2) }
      for row in 98..<100 { schedule.map(row, at: 2) }
      XCTAssertEqual(schedule.proceed(at: 3).ahead, [97, 96, 95, 94, 93, 92])
    }

    func testOnlyBoundRowsAreFetched() {
      var schedule = schedule(count: 8)
      schedule.unbind(5)
      for row in 0..<4 { schedule.map(row, at: 0) }
      XCTAssertEqual(schedule.proceed(at: 1).ahead, [4, 6, 7])
    }

    func testNothingIsFetchedWhileTheListMoves() {
      var schedule = schedule(count: 100)
      for row in 0..<50 {
        let now = Double(row) * 0.05
        schedule.map(row, at: now)
        if row >= 1 { schedule.unmap(row - 1, at: now) }
        XCTAssertNil(schedule.proceed(at: now).ahead)
      }
      XCTAssertEqual(schedule.proceed(at: 3).ahead, [50, 51])
    }

    func testAListThatIsNotSeenFetchesNothing() {
      var schedule = schedule(count: 10)
      schedule.map(0, at: 0)
      XCTAssertEqual(schedule.proceed(at: 1).ahead, [1, 2])
      schedule.unmap(0, at: 2)
      XCTAssertEqual(schedule.proceed(at: 3).ahead, [])
    }
  }
#endif
