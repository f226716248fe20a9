#if GTK
  import Glibc
  import NukeGTK

  /// Measures the time that the program's code takes on the main thread, and that of binding rows. Time that GTK spends in
  /// calls of the program, such as setting a text, counts as the program's.
  final class MainThreadWork: CallObserver {
    /// The total CPU time, in seconds.
    private(set) var total = 0.0
    /// The duration of the list's part of binding each row, in seconds, for the first hundred thousand.
    private(set) var binds: [Double] = []
    /// The duration of binding each row, including the program's part.
    private(set) var rowBinds: [Double] = []
    private var depth = 0
    private var startTime = 0.0
    private static let bindLimit = 100_000

    /// The CPU time of the calling thread, in seconds.
    static var processorTime: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func callDidBegin() {
      depth += 1
      if depth == 1 { startTime = Self.processorTime }
    }

    func callDidEnd() {
      depth -= 1
      if depth == 0 { total += Self.processorTime - startTime }
    }

    func bindRow(_ list: () -> Void, _ row: () -> Void) {
      guard binds.count < Self.bindLimit else {
        list()
        return row()
      }
      // Reading the monotonic clock takes less time than binding.
      let start = Self.seconds(of: CLOCK_MONOTONIC)
      list()
      binds.append(Self.seconds(of: CLOCK_MONOTONIC) - start)
      row()
      rowBinds.append(Self.seconds(of: CLOCK_MONOTONIC) - start)
    }
  }
#endif
