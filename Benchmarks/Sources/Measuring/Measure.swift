import AllocationCount
import Foundation

/// The measurements of one workload.
public struct Sample: Sendable {
  public let name: String
  /// The CPU time per operation in microseconds (user and system, all threads): the median of the repetitions.
  public let median: Double
  public let least: Double
  /// The wall time per operation in microseconds: the median; `nil` if it was not measured.
  public var wall: Double?
  /// The number of voluntary context switches per operation: the mean.
  public var switches: Double?
  /// The number of contended locks per operation: the mean.
  public var contendedLocks: Double?
  /// The goal, as a multiple of the time of a basic operation on this machine.
  public let goal: Goal?
  /// A note at the end of the line.
  public var note = ""

  public init(name: String, median: Double, least: Double, goal: Goal? = nil) {
    self.name = name
    self.median = median
    self.least = least
    self.goal = goal
  }

  public struct Goal: Sendable {
    let floorName: String
    let floor: Double
    let multiple: Double

    /// Creates a goal of at most `multiple` times the time of `floor` in this run.
    public init(_ multiple: Double, times floor: Sample) {
      floorName = floor.name
      self.floor = floor.median
      self.multiple = multiple
    }
  }

  public var line: String { line(as: name) }

  /// Returns the line with another name.
  public func line(as name: String) -> String {
    var line = Sample.padded(name, 42) + Sample.number(median) + Sample.number(least)
    line += wall.map(Sample.number) ?? Sample.padded("", 10)
    line += switches.map { Sample.number($0, digits: 2) } ?? Sample.padded("", 10)
    line += contendedLocks.map { Sample.number($0, digits: 2) } ?? Sample.padded("", 10)
    if let goal {
      let multiple = median / goal.floor
      line += Sample.number(multiple) + Sample.number(goal.multiple)
      line += " \(goal.floorName)  " + (multiple <= goal.multiple ? "reached" : "not reached")
    }
    return note.isEmpty ? line : line + "  " + note
  }

  public static let head =
    padded("workload (µs of CPU an operation)", 42)
    + "    median     least      wall  switches     locks    floors      goal"

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func number(_ value: Double) -> String { number(value, digits: 3) }
  private static func number(_ value: Double, digits: Int) -> String { String(format: "%10.\(digits)f", value) }
}

/// The CPU time of the process so far, in seconds.
public func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The number of voluntary context switches of the process so far.
private func voluntarySwitches() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_nvcsw
}

/// Keeps the optimizer from removing the measured code.
@inline(never) public func keep<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// Returns the median of `repetitions` after one warm-up.
public func measure<Result>(
  _ name: String, operations: Int, repetitions: Int = 9, goal: Sample.Goal? = nil, floor: Double = 0,
  setUp: () -> Void = {}, _ body: @Sendable () async -> Result
) async -> Sample {
  setUp()
  keep(await body())
  var (times, walls, switches, locks) = ([Double](), [Double](), 0, 0)
  for _ in 0..<repetitions {
    setUp()
    let (start, began, before) = (processorTime(), ContinuousClock.now, voluntarySwitches())
    let contended = nuke_contended_lock_count()
    keep(await body())
    times.append((processorTime() - start) * 1e6 / Double(operations) - floor)
    walls.append((ContinuousClock.now - began) / .microseconds(operations))
    switches += voluntarySwitches() - before
    locks += nuke_contended_lock_count() - contended
  }
  times.sort()
  walls.sort()
  var sample = Sample(name: name, median: times[times.count / 2], least: times[0], goal: goal)
  sample.wall = walls[walls.count / 2]
  sample.switches = Double(switches) / Double(operations * repetitions)
  sample.contendedLocks = Double(locks) / Double(operations * repetitions)
  return sample
}

/// Returns the number of allocations per operation by all threads: the median of `repetitions` after one warm-up.
public func measureAllocations<Result>(
  _ name: String, operations: Int, repetitions: Int = 5, floor: Double = 0, _ body: @Sendable () async -> Result
) async -> Sample {
  keep(await body())
  var counts: [Double] = []
  for _ in 0..<repetitions {
    let start = nuke_allocation_count()
    keep(await body())
    counts.append(Double(nuke_allocation_count() - start) / Double(operations) - floor)
  }
  counts.sort()
  return Sample(name: name, median: counts[counts.count / 2], least: counts[0], goal: nil)
}
