#if GTK
  import Glibc

  /// Measures what code of ours takes of the main thread: jobs of the main actor, signals, timers, ticks, and what the
  /// paintable gives to be drawn. It counts only while somebody wants to know, and belongs to the main thread.
  ///
  /// What code of ours has GTK do at once, such as setting a text, is counted as ours.
  package final class MainThreadWork {
    /// Where it is counted; `nil` unless it is set.
    nonisolated(unsafe) package static var current: MainThreadWork?

    /// Seconds of processor time up to now.
    package private(set) var total = 0.0
    /// Seconds by the wall that binding each row took the list itself, of the first hundred thousand.
    package private(set) var binds: [Double] = []
    /// The same with all that the program shows in a row.
    package private(set) var rowBinds: [Double] = []
    private var depth = 0
    private var beganAt = 0.0
    private static let bindLimit = 100_000

    package init() {}

    /// Seconds of processor time of the calling thread.
    package static var processorTime: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs code of ours, which GTK has called.
    @inline(__always)
    static func count<Result>(_ body: () -> Result) -> Result {
      guard let current else { return body() }
      current.begin()
      defer { current.end() }
      return body()
    }

    // Code of ours may have GTK call other code of ours.
    private func begin() {
      depth += 1
      if depth == 1 { beganAt = Self.processorTime }
    }

    private func end() {
      depth -= 1
      if depth == 0 { total += Self.processorTime - beganAt }
    }

    /// Runs what binds a row: the list's part and the program's. The clock is one that takes less time than they do.
    @inline(__always)
    static func countBind(_ list: () -> Void, _ row: () -> Void) {
      guard let current, current.binds.count < bindLimit else {
        list()
        return row()
      }
      let beginning = seconds(of: CLOCK_MONOTONIC)
      list()
      current.binds.append(seconds(of: CLOCK_MONOTONIC) - beginning)
      row()
      current.rowBinds.append(seconds(of: CLOCK_MONOTONIC) - beginning)
    }
  }
#endif
